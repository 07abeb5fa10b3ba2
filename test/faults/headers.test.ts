import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { ENGINES, fails, MODES, type Mode, succeeds } from './support/world.js';

const modes = Object.keys(MODES) as Mode[];
const file = fromBytes('content', { name: 'a.txt' });
let server: Storage;
beforeEach(async () => {
  server = await storage();
});
afterEach(() => server.close());

/** What the server says as `headers` of the target. */
const target = (mode: Mode, headers: Record<string, unknown>) => () => ({ ...MODES[mode], headers });

/** The refusal comes before any file and any credential leaves: the storage sees no connection. */
async function refused(mode: Mode, headers: Record<string, unknown>, engine: (typeof ENGINES)[number]) {
  const files = [fromBytes('other', { name: 'other.txt' }), file];
  const setup = (index: number) => (index === 0 ? {} : target(mode, headers)());
  // One after the other: the first would have arrived before the second is looked at.
  const options = { concurrency: 1 };
  const { error, code, details, pointer } = await fails({ engine, files, storage: server, target: setup, options });
  expect(server.connections).toBe(0);
  expect([code, pointer]).toEqual(['target_refused', '/assets/1']);
  expect(details).toMatchObject({ reason: 'header_forbidden' });
  for (const value of Object.values(headers)) {
    if (String(value).length > 5) expect(`${error.message} ${JSON.stringify(details)}`).not.toContain(String(value));
  }
}

describe.each(ENGINES)('a target that sets a header, by the %s engine', engine => {
  it.each<[what: string, headers: Record<string, unknown>]>([
    ['CR LF in a value', { 'x-a': 'one\r\nContent-Length: 0\r\n\r\nDELETE / HTTP/1.1' }],
    ['a lone LF in a value', { 'x-a': 'one\nx-b: two' }],
    ['a lone CR in a value', { 'x-a': 'one\rx-b: two' }],
    ['NUL in a value', { 'x-a': 'one\0two-three' }],
    ['a value beyond one byte', { 'x-a': 'smile \u{1f600}' }],
    ['Host of another', { host: 'metadata.internal' }],
    ['Host of another port', { Host: '127.0.0.1:1' }],
    ['Content-Length, a byte short', { 'content-length': '6' }],
    ['Content-Length, a byte long', { 'content-length': '8' }],
    ['Content-Length, twice', { 'content-length': '7, 7' }],
    ['Content_Length, as gateways read it', { content_length: '6' }],
    ['a value of 100 KB', { 'x-large': 'x'.repeat(100_000) }],
    ['a name of 100 KB', { ['x'.repeat(100_000)]: 'large' }],
    ['a name with a space', { 'x a': 'value-of-it' }],
    ['a name with a space before the colon', { 'transfer-encoding ': 'chunked' }],
    ['a name with a colon', { 'x:a': 'value-of-it' }],
    ['a name with CR LF', { 'x\r\ny': 'value-of-it' }],
    ['an empty name', { '': 'value-of-it' }],
    ['the same name twice', { 'X-A': 'first-value', 'x-a': 'second-value' }],
    ['65 names', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`x-${index}`, '1']))],
  ])('%s is refused, and nothing is sent', async (_, headers) => {
    await refused('PUT', headers, engine);
  });

  it.each([
    ...['Transfer-Encoding', 'Connection', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer', 'Expect'],
    ...['Proxy-Authorization', 'Proxy-Connection', 'Cookie', 'Origin', 'Referer', 'Sec-Fetch-Site', 'Mcp-Session-Id'],
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'Forwarded', 'X-Forwarded-Host', 'X-Real-IP'],
    ...['Metadata', 'Metadata-Flavor'],
  ])('%s is refused, and nothing is sent', async name => {
    for (const mode of modes) await refused(mode, { [name]: 'some-value' }, engine);
  });

  it.each(modes)('its own Host and Content-Length reach the storage once, as HTTP needs them: %s', async mode => {
    const headers = { Host: new URL(server.origin).host, ...(mode === 'form' ? {} : { 'Content-Length': '7' }) };
    await succeeds({ engine, files: [file], storage: server, target: target(mode, headers) });
    const [request] = server.requests;
    const named = (name: string) => request!.headers.filter(([found]) => found.toLowerCase() === name);
    expect(named('host').map(([, value]) => value)).toEqual([headers.Host]);
    expect(named('content-length').map(([, value]) => value)).toEqual([String(request!.body.length)]);
  });

  it('a Content-Length that a signer took of the file alone is refused for a form around it', async () => {
    const { code, details, failures } = await fails({
      engine,
      files: [file],
      storage: server,
      target: target('form', { 'Content-Length': '7' }),
    });
    expect([code, details, failures]).toMatchObject(['target_refused', { reason: 'header_forbidden' }, undefined]);
    expect(server.requests).toEqual([]);
    expect(server.connections).toBe(0);
  });

  it('that is legal reaches the storage as given, its Authorization too', async () => {
    const headers = {
      Authorization: 'Bearer of-the-target',
      'x-ms-blob-type': 'BlockBlob',
      'Cache-Control': 'max-age=60',
      'If-None-Match': '*',
      'x-latin': 'caf\u00e9',
    };
    await succeeds({ engine, files: [file], storage: server, target: target('PUT', headers) });
    const [request] = server.requests;
    for (const [name, value] of Object.entries(headers)) expect(request!.header(name.toLowerCase())).toBe(value);
    expect(request!.header('content-type')).toBeUndefined();
  });

  it("of a form, Content-Type, is the form's own: the target's has no boundary", async () => {
    const headers = { 'Content-Type': 'multipart/form-data' };
    await succeeds({ engine, files: [file], storage: server, target: target('form', headers) });
    expect(server.requests[0]!.header('content-type')).toMatch(/^multipart\/form-data; *boundary=\S+$/);
  });
});
