import { afterEach, describe, expect, it, vi } from 'vitest';
import { rpcError, type Scripted, scripted } from '../resources/scripted.js';
import { FLAVOURS } from '../support/clients.js';
import { textsOf, watchOutput } from './everything.js';

/** Each of them must come out of nothing that a person or a log may see. */
const CANARY = {
  text: 'canary-of-the-text-4711-content',
  bytes: 'canary-of-the-bytes-4712-content',
  metadata: 'canary-of-the-metadata-4713',
  query: 'canaryOfTheQuery4714',
  variable: 'canary-of-the-variable-4715',
};
const URI = `x://host/path?sig=${CANARY.query}#${CANARY.query}`;

let host: Scripted | undefined;
afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
});

function leaksIn(...values: unknown[]): string[] {
  const texts = values.flatMap(textsOf);
  const spellings = Object.entries(CANARY).flatMap(([name, canary]) => [
    [name, canary],
    [name, Buffer.from(canary).toString('base64').slice(0, 24)],
  ]);
  return spellings.filter(([, canary]) => texts.some(text => text.includes(canary!))).map(([name]) => name!);
}

/** A server that quotes all it was given, in its message and in its data. */
const quoting = (code: number) => (_: string, params: object) => {
  throw rpcError(code, `cannot take ${JSON.stringify(params)}`, { given: params, text: JSON.stringify(params) });
};

describe.each(FLAVOURS)('%s: no resource shows in an error or a log', flavour => {
  it.each<[string, number, (scripted: Scripted) => Promise<unknown>]>([
    [
      'resource_rejected',
      -32602,
      h => h.files.resources.create({ name: 'a', content: CANARY.text, metadata: { key: CANARY.metadata } }),
    ],
    [
      'resource_storage_failed',
      -32000,
      h =>
        h.files.resources.create({
          name: 'a',
          content: Buffer.from(CANARY.bytes),
          metadata: { deep: [{ key: CANARY.metadata }] },
        }),
    ],
    ['resource_forbidden', -32003, h => h.files.resources.delete(URI)],
    ['resource_not_found', -32602, h => h.files.resources.read(URI)],
    ['resource_unsupported', -32601, h => h.files.resources.read(URI)],
    ['argument_invalid', 0, h => h.files.resources.create({ name: 'a', content: `${CANARY.text}\uD800` })],
    [
      'argument_invalid',
      0,
      h => h.files.resources.create({ name: 'a', content: CANARY.text, metadata: { ttl: CANARY.metadata as never } }),
    ],
    ['argument_invalid', 0, h => h.files.resources.create({ name: 'a', content: CANARY.text, encoding: 'base64' })],
    ['argument_invalid', 0, h => h.files.resources.expand('{x', { x: CANARY.variable })],
    ['argument_invalid', 0, h => h.files.resources.expand('{x}', { [CANARY.variable]: 'x' })],
    ['file_too_large', 0, h => h.files.resources.create({ name: 'a', content: CANARY.text }, { maxBytes: 1 })],
  ])('%s after %d', async (code, answered, act) => {
    const output = watchOutput();
    host = await scripted(flavour, quoting(answered));
    const error = await act(host).catch((thrown: unknown) => thrown);
    output.end();
    expect(error).toMatchObject({ name: 'FilesError', code });
    expect(leaksIn(error, host.log, output.texts)).toEqual([]);
  });

  it.each([
    ['server_violation', { contents: [] }],
    ['server_violation', { contents: [{ uri: URI, blob: `!${CANARY.bytes}` }] }],
    ['server_violation', { contents: [{ uri: URI, [CANARY.text]: CANARY.text }] }],
    ['download_too_large', { contents: [{ uri: URI, text: CANARY.text }] }],
  ])('%s of an answer', async (code, result) => {
    const maxBytes = code === 'download_too_large' ? { maxBytes: 5 } : {};
    host = await scripted(flavour, () => result);
    const error = await host.files.resources.read(URI, maxBytes).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(leaksIn(error, host.log)).toEqual([]);
  });

  it('nothing of what goes well', async () => {
    host = await scripted(flavour, method =>
      method === 'resources/read'
        ? {
            contents: [
              { uri: URI, text: CANARY.text, mimeType: `${CANARY.text}!`, annotations: { priority: CANARY.metadata } },
            ],
          }
        : { uri: URI, createdAt: CANARY.metadata },
    );
    const { resources } = host.files;
    await resources.create({ name: 'a', content: CANARY.text, metadata: { key: CANARY.metadata } });
    await resources.read(URI);
    await resources.delete(URI);
    if (flavour !== 'v2 modern') await (await resources.subscribe(URI, vi.fn())).unsubscribe();
    resources.notify({ method: 'notifications/resources/updated', params: { uri: URI } });
    expect(host.log.length).toBeGreaterThan(5);
    expect(leaksIn(host.log)).toEqual([]);
  });
});
