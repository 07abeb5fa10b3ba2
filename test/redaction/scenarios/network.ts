import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:net';
import { asks, echoing, failing, rawAnswer, type Scenario, type World } from '../world.js';

/** A port on which nothing is said, closed with the process, and one on which nobody listens. */
const silentPort = await openPort();
const closedPort = await openPort(true);

async function openPort(close = false): Promise<number> {
  const server = createServer(() => {}).unref();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  if (close) await new Promise(resolve => server.close(resolve));
  return port;
}

/** A proxy that refuses, and says what it was sent. */
async function refusingProxy(w: World): Promise<string> {
  const proxy = createProxy().unref();
  proxy.on('connect', (request, socket) => {
    const told = `${request.url} ${JSON.stringify(request.headers)} ${w.secret('answer')}`;
    socket.end(`HTTP/1.1 407 ${told}\r\nproxy-authenticate: Basic realm="${w.secret('answer')}"\r\n\r\n${told}`);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return `http://u:${w.key('proxy password')}@127.0.0.1:${(proxy.address() as { port: number }).port}`;
}

const privately = { policy: { allowPrivateNetwork: true } };
const query = (w: World): string => `/x?sig=${w.key('query')}`;
const overTls = (w: World) => asks(w, () => w.target({ url: w.origin.replace('http', 'https') + query(w) }));

export const network: readonly Scenario[] = [
  failing('no answer', 'connection_lost', {
    on: { engine: 'built-in' },
    script: () => ({ onStore: (_, response) => void response.socket!.destroy() }),
  }),
  failing('no answer to fetch', 'fetch_failed', {
    on: { engine: 'fetch' },
    script: () => ({ onStore: (_, response) => void response.socket!.destroy() }),
  }),
  failing('an answer that is no HTTP', 'answer_malformed', {
    script: w => ({
      onStoreStart: rawAnswer(`HTTP/1.1 ${w.secret('reason phrase')}\r\n${w.secret('answer')}\r\n\r\n`),
    }),
  }),
  failing('100 Continue', 'unsolicited_100_continue', {
    on: { engine: 'built-in' },
    script: w => ({ onStoreStart: rawAnswer(`HTTP/1.1 100 Continue\r\nx-secret: ${w.secret('answer')}\r\n\r\n`) }),
  }),
  failing('nobody there', 'connection_refused', {
    script: w => asks(w, () => w.target({ url: `http://127.0.0.1:${closedPort}${query(w)}` })),
  }),
  failing('no TLS there', 'tls_failed', { on: { engine: 'built-in' }, script: overTls, options: () => privately }),
  failing('keys that are none', 'connection_failed', {
    on: { engine: 'built-in' },
    script: overTls,
    options: w => ({
      ...privately,
      tls: { key: w.secret('tls key'), cert: w.secret('tls key'), ca: w.secret('tls key') },
    }),
  }),
  {
    name: 'a connection that takes too long',
    ends: 'transfer_timeout',
    reason: 'connect_timeout',
    on: { engine: 'built-in' },
    script: w => asks(w, () => w.target({ url: `https://127.0.0.1:${silentPort}${query(w)}` })),
    options: () => ({ ...privately, timeouts: { connect: 50 } }),
  },
  {
    name: 'an answer that does not come',
    ends: 'transfer_timeout',
    reason: 'response_timeout',
    script: () => ({ onStore: () => new Promise(() => {}) }),
    options: () => ({ timeouts: { response: 50, stall: 50 } }),
  },
  failing('a proxy that is not there', 'connection_refused', {
    on: { engine: 'built-in' },
    options: w => ({ proxy: `http://u:${w.key('proxy password')}@127.0.0.1:${closedPort}` }),
  }),
  failing('a proxy that refuses, and says what it was sent', 'connection_failed', {
    on: { engine: 'built-in' },
    script: w => asks(w, () => w.target({ url: `https://files.example.com${query(w)}` })),
    options: async w => ({ proxy: await refusingProxy(w) }),
  }),
  failing('a proxy that is not there', 'connection_refused', {
    on: { engine: 'built-in' },
    // Port 1 (tcpmux) is served nowhere.
    options: w => ({ proxy: `http://user:${w.secret('proxy password')}@127.0.0.1:1` }),
  }),
  failing("a fetch of the host's that fails", 'fetch_failed', {
    on: { engine: 'fetch' },
    options: w => ({
      fetch: async (input, init) => {
        const secret = w.secret('fetch error');
        const message = `${String(input)} ${JSON.stringify([...new Headers(init?.headers)])} ${secret}`;
        throw Object.assign(new TypeError(message), {
          cause: Object.assign(new Error(secret), { code: w.key('fetch error'), request: { init, secret } }),
        });
      },
    }),
  }),
  failing("a fetch of the host's that gives nonsense", 'engine_failed', {
    on: { engine: 'fetch' },
    options: w => ({ fetch: async () => w.secret('fetch error') as never }),
  }),
  failing("a fetch of the host's whose answer breaks off", 'http_status', {
    on: { engine: 'fetch' },
    options: w => ({
      fetch: async () => {
        const body = new ReadableStream({
          pull: () => {
            throw new Error(w.secret('fetch error'));
          },
        });
        return new Response(body, { status: 500, statusText: w.secret('reason phrase') });
      },
    }),
  }),
  failing('a proxy in the environment', 'connection_refused', {
    on: { engine: 'built-in' },
    script: w => ({ onStore: echoing(w, 403, 'text/plain', () => w.secret('answer')) }),
    options: w => {
      const proxy = `http://u:${w.key('proxy password')}@127.0.0.1:${closedPort}`;
      w.setEnvironment({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, NO_PROXY: '' });
      return { proxy: 'env' };
    },
  }),
];
