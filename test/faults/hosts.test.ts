import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FilesClientOptions, fromBytes } from '../../src/index.js';
import { cert, key } from '../transfer/support/certificate.js';
import { answer } from '../transfer/support/server.js';
import { call, ENGINES, type EngineName, fails, succeeds } from './support/world.js';

/** What names resolve to, one answer after the other; the last one stays. All that is not named is on loopback. */
const resolver = vi.hoisted(() => ({ answers: new Map<string, string[][]>(), asked: [] as string[] }));

vi.mock('node:dns', async importOriginal => {
  const lookup = (name: string, _options: object, callback: (error: null, addresses: object[]) => void) => {
    resolver.asked.push(name);
    const answers = resolver.answers.get(name) ?? [['127.0.0.1']];
    const found = answers.length > 1 ? answers.shift()! : answers[0]!;
    const addresses = found.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, addresses));
  };
  return { ...(await importOriginal<object>()), lookup };
});

const file = fromBytes('content', { name: 'a.txt' });
/** As a host far from its server: nothing on loopback is its own. */
const FAR = { serverUrl: 'https://mcp.example.com/mcp' };

/** A storage on every loopback address that the tests name. Nothing may connect to it, unless a test says so. */
let listeners: Server[];
let sockets: Set<Socket>;
let port: number;
let connections: string[];

beforeEach(async () => {
  listeners = [];
  sockets = new Set();
  connections = [];
  resolver.answers.clear();
  resolver.asked.length = 0;
  port = 0;
  for (const address of ['127.0.0.1', '127.0.0.2', '::1']) {
    const listener = createTlsServer({ cert, key }, socket => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(answer(200, '', { Connection: 'close' })));
    });
    listener.on('tlsClientError', () => {});
    listener.on('connection', socket => {
      connections.push(address);
      sockets.add(socket);
    });
    listener.listen(port, address);
    // Not every machine has them all; what is tested is that nobody is reached.
    const isListening = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    if (!isListening) continue;
    ({ port } = listener.address() as AddressInfo);
    listeners.push(listener);
  }
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const listener of listeners) listener.close();
});

/** The call is refused for this reason, and nobody was called or asked for an address. */
async function refused(url: string, reason: string, options: FilesClientOptions = {}, engine?: EngineName) {
  let fetched = 0;
  const fetch = async () => {
    fetched++;
    return new Response();
  };
  const { code, details, pointer, error, failures } = await fails({
    files: [file],
    target: () => ({ url }),
    options: { ...FAR, ...(engine === 'fetch' && { fetch }), ...options },
  });
  expect([code, details?.reason, pointer, failures]).toEqual(['target_refused', reason, '/assets/0', undefined]);
  expect(connections).toEqual([]);
  expect(fetched).toBe(0);
  return error;
}

const HOSTS: ReadonlyArray<[url: string, reason: string]> = [
  // Plain http to a public host.
  ['http://storage.example.com:PORT/put', 'insecure_scheme'],
  ['http://192.0.2.1:PORT/put', 'insecure_scheme'],
  ['HTTP://storage.example.com/put', 'insecure_scheme'],
  ['ftp://127.0.0.1:PORT/put', 'insecure_scheme'],
  ['http://127.0.0.1:PORT/put', 'insecure_scheme'],
  // Userinfo.
  ['https://user@127.0.0.1:PORT/put', 'userinfo'],
  ['https://user:SECRET@storage.example.com:PORT/put', 'userinfo'],
  ['https://storage.example.com@127.0.0.1:PORT/put', 'userinfo'],
  ['https://@127.0.0.1:PORT/put', 'userinfo'],
  // 127.0.0.1 in every spelling.
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f000001',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
  ].map((host): [string, string] => [`https://${host}:PORT/put`, 'private_address']),
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ].map((host): [string, string] => [`https://${host}:PORT/put`, 'private_address']),
  ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'a.localhost.'].map((host): [string, string] => [
    `https://${host}:PORT/put`,
    'private_address',
  ]),
  // Other addresses that are not public.
  ...[
    '0.0.0.0',
    '[::]',
    '127.0.0.2',
    '10.0.0.8',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '[fe80::1]',
    '[fd00::1]',
  ].map((host): [string, string] => [`https://${host}:PORT/put`, 'private_address']),
  ...[
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
  ].map((host): [string, string] => [`https://${host}/latest/meta-data/`, 'private_address']),
  // Look-alikes of IDN, and what a URL parser would make an address of.
  ...[
    'l\u043ecalhost',
    '\u24dbocalhost',
    '\uff11\uff12\uff17.0.0.1',
    '127\u30020.0.1',
    '%31%32%37.0.0.1',
    'b\u00fccher.example',
  ].map((host): [string, string] => [`https://${host}:PORT/put`, 'url_malformed']),
  ['https://localhost..:PORT/put', 'url_malformed'],
  ['https:\\\\127.0.0.1:PORT\\put', 'url_malformed'],
  ['https:127.0.0.1:PORT/put', 'url_malformed'],
  ['//127.0.0.1:PORT/put', 'url_malformed'],
];

describe.each(ENGINES)('a target, by the %s engine,', engine => {
  it.each(HOSTS)('at %s is refused: %s', async (url, reason) => {
    await refused(url.replace('PORT', String(port)), reason, {}, engine);
    expect(resolver.asked).toEqual([]);
  });

  it.each(['xn--pple-43d.example', 'apple.example.evil.test', 'notapple.example', 'apple.example.'])(
    'at %s is refused where the host allows apple.example only',
    async host => {
      const options = { policy: { allowHosts: ['apple.example'] } };
      // One trailing dot is the same name, which stands for another address here.
      resolver.answers.set(host, [['10.0.0.8']]);
      const isSame = host === 'apple.example.';
      if (isSame && engine === 'fetch') return;
      await refused(`https://${host}:${port}/put`, isSame ? 'private_address' : 'host_denied', options, engine);
      expect(resolver.asked).toEqual(isSame ? [host] : []);
    },
  );
});

it.each(['127.1', '0x7f000001', '2130706433', '127.0.0.1.'])(
  '%s would have reached the listener: it does where the host allows that network',
  async host => {
    const options = { ...FAR, tls: { ca: cert }, policy: { allowPrivateNetwork: ['127.0.0.1/32'] } };
    const target = () => ({ url: `https://${host}:${port}/put` });
    await succeeds({ files: [file], target, options });
    expect(connections).toEqual(['127.0.0.1']);
  },
);

describe('a name', () => {
  const to = (...answers: string[][]) => resolver.answers.set('storage.test', answers);
  const url = () => `https://storage.test:${port}/put`;
  const trusting = { ...FAR, tls: { ca: cert } };

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['10.0.0.8']],
    [['169.254.169.254']],
    [['100.100.100.200']],
    [['fd00:ec2::254']],
    [['0.0.0.0']],
    [['192.0.2.1', '127.0.0.1']],
    [['127.0.0.1', '192.0.2.1']],
  ])('that resolves to %j is refused when it is connected to, and not asked for again', async addresses => {
    to(addresses);
    const error = await refused(url(), 'private_address', trusting);
    expect(error.message).toContain('storage.test');
    expect(resolver.asked).toEqual(['storage.test']);
  });

  it.each([[['127.0.0.1', '127.0.0.2']], [['127.0.0.2', '127.0.0.1']]])(
    'that resolves to %j is refused though the first or the last of them is allowed',
    async addresses => {
      to(addresses);
      const options = { ...trusting, policy: { allowPrivateNetwork: ['127.0.0.1/32'] } };
      await refused(url(), 'private_address', options);
    },
  );

  it('of a metadata service is refused by what it resolves to', async () => {
    resolver.answers.set('metadata.google.internal', [['169.254.169.254']]);
    await refused('https://metadata.google.internal/computeMetadata/v1/', 'private_address');
  });

  it('that resolves differently the second time goes to the address that was checked', async () => {
    to(['127.0.0.1'], ['127.0.0.2']);
    const options = { ...trusting, policy: { allowPrivateNetwork: ['127.0.0.1/32'] } };
    await succeeds({ files: [file], target: () => ({ url: url() }), options });
    expect(resolver.asked).toEqual(['storage.test']);
    expect(connections).toEqual(['127.0.0.1']);
  });

  it('and is judged anew for the next connection', async () => {
    to(['127.0.0.1'], ['127.0.0.2']);
    const options = { ...trusting, policy: { allowPrivateNetwork: ['127.0.0.1/32'] } };
    const { error, calls } = await call({ files: [file], target: () => ({ url: url() }), options, times: 2 });
    expect(error).toMatchObject({ code: 'target_refused', outcome: 'not_run', details: { reason: 'private_address' } });
    expect(calls).toHaveLength(3); // two for the first, the first leg of the second
    expect(resolver.asked).toEqual(['storage.test', 'storage.test']);
    expect(connections).toEqual(['127.0.0.1']);
  });

  it('localhost goes to loopback only, whatever it resolves to', async () => {
    resolver.answers.set('localhost', [['192.0.2.1']]);
    const options = { serverUrl: 'http://127.0.0.1:1/mcp' };
    await refused(`https://localhost:${port}/put`, 'private_address', options);
  });

  it.each(['intranet', 'db.internal', 'printer.local', 'metadata'])(
    '%s is refused by its form where somebody else resolves it',
    async name => {
      await refused(`https://${name}:${port}/put`, 'private_address', {}, 'fetch');
      await refused(`https://${name}:${port}/put`, 'private_address', { proxy: `http://127.0.0.1:${port}` });
      expect(resolver.asked).toEqual([]);
    },
  );
});

it('a refused target keeps the files of allowed ones from being sent', async () => {
  const storage = createServer(socket => socket.destroy());
  let seen = 0;
  storage.on('connection', () => seen++);
  storage.listen(0, '127.0.0.1');
  await once(storage, 'listening');
  const { port: open } = storage.address() as AddressInfo;
  const target = (index: number) => ({
    url: index === 0 ? `http://127.0.0.1:${open}/put` : 'https://169.254.169.254/put',
  });
  const { pointer, details } = await fails({ files: [file, file], target });
  expect([pointer, details?.reason]).toEqual(['/assets/1', 'private_address']);
  expect(seen).toBe(0);
  storage.close();
});
