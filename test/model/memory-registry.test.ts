import { describe, expect, it } from 'vitest';
import { fromBytes, fromPath, memoryRegistry, newHandle } from '../../src/index.js';

const file = fromBytes('hello', { name: 'hi.txt' });

/** What a handle that leads nowhere is answered with, as a host would see it. */
async function refusal(task: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: any = await task.then(
    () => expect.unreachable('it should have been refused'),
    thrown => thrown,
  );
  return { code: error.code, message: error.message };
}

describe('a new handle', () => {
  it('has at least 128 random bits, in letters that a model can copy', () => {
    const handles = Array.from({ length: 2000 }, newHandle);
    expect(new Set(handles).size).toBe(handles.length);
    for (const handle of handles) expect(handle).toMatch(/^mcpfile_[a-z2-7]{26}$/);
    // 32 letters, each as likely: of 52,000 letters every one is there some 1,600 times.
    const counts = new Map<string, number>();
    for (const letter of handles.join('').replaceAll('mcpfile_', '')) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    expect(Math.min(...counts.values())).toBeGreaterThan(1200);
    expect(Math.max(...counts.values())).toBeLessThan(2100);
  });
});

describe('the registry in memory', () => {
  it('gives a file back under its handle, and a new handle each time', async () => {
    const registry = memoryRegistry();
    const [one, two] = [await registry.add(file), await registry.add(file)];
    expect(one).not.toBe(two);
    expect(await registry.resolve(one)).toBe(file);
    expect(await registry.resolve(two, {})).toBe(file);
  });

  it('takes a Blob as it is', async () => {
    const registry = memoryRegistry();
    const handle = await registry.add(new File(['x'], 'picked.png', { type: 'image/png' }));
    expect(await registry.resolve(handle)).toMatchObject({ name: 'picked.png' });
  });

  it.each([
    ['an equal scope', { scope: 'a' }, { scope: 'a' }, true],
    ['another scope', { scope: 'a' }, { scope: 'b' }, false],
    ['no scope, where it has one', { scope: 'a' }, {}, false],
    ['a scope, where it has none', {}, { scope: 'a' }, false],
    ['an empty scope, where it has none', {}, { scope: '' }, false],
    ['no scope, where it is empty', { scope: '' }, {}, false],
    ['a server it names', { servers: ['https://a.example/mcp'] }, { server: 'https://a.example/mcp' }, true],
    [
      'the same in other letters',
      { servers: ['https://A.example:443/mcp'] },
      { server: 'https://a.example/mcp' },
      true,
    ],
    ['another server', { servers: ['https://a.example/mcp'] }, { server: 'https://b.example/mcp' }, false],
    ['a path below', { servers: ['https://a.example/mcp'] }, { server: 'https://a.example/mcp/2' }, false],
    ['an unknown server', { servers: ['https://a.example/mcp'] }, {}, false],
    ['a server, where it names none', { servers: [] }, { server: 'https://a.example/mcp' }, false],
    ['any server, where it says nothing', {}, { server: 'https://b.example/mcp' }, true],
  ])('resolves for %s: %#', async (_, options, asking, resolves) => {
    const registry = memoryRegistry();
    const handle = await registry.add(file, options);
    if (resolves) expect(await registry.resolve(handle, asking)).toBe(file);
    else expect(await refusal(registry.resolve(handle, asking))).toMatchObject({ code: 'argument_invalid' });
    expect(await registry.findByName!('hi.txt', asking)).toBe(resolves ? file : undefined);
  });

  it('refuses unknown, foreign, expired and removed handles in the same words', async () => {
    let now = 1000;
    const registry = memoryRegistry({ now: () => now });
    const scoped = await registry.add(file, { scope: 'a' });
    const expired = await registry.add(file, { expiresIn: 500 });
    const removed = await registry.add(file);
    const elsewhere = await registry.add(file, { servers: ['https://a.example'] });
    await registry.remove(removed);
    await registry.remove('mcpfile_never');
    expect(await registry.resolve(expired)).toBe(file);
    now += 500;
    const refusals = await Promise.all(
      [newHandle(), scoped, expired, removed, elsewhere, 'deck.pdf', ''].map(handle =>
        refusal(registry.resolve(handle)),
      ),
    );
    expect(refusals[0]).toMatchObject({ code: 'argument_invalid' });
    for (const other of refusals) expect(other).toEqual(refusals[0]);
    for (const handle of [scoped, expired, removed]) expect(refusals[0]!.message).not.toContain(handle);
  });

  it('lets go of what has expired, by its own life or the registry’s', async () => {
    let now = 0;
    const registry = memoryRegistry({ expiresIn: 100, now: () => now });
    const usual = await registry.add(file);
    const long = await registry.add(file, { expiresIn: 1000 });
    const gone = await registry.add(file, { expiresIn: 0 });
    await refusal(registry.resolve(gone));
    now = 99;
    expect(await registry.resolve(usual)).toBe(file);
    now = 100;
    await refusal(registry.resolve(usual));
    expect(await registry.resolve(long)).toBe(file);
    // The clock goes back: what was swept is gone all the same.
    await registry.add(file);
    now = 0;
    await refusal(registry.resolve(usual));
  });

  it('finds the newest of the files of a name', async () => {
    const registry = memoryRegistry();
    const newer = fromBytes('newer', { name: 'hi.txt' });
    await registry.add(file);
    await registry.add(newer);
    await registry.add(fromBytes('other', { name: 'hi.txt' }), { scope: 'b' });
    expect(await registry.findByName!('hi.txt')).toBe(newer);
    expect(await registry.findByName!('HI.txt')).toBeUndefined();
  });

  it.each([
    ['a path', 'deck.pdf', {}],
    ['nothing', undefined, {}],
    ['bare bytes', new Uint8Array(3), {}],
    ['a life below zero', file, { expiresIn: -1 }],
    ['a life that is no number', file, { expiresIn: Number.NaN }],
    ['a scope that is no string', file, { scope: 7 }],
    ['a server that is no list', file, { servers: 'https://a.example' }],
    ['servers that are no strings', file, { servers: [new URL('https://a.example')] }],
  ])('refuses %s', async (_, given, options) => {
    expect(await refusal(memoryRegistry().add(given as never, options as never))).toMatchObject({
      code: 'argument_invalid',
    });
  });

  it('opens no file before it is sent', async () => {
    const registry = memoryRegistry();
    const source = fromPath('/nowhere/at/all.pdf');
    expect(await registry.resolve(await registry.add(source))).toBe(source);
  });
});
