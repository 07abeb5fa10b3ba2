import { describe, expect, it } from 'vitest';
import { fromBytes, memoryRegistry, resultForModel } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { cleanUps, returning } from '../support/returned.js';
import { done } from '../support/scripted-server.js';

const EXTENSION = 'io.modelcontextprotocol/files';
const cleanUp = cleanUps();

const text = (...texts: string[]): object[] => texts.map(each => ({ type: 'text', text: each }));
const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');
const PIXELS = 'not really pixels';
const IMAGE = { type: 'image', data: base64(PIXELS), mimeType: 'image/png' };
const SIGNED = 'https://dl.example.net/bucket/r.pdf?X-Sig=a1b2c3d4e5f6g7h8&x=1';

describe('a plain result for the model', () => {
  it('keeps what is a text, and everything that is no file', async () => {
    const given = {
      content: [...text('hello', 'see https://example.com/page?id=3 and data: none'), { type: 'other', value: 3 }],
      structuredContent: { n: 1, list: [null, true, 'x'], nested: { uri: 'demo://thing/1' } },
      isError: true,
      _meta: { 'example.com/x': 'y' },
      more: 'kept',
    };
    const before = structuredClone(given);
    expect(await resultForModel(given)).toEqual(before);
    expect(given).toEqual(before);
  });

  it.each<[string, object, string | RegExp, string | undefined]>([
    ['an image', IMAGE, 'File "image.png" (image/png, 17 bytes)', PIXELS],
    [
      'a sound',
      { type: 'audio', data: base64('la la'), mimeType: 'audio/wav' },
      /^File "audio\.\w+" \(audio\/wav, 5 bytes\)$/,
      'la la',
    ],
    [
      'a blob',
      { type: 'resource', resource: { uri: 'file:///tmp/a.zip', mimeType: 'application/zip', blob: base64('zip') } },
      'File "a.zip" (application/zip, 3 bytes)',
      'zip',
    ],
    [
      'a link',
      {
        type: 'resource_link',
        uri: 'demo://reports/q1.pdf',
        name: 'q1/report.pdf',
        mimeType: 'application/pdf',
        size: 9,
      },
      'File "q1/report.pdf" (application/pdf, 9 bytes)',
      undefined,
    ],
    ['a file', { type: 'file', file: { uri: SIGNED, name: '../../r.pdf' } }, 'File "r.pdf"', undefined],
    [
      'a data URI',
      { type: 'file', file: { uri: `data:text/csv;base64,${base64('a,b')}`, name: 'a.csv' } },
      /^File "a.csv" \(text\/csv, 3 bytes\)$/,
      'a,b',
    ],
    ['an image of no type', { type: 'image', data: base64(PIXELS) }, '[file content removed]', undefined],
    ['a link without an address', { type: 'resource_link', name: 'x' }, '[file content removed]', undefined],
  ])('has one line in place of %s', async (_, item, line, content) => {
    const content0 = text('before')[0]!;
    const given = { content: [content0, { ...item, annotations: { audience: ['user'] } }, content0] };
    const plain = await resultForModel(given);
    expect(plain).toEqual({
      content: [
        content0,
        {
          type: 'text',
          text: typeof line === 'string' ? line : expect.stringMatching(line),
          annotations: { audience: ['user'] },
        },
        content0,
      ],
    });

    const registry = memoryRegistry();
    const shown: any = (await resultForModel(given, { registry, scope: 's' })).content[1];
    const [handle] = /mcpfile_\w+/.exec(shown.text) ?? [];
    if (content === undefined) expect(handle).toBeUndefined();
    else {
      const file: any = await registry.resolve(handle!, { scope: 's' });
      const planned = await file[Symbol.for('mcp-files-client.source')](new AbortController().signal);
      expect(Buffer.from(await planned.bytes(new AbortController().signal)).toString()).toBe(content);
      await expect(registry.resolve(handle!)).rejects.toMatchObject({ code: 'argument_invalid' });
    }
  });

  it('keeps the text of an embedded resource, with a line that names it', async () => {
    const resource = { uri: 'https://x.example/notes.md?token=abc', mimeType: 'text/markdown', text: '# Notes' };
    expect(await resultForModel({ content: [{ type: 'resource', resource }] })).toEqual({
      content: text('File "notes.md" (text/markdown, 7 bytes)', '# Notes'),
    });
  });

  it('counts a file once that is told of in several ways, and hides it in all', async () => {
    const registry = memoryRegistry();
    const given = {
      content: [IMAGE, ...text(JSON.stringify({ shot: IMAGE })), IMAGE],
      structuredContent: { shot: IMAGE, shots: [IMAGE], note: `it is ${IMAGE.data}` },
    };
    const shown: any = await resultForModel(given, { registry });
    const file = { name: 'image.png', mimeType: 'image/png', size: 17, handle: expect.stringMatching(/^mcpfile_/) };
    expect(shown.content).toHaveLength(2);
    expect(shown.content[0].text).toContain(shown.structuredContent.shot.handle);
    expect(shown.structuredContent).toEqual({ shot: file, shots: [file], note: 'it is [removed]' });
    expect(shown.structuredContent.shots[0].handle).toBe(shown.structuredContent.shot.handle);
    expect(JSON.stringify(shown)).not.toContain(IMAGE.data.slice(0, 12));
  });

  it('takes the list of returned files out of `_meta`, and their addresses out of every text', async () => {
    const target = {
      name: 'out/report.pdf',
      mimeType: 'application/pdf',
      size: 252001,
      url: SIGNED,
      headers: { authorization: 'Bearer abcdef0123456789', 'content-type': 'application/octet-stream' },
    };
    const escaped = SIGNED.replaceAll('&', '&amp;');
    const given = {
      content: text(
        `Get it at ${SIGNED}.`,
        `<a href="${escaped}">here</a> or [here](${SIGNED}), application/octet-stream`,
        JSON.stringify({ url: SIGNED }).replaceAll('/', '\\/'),
        `https://redirect.example/?to=${encodeURIComponent(SIGNED)}`,
        'The token is abcdef0123456789; the signature a1b2c3d4e5f6g7h8.',
      ),
      structuredContent: { [SIGNED]: [{ href: SIGNED.toUpperCase() }] },
      _meta: { [EXTENSION]: { downloads: [target] } },
    };
    const shown = await resultForModel(given, { registry: memoryRegistry() });
    expect(shown).toEqual({
      content: text(
        'Get it at [address removed]',
        '<a href="[address removed]">here</a> or [here]([address removed]), application/octet-stream',
        '{"url":"[address removed]"}',
        'https://redirect.example/?to=[address removed]',
        'The token is [removed]; the signature [removed]',
        'File "out/report.pdf" (application/pdf, 252001 bytes)',
      ),
      structuredContent: { '[address removed]': [{ href: '[address removed]' }] },
    });
  });

  it('has a line for a file that only structuredContent has', async () => {
    const report = { uri: 'mcp-file://abc/1', name: 'r.csv', mimeType: 'text/csv', size: 4 };
    expect(await resultForModel({ content: text('ok, mcp-file://abc/1'), structuredContent: { report } })).toEqual({
      content: text('ok, [address removed]', 'File "r.csv" (text/csv, 4 bytes)'),
      structuredContent: { report: { name: 'r.csv', mimeType: 'text/csv', size: 4 } },
    });
  });

  it.each<[string, string, string]>([
    ['a data URI', `![x](data:image/png;base64,${base64(PIXELS)})`, '![x]([file content removed])'],
    ['one without base64', 'a data:text/plain,hello%20there b', 'a [file content removed] b'],
    ['one of no type', '"data:;base64,aGVsbG8="', '"[file content removed]"'],
    ['a run of base64', `x ${base64(Buffer.alloc(300, 'aB3x~'))} y`, 'x [file content removed] y'],
    ['base64 in lines', `${`${'aB3x'.repeat(19)}\n`.repeat(4)}aB3x==\nEnd`, '[file content removed]\nEnd'],
    ['a short one: a checksum, an id', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', ''],
    ['a sequence of few letters', 'ACGT'.repeat(200), ''],
    ['a text about data: and URIs', 'data: a/b, c; see RFC 2397, data:,', ''],
    ['an address of SEP-2631', '"mcp-file:abc/1?x=2", gone', '"[address removed]", gone'],
    ['an address of something else', 'https://example.com/x?sig=abcdefghijklmnop', ''],
  ])('reads a text for bytes: %s', async (_, given, expected) => {
    expect(await resultForModel({ content: text(given) })).toEqual({ content: text(expected || given) });
  });

  it('keeps no bytes of an echo of the arguments', async () => {
    const document = { name: 'a.txt', mimeType: 'text/plain', size: 5, data: 'aGVsbG8=' };
    const { structuredContent } = await resultForModel({ content: [], structuredContent: { document } });
    expect(structuredContent).toEqual({ document: { ...document, data: '[file content removed]' } });
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a content that is no list', { content: 'x' }],
    ['items that are none', { content: [null, 7, 'x', []] }],
    ['a file list of something else', { content: [], files: [{ name: 'x' }, null], transfers: 7 }],
  ])('takes %s', async (_, given) => {
    const shown = await resultForModel(given as never);
    expect(Array.isArray(shown.content)).toBe(true);
    expect(shown).not.toHaveProperty('files');
    expect(shown).not.toHaveProperty('transfers');
  });

  it('takes a result of any depth', async () => {
    let value: object = {};
    for (let at = 0; at < 5000; at++) value = { a: value };
    const shown = await resultForModel({ content: [], structuredContent: value as never });
    expect(JSON.stringify(shown)).toContain('[…]');
  });

  it('says that a registry failed, and nothing of its words', async () => {
    const registry = {
      ...memoryRegistry(),
      add: () => Promise.reject(new Error('redis://user:hunter2@db')),
    };
    const error: any = await resultForModel({ content: [IMAGE] }, { registry }).catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'file_unreadable', outcome: 'completed' });
    expect(String(error.stack)).not.toContain('hunter2');
  });
});

describe.each(FLAVOURS)('a result of callToolWithFiles on %s', flavour => {
  it('gives a handle for each file, which goes into the next call', async () => {
    const target = (origin: string) => ({
      name: 'out/report.txt',
      mimeType: 'text/plain',
      size: 7,
      url: `${origin}/r?sig=a1b2c3d4e5f6g7h8`,
      headers: { 'x-token': 'secret-0123456789' },
    });
    const { server, host } = await returning(cleanUp, flavour, () => [], {
      onCall: (_, index) =>
        index === 0
          ? done('made')
          : done(`at ${server.origin}/r?sig=a1b2c3d4e5f6g7h8 with secret-0123456789`, {
              structuredContent: { url: `${server.origin}/r?sig=other`, path: 'files/9?sig=1' },
              _meta: {
                [EXTENSION]: { downloads: [target(server.origin), { name: 'b.bin', path: 'files/9?sig=1' }] },
                'example.com/trace': `${server.origin}/mcp/files/9?sig=1`,
              },
            }),
    });
    const call = { name: 'publish', arguments: { site: 's' } };
    const result = await host.files.callToolWithFiles(call);
    const shown: any = await resultForModel(result, { registry: host.files.registry, scope: 'chat' });
    expect(shown).toEqual({
      content: text(
        'at [address removed] with [removed]',
        expect.stringMatching(
          /^File "out\/report\.txt" \(text\/plain, 7 bytes\), handle mcpfile_[a-z2-7]{26}$/,
        ) as never,
        expect.stringMatching(/^File "b\.bin", handle mcpfile_[a-z2-7]{26}$/) as never,
      ),
      structuredContent: { url: '[address removed]', path: '[removed]?sig=1' },
      _meta: { 'example.com/trace': '[address removed]' },
    });
    expect(await resultForModel(result)).not.toEqual(shown);

    const [handle] = /mcpfile_\w+/.exec(shown.content[1].text)!;
    await host.files.callToolWithFiles({ ...call, arguments: { site: 's', deck: handle } }, { scope: 'chat' });
    expect((server.calls.at(-1)!.params.arguments as any).deck.data).toBe(base64('content'));
  });

  it('gives inline files the handle of the file that download takes', async () => {
    const { host, server } = await returning(cleanUp, flavour, () => [], {
      onCall: () => done('shot', { content: [IMAGE, ...text(`again ${IMAGE.data}`)], structuredContent: { IMAGE } }),
    });
    const result = await host.files.callToolWithFiles({
      name: 'publish',
      arguments: { site: 's', deck: fromBytes('x', { name: 'x' }) },
    });
    const registry = host.files.registry;
    const shown: any = await resultForModel(result, { registry });
    const { handle } = shown.structuredContent.IMAGE;
    expect(shown.content).toEqual(text(`File "image.png" (image/png, 17 bytes), handle ${handle}`, 'again [removed]'));
    expect(await registry.resolve(handle)).toBe(result.files[0]);
    expect(server.calls).toHaveLength(2);
  });
});
