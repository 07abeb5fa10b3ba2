import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server on loopback that does what a test says, and counts. */
export interface TestServer {
  readonly origin: string;
  readonly port: number;
  /** Connections ever made. */
  readonly connections: number;
  /** Settles when no connection is open any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function tcpServer(onConnection: (socket: Socket) => void): Promise<TestServer> {
  const open = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer(socket => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      server.emit('gone');
    });
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections;
    },
    async idle() {
      // A socket that is not read does not learn that the other side has gone.
      for (const socket of open) socket.resume();
      while (open.size > 0) await once(server, 'gone');
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ReceivedRequest {
  /** As it stood on the wire. */
  readonly line: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: Buffer;
  header(name: string): string | undefined;
}

export interface Storage extends TestServer {
  readonly requests: ReceivedRequest[];
}

/** The bytes of an answer with a length. */
export function answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers });
  return `HTTP/1.1 ${status} Any\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Reads whole requests and writes what `respond` returns; the connection stays open. */
export async function storage(
  respond: (request: ReceivedRequest, socket: Socket) => string | undefined = () => answer(200),
): Promise<Storage> {
  const requests: ReceivedRequest[] = [];
  const server = await tcpServer(socket => {
    let chunks: Buffer[] = [];
    let length = 0;
    let needed: number | undefined;
    socket.on('data', chunk => {
      chunks.push(chunk);
      length += chunk.length;
      if (needed === undefined) {
        chunks = [Buffer.concat(chunks)];
        const end = chunks[0]!.indexOf('\r\n\r\n');
        if (end < 0) return;
        const declared = /\r\ncontent-length: *(\d+)/i.exec(chunks[0]!.toString('latin1', 0, end))?.[1];
        needed = end + 4 + Number(declared ?? 0);
      }
      if (length < needed) return;
      const request = parse(Buffer.concat(chunks));
      chunks = [];
      length = 0;
      needed = undefined;
      requests.push(request);
      const reply = respond(request, socket);
      if (reply !== undefined) socket.write(reply);
    });
  });
  return Object.defineProperties({ requests } as Storage, Object.getOwnPropertyDescriptors(server));
}

function parse(bytes: Buffer): ReceivedRequest {
  const end = bytes.indexOf('\r\n\r\n');
  const [line, ...rest] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = rest.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1).trim()];
  });
  return {
    line: line!,
    headers,
    body: bytes.subarray(end + 4),
    header: name => headers.find(([found]) => found.toLowerCase() === name)?.[1],
  };
}
