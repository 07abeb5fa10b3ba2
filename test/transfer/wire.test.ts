import { afterEach, describe, expect, it } from 'vitest';
import { fromBytes } from '../../src/source/from-bytes.js';
import { fromStream } from '../../src/source/from-stream.js';
import { type Storage, storage } from './support/server.js';
import { closeEngines, engine, send } from './support/upload.js';

let server: Storage;

afterEach(async () => {
  await closeEngines();
  await server.close();
});

describe('the request on the wire', () => {
  it('has the headers of the target, its length, and what HTTP needs, and nothing else', async () => {
    server = await storage();
    const headers = [
      ['x-ms-blob-type', 'BlockBlob'],
      ['Authorization', 'Bearer of-the-target'],
    ] as const;
    await send(engine(), server.origin, { target: { headers }, credentialHeaders: [['X-Host', 'yes']] });
    const [request] = server.requests;
    expect(request!.headers).toEqual([
      ['host', `127.0.0.1:${server.port}`],
      ['connection', 'keep-alive'],
      ['x-ms-blob-type', 'BlockBlob'],
      ['Authorization', 'Bearer of-the-target'],
      ['X-Host', 'yes'],
      ['content-length', '7'],
    ]);
    expect(request!.body.toString()).toBe('content');
  });

  it.each([
    ["/it's/a/../k/./%2F/x+y//z?sig=a+b%20c&q='~(*)&=&&e=%zz"],
    ['/?X-Amz-Credential=AKID/2026/eu&X-Amz-Signature=ab%2Bc'],
    ['/a;b=c/d@e:f!$,?'],
  ])('has the path and the query as they were given: %s', async requestPath => {
    server = await storage();
    await send(engine(), server.origin, { target: { requestPath } });
    expect(server.requests[0]!.line).toBe(`PUT ${requestPath} HTTP/1.1`);
  });

  it.each([0, 1, 65_535, 1024 * 1024, 1024 * 1024 + 1, 5_000_000])(
    'has %i bytes, exactly and unchunked',
    async size => {
      server = await storage();
      const content = Buffer.alloc(size, 'abcdefghijk');
      const receipt = await send(engine(), server.origin, { file: content });
      const [request] = server.requests;
      expect(receipt).toMatchObject({ status: 200, bytes: size });
      expect(request!.header('content-length')).toBe(String(size));
      expect(request!.header('transfer-encoding')).toBeUndefined();
      expect(request!.body.equals(content)).toBe(true);
    },
  );

  it('sends the length of a stream, and no type of the file that the target did not ask for', async () => {
    server = await storage();
    async function* parts() {
      yield Buffer.from('one ');
      yield Buffer.from('');
      yield Buffer.from('two');
    }
    const file = fromStream(parts, { name: 'a.json', size: 7, type: 'application/json' });
    await send(engine(), server.origin, { file, target: { method: 'POST' } });
    expect(server.requests[0]!.line).toMatch(/^POST /);
    expect(server.requests[0]!.header('content-length')).toBe('7');
    expect(server.requests[0]!.header('content-type')).toBeUndefined();
    expect(server.requests[0]!.body.toString()).toBe('one two');
  });

  it("sends the target's own Content-Type with a raw body", async () => {
    server = await storage();
    const headers = [['Content-Type', 'application/octet-stream']] as const;
    await send(engine(), server.origin, { file: fromBytes('x', { name: 'x.txt' }), target: { headers } });
    expect(server.requests[0]!.header('content-type')).toBe('application/octet-stream');
  });

  it('counts the bytes of the file up to its size, never beyond', async () => {
    server = await storage();
    const seen: number[] = [];
    await send(engine(), server.origin, { file: Buffer.alloc(3 * 1024 * 1024 + 5), onSent: bytes => seen.push(bytes) });
    expect(seen).toEqual([1, 2, 3].map(n => n * 1024 * 1024).concat(3 * 1024 * 1024 + 5));
  });
});
