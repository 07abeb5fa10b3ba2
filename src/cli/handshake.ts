import type { Client, Transport } from '@modelcontextprotocol/client';
import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { CommandError } from './exit-code.js';
import type { Io } from './io.js';
import type { ServerAccess } from './server-flags.js';
import { printableLine } from './text.js';

/** When somebody who waits is told so; sooner where less than twice that is waited. */
const SILENCE_MS = 5000;

/** A server as a process: started once, whatever it answers to the newer handshake, and gone when `close` resolves. */
export async function startedOnce(server: StdioServerParameters): Promise<Transport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  // For its own class, and for no other, the SDK starts a second process to find out which handshake is understood.
  class OneProcess extends StdioClientTransport {
    #closed: Promise<void> | undefined;

    override close(): Promise<void> {
      this.#closed ??= super.close();
      return this.#closed;
    }
  }
  return new OneProcess(server);
}

/**
 * Connects within the time that `--timeout` gives, and says on the way that it waits. Fails as soon as it is clear that
 * no answer will come: a process that ended, or one that sends our own request back.
 */
export async function handshake(client: Client, transport: Transport, io: Io, access: ServerAccess): Promise<void> {
  const { timeoutMs, quiet } = access;
  const where = shownServer(access);
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const stop = () => fail(io.signal.reason);
  const seconds = timeoutMs / 1000;
  const timers = [
    setTimeout(
      () => {
        if (!quiet) io.err.write(`Waiting up to ${seconds} s for ${where.replace(/^The/, 'the')} (--timeout) \u2026\n`);
      },
      Math.min(SILENCE_MS, timeoutMs / 2),
    ),
    setTimeout(() => {
      const message = `${where} did not answer within ${seconds} s. Either it speaks no MCP, or it needs longer: --timeout SECONDS`;
      fail(new CommandError('server_unreachable', message));
    }, timeoutMs),
  ];
  if (access.address.kind === 'stdio') watch(transport, access, fail);
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    if (io.signal.aborted) throw io.signal.reason;
    // The limit here is the one above, and not that of each of the SDK's requests.
    const connected = client.connect(transport, { signal: io.signal, timeout: 2 * timeoutMs });
    await Promise.race([connected, failed]);
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    io.signal.removeEventListener('abort', stop);
  }
}

function watch(transport: Transport, access: ServerAccess, fail: (error: unknown) => void): void {
  const where = shownServer(access);
  transport.onerror = error => {
    // Others are of single messages, and do not end anything.
    if (/^spawn/.test(String((error as NodeJS.ErrnoException).syscall))) fail(error);
  };
  transport.onclose = () => {
    const hint = access.legacy ? '' : ' Some older servers end at the newer handshake: for those --legacy';
    fail(new CommandError('server_unreachable', `${where} did not start: it ended before it answered.${hint}`));
  };
  onEachMessage(transport, message => {
    // No server sends these to a client.
    const { method } = message as { method?: unknown };
    if (method !== 'server/discover' && method !== 'initialize') return;
    fail(new CommandError('server_unreachable', `${where} speaks no MCP: it sends back what it is sent.`));
  });
}

/** Sees each message, also those of the time in which the SDK keeps them from listeners that were there before. */
function onEachMessage(transport: Transport, see: (message: unknown) => void): void {
  let listener: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => listener,
    set: (next: Transport['onmessage']) => {
      listener =
        next &&
        ((message, extra) => {
          see(message);
          next(message, extra);
        });
    },
  });
}

/** The server in a message: without the query, which may hold a secret. */
export function shownServer({ address }: ServerAccess): string {
  if (address.kind === 'stdio') return `The server "${printableLine(address.command)}"`;
  const { origin, pathname } = new URL(address.url);
  return `The server at ${origin}${pathname}`;
}
