import { afterEach, describe, expect, it } from 'vitest';
import { createFetchEngine } from '../../../src/transfer/fetch-engine.js';
import { type Fetching, fetchFailure, fetchText } from '../support/download.js';
import { answer, type Storage, storage } from '../support/server.js';
import { closeEngines, engine, failure } from '../support/upload.js';

const servers: Storage[] = [];
const start = async (respond: Parameters<typeof storage>[0]) => {
  const server = await storage(respond);
  servers.push(server);
  return server;
};
const to = (location: string, status = 302): string => answer(status, 'moved', { Location: location });

afterEach(async () => {
  await closeEngines();
  for (const server of servers.splice(0)) await server.close();
});

const target = (requestPath: string): Fetching => ({ target: { requestPath, headers: [['x-own', 'secret']] } });

describe('a redirect of an omit target', () => {
  it.each([301, 302, 303, 307, 308])(
    'by %i is followed to another origin, without a header but Range',
    async status => {
      const second = await start(() => answer(206, 'tent', { 'Content-Range': 'bytes 3-6/7' }));
      const first = await start(() => to(`${second.origin}/b/../c?s='%2f#fragment`, status));
      const headers = [
        ['x-own', 'secret'],
        ['Range', 'bytes=3-'],
        ['Accept-Encoding', 'gzip'],
      ] as const;
      expect(await fetchText(engine(), first.origin, { target: { headers } })).toBe('tent');
      const { line, headers: sent } = second.requests[0]!;
      expect(line).toBe("GET /b/../c?s='%2f HTTP/1.1");
      expect(sent.map(([name, value]) => `${name.toLowerCase()}: ${value}`)).toEqual([
        `host: ${second.origin.replace('http://', '')}`,
        'connection: keep-alive',
        'Range: bytes=3-'.toLowerCase(),
        'accept-encoding: identity',
      ]);
    },
  );

  it.each([
    ["/abs?x='", "/abs?x='"],
    ['rel?y', '/dir/rel?y'],
    ['../up', '/up'],
    ['?only', '/dir/file?only'],
  ])('to %s of the same origin', async (location, path) => {
    const server = await start(({ line }) => (line.includes('/dir/file?sig') ? to(location) : answer(200, 'content')));
    expect(await fetchText(engine(), server.origin, target('/dir/file?sig=1'))).toBe('content');
    expect(server.requests[1]!.line).toBe(`GET ${path} HTTP/1.1`);
    expect(server.requests[1]!.header('x-own')).toBeUndefined();
  });

  it.each([5, 6])('at most five times: %i', async hops => {
    const server = await start(({ line }) => {
      const at = Number(/hop=(\d+)/.exec(line)?.[1]);
      return at === hops ? answer(200, 'content') : to(`/?hop=${at + 1}`);
    });
    const fetched = fetchText(engine(), server.origin, target('/?hop=0'));
    if (hops === 5) expect(await fetched).toBe('content');
    else expect(await failure(fetched)).toMatchObject({ details: { reason: 'too_many_redirects', status: 302 } });
    expect(server.requests).toHaveLength(6);
    expect(server.connections).toBe(1);
  });

  it.each([
    ['http://storage.example/x', 'insecure_scheme'],
    ['https://10.0.0.1/x', 'private_address'],
    ['https://[::ffff:169.254.169.254]/latest', 'private_address'],
    ['http://127.0.0.1:9/mcp', 'path_escape'],
    ['https://user:secret@storage.example/x', 'userinfo'],
    ['file:///etc/passwd', 'insecure_scheme'],
    ['//10.0.0.1/x', 'insecure_scheme'],
    ['\\\\evil.example/x', 'insecure_scheme'],
    ['https://storage.example/a b', 'url_malformed'],
    ['https://', 'url_malformed'],
  ])('to %s is refused by the policy', async (location, reason) => {
    const server = await start(() => to(location));
    const error = await failure(fetchText(engine(), server.origin));
    expect(error).toMatchObject({ code: 'target_refused', details: { reason } });
    expect(error.message).not.toContain('secret');
  });

  it('to a name that resolves to a private address is refused when the connection is made', async () => {
    const { makeGuardedLookup } = await import('../../../src/transfer/address-guard.js');
    const lookup = makeGuardedLookup({ policy: {} }, (_, __, answered) =>
      answered(null, [{ address: '10.0.0.8', family: 4 }]),
    );
    const server = await start(() => to('https://inner.example/x'));
    expect(await fetchFailure(engine({ lookup }), server.origin)).toMatchObject({
      code: 'target_refused',
      reason: 'private_address',
    });
  });

  it('that says nothing of where to is an error', async () => {
    const server = await start(() => answer(302));
    expect(await fetchFailure(engine(), server.origin)).toEqual({
      code: 'download_failed',
      reason: 'redirected',
      status: 302,
    });
  });

  it('is followed through fetch too, where fetch shows it', async () => {
    const second = await start(() => answer(200, 'content'));
    const first = await start(() => to(`${second.origin}/x`));
    expect(await fetchText(createFetchEngine(fetch), first.origin)).toBe('content');
    expect(second.requests[0]!.header('x-own')).toBeUndefined();
  });
});

it('no redirect of an include target is followed', async () => {
  const second = await start(() => answer(200, 'content'));
  const first = await start(() => to(second.origin));
  const how: Fetching = { target: { credentials: 'include' }, credentialHeaders: [['authorization', 'Bearer secret']] };
  expect(await fetchFailure(engine(), first.origin, how)).toEqual({
    code: 'download_failed',
    reason: 'redirected',
    status: 302,
  });
  expect(second.connections).toBe(0);
});
