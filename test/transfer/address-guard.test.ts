import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { connect } from 'node:net';
import { Agent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import { makeGuardedLookup, type Resolve } from '../../src/transfer/address-guard.js';
import type { AddressContext } from '../../src/transfer/address-rules.js';

interface Answer {
  readonly error: Error | null;
  readonly address: unknown;
  readonly family: unknown;
}

function ask(lookup: LookupFunction, hostname: string, options: object = { all: true }): Promise<Answer> {
  return new Promise(resolve => {
    lookup(hostname, options, (error, address, family) => resolve({ error, address, family }));
  });
}

/** Answers with each list in turn, the last one for ever; counts and keeps what it was asked. */
function resolverOf(...answers: (readonly string[] | Error)[]): Resolve & { readonly asked: [string, object][] } {
  const asked: [string, object][] = [];
  const resolve: Resolve = (hostname, options, callback) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push([hostname, options]);
    queueMicrotask(() => {
      if (answer instanceof Error) callback(answer, []);
      else
        callback(
          null,
          answer.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    });
  };
  return Object.assign(resolve, { asked });
}

function guard(resolve: Resolve, context: Partial<AddressContext> = {}): LookupFunction {
  return makeGuardedLookup({ policy: {}, ...context }, resolve);
}

describe('makeGuardedLookup', () => {
  it('hands out all addresses, or the first, as it is asked', async () => {
    const resolve = resolverOf(['8.8.8.8', '2606:4700::1']);
    expect(await ask(guard(resolve), 's.example', { all: true, family: 0, hints: 32 })).toMatchObject({
      error: null,
      address: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    });
    expect(await ask(guard(resolve), 's.example', { family: 4 })).toEqual({
      error: null,
      address: '8.8.8.8',
      family: 4,
    });
    expect(await ask(guard(resolve), 's.example', { all: false })).toEqual({
      error: null,
      address: '8.8.8.8',
      family: 4,
    });
    expect(resolve.asked).toEqual([
      ['s.example', { all: true, family: 0, hints: 32 }],
      ['s.example', { all: true, family: 4 }],
      ['s.example', { all: true }],
    ]);
  });

  it.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['::1']],
    [['169.254.169.254']],
    [['fd00:ec2::254']],
    [['fe80::1%eth0']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['0.0.0.0']],
    [['8.8.8.8', '10.0.0.1']],
    [['10.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '8.8.4.4', '::1']],
    [['not an address']],
    [['0x7f.1']],
  ])('refuses a name at %j', async addresses => {
    for (const options of [{ all: true }, { all: false }, { family: 4 }]) {
      const { error } = await ask(guard(resolverOf(addresses)), 's.example', options);
      if (!isFilesError(error)) throw new Error('expected a FilesError');
      expect(error).toMatchObject({
        code: 'target_refused',
        outcome: 'not_run',
        details: { reason: 'private_address', hostname: 's.example' },
      });
      expect(error.message).not.toContain(addresses.at(-1));
    }
  });

  it('judges every answer anew', async () => {
    const resolve = resolverOf(['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8']);
    const lookup = guard(resolve);
    expect((await ask(lookup, 's.example')).error).toBeNull();
    expect((await ask(lookup, 's.example')).error).toMatchObject({ code: 'target_refused' });
    expect((await ask(lookup, 's.example')).error).toBeNull();
    expect(resolve.asked).toHaveLength(3);
  });

  it.each<[context: Partial<AddressContext>, hostname: string, address: string, isAllowed: boolean]>([
    [{ serverUrl: 'https://mcp.corp.example/mcp' }, 'mcp.corp.example', '10.0.0.1', true],
    [{ serverUrl: 'https://mcp.corp.example/mcp' }, 'mcp.corp.example', '169.254.169.254', false],
    [{ serverUrl: 'https://mcp.corp.example/mcp' }, 'store.corp.example', '10.0.0.1', false],
    [{ canonicalUrl: 'https://mcp.corp.example/mcp' }, 'mcp.corp.example', '10.0.0.1', true],
    [{ serverUrl: 'http://localhost:3000/mcp' }, 'localhost', '127.0.0.1', true],
    [{ serverUrl: 'http://localhost:3000/mcp' }, 'localhost.', '::1', true],
    [{ serverUrl: 'http://localhost:3000/mcp' }, 'localhost', '10.0.0.1', false],
    [{ serverUrl: 'http://localhost:3000/mcp' }, 'localhost', '8.8.8.8', false],
    [{ serverUrl: 'http://localhost:3000/mcp' }, 'rebind.example', '127.0.0.1', false],
    [{ policy: { allowPrivateNetwork: true } }, 's.example', '10.0.0.1', true],
    [{ policy: { allowPrivateNetwork: true } }, 's.example', '100.100.100.200', false],
    [{ policy: { allowPrivateNetwork: ['10.0.0.0/8'] } }, 's.example', '10.0.0.1', true],
    [{ policy: { allowPrivateNetwork: ['10.0.0.0/8'] } }, 's.example', '192.168.0.1', false],
    [{ policy: { allowPrivateNetwork: ['s.example'] } }, 's.example', '192.168.0.1', true],
    [{ policy: { allowPrivateNetwork: ['s.example'] } }, 't.example', '192.168.0.1', false],
    [{ policy: { allowHosts: ['s.example'] } }, 's.example', '192.168.0.1', false],
  ])('%j: %s at %s: %s', async (context, hostname, address, isAllowed) => {
    const { error } = await ask(guard(resolverOf([address]), context), hostname);
    expect(error === null).toBe(isAllowed);
  });

  it('passes on what the resolver failed with, and calls an empty answer not found', async () => {
    const failure = Object.assign(new Error('x'), { code: 'EAI_AGAIN' });
    expect((await ask(guard(resolverOf(failure)), 's.example')).error).toBe(failure);
    expect((await ask(guard(resolverOf([])), 's.example')).error).toMatchObject({ code: 'ENOTFOUND' });
  });

  it("uses the system's resolver", async () => {
    const local = makeGuardedLookup({ policy: { allowHttp: 'loopback' } });
    expect(await ask(local, 'localhost', { family: 4 })).toEqual({ error: null, address: '127.0.0.1', family: 4 });
    const strict = makeGuardedLookup({ policy: {} });
    expect((await ask(strict, 'localhost', { family: 4 })).error).toMatchObject({ code: 'target_refused' });
  });
});

describe('on real sockets', () => {
  const servers: Server[] = [];
  const agents: Agent[] = [];

  afterEach(async () => {
    await Promise.all(agents.splice(0).map(agent => agent.destroy()));
    await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
  });

  async function listen(): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end('arrived'));
    });
    server.on('connection', () => connections++);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, connections: () => connections };
  }

  function send(lookup: LookupFunction, origin: string): Promise<string> {
    const agent = new Agent({ connect: { lookup, timeout: 5000 } });
    agents.push(agent);
    return agent.request({ origin, path: '/k', method: 'PUT', body: 'x' }).then(({ body }) => body.text());
  }

  const onlyLocal = { policy: { allowPrivateNetwork: ['127.0.0.1/32'] } };

  it('connects to the address that was checked, whatever a second answer would be', async () => {
    const { port, connections } = await listen();
    const resolve = resolverOf(['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']);
    const lookup = guard(resolve, onlyLocal);
    expect(await send(lookup, `http://rebind.example:${port}`)).toBe('arrived');
    expect(resolve.asked).toHaveLength(1);
    // A new connection asks again, and is judged again.
    await expect(send(lookup, `http://rebind.example:${port}`)).rejects.toMatchObject({
      code: 'target_refused',
      details: { reason: 'private_address', hostname: 'rebind.example' },
    });
    expect(connections()).toBe(1);
    expect(await send(lookup, `http://rebind.example:${port}`)).toBe('arrived');
    expect(resolve.asked).toHaveLength(3);
    expect(connections()).toBe(2);
  });

  it('connects nowhere when one of several addresses is refused', async () => {
    const { port, connections } = await listen();
    for (const answer of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
    ]) {
      const lookup = guard(resolverOf(answer), onlyLocal);
      await expect(send(lookup, `http://mixed.example:${port}`)).rejects.toSatisfy(isFilesError);
    }
    expect(connections()).toBe(0);
  });

  it('tries the next checked address when the first does not answer', async () => {
    const { port, connections } = await listen();
    const lookup = guard(resolverOf(['::1', '127.0.0.1']), { policy: { allowPrivateNetwork: true } });
    expect(await send(lookup, `http://two.example:${port}`)).toBe('arrived');
    expect(connections()).toBe(1);
  });

  it('carries the refusal through net.connect in both of its ways', async () => {
    for (const autoSelectFamily of [true, false]) {
      const socket = connect({ host: 's.example', port: 9, autoSelectFamily, lookup: guard(resolverOf(['10.0.0.1'])) });
      const [error] = await once(socket, 'error').catch((reason: unknown) => [reason]);
      expect(error).toMatchObject({ code: 'target_refused' });
    }
  });

  it('is not asked about a literal, which is why checkTarget judges those', async () => {
    const { port } = await listen();
    const resolve = resolverOf(['10.0.0.1']);
    expect(await send(guard(resolve), `http://127.0.0.1:${port}`)).toBe('arrived');
    expect(resolve.asked).toEqual([]);
  });
});
