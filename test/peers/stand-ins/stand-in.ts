import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import busboy from 'busboy';

/** A request as it came, its body read to the end. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  /** Path and query as they were on the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In lower case, in the order of the wire. */
  readonly headerNames: readonly string[];
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * No service: a server of ours that refuses what the service's documentation says the service refuses. What it takes,
 * the service may still refuse.
 */
export interface StandIn {
  readonly origin: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

export async function startStandIn(answer: (request: Received) => Answer | Promise<Answer>): Promise<StandIn> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const seen: Received = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://127.0.0.1'),
      target: request.url ?? '',
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      headerNames: request.rawHeaders.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase()),
      body: Buffer.concat(chunks),
    };
    received.push(seen);
    const { status, headers, body } = await answer(seen);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A form part: a file where it has a file name. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Buffer;
}

/** The parts of a form in their order, by busboy. `undefined` for what is no form, or none that busboy can read. */
export function readForm({ headers, body }: Received): Promise<Part[] | undefined> {
  return new Promise(resolve => {
    try {
      const parser = busboy({
        headers: { ...headers },
        defParamCharset: 'utf8',
        limits: { fileSize: 2 ** 30, fieldSize: 2 ** 24 },
      });
      const parts: Promise<Part>[] = [];
      parser.on('field', (name, value) => parts.push(Promise.resolve({ name, bytes: Buffer.from(value) })));
      parser.on('file', (name, stream, { filename = '', mimeType: type }) => {
        parts.push(collect(stream).then(bytes => ({ name, filename, type, bytes })));
      });
      parser.once('error', () => resolve(undefined));
      parser.once('close', () => resolve(Promise.all(parts)));
      Readable.from([body]).pipe(parser);
    } catch {
      resolve(undefined);
    }
  });
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** As Amazon S3 and Google Cloud Storage answer. */
export function xmlError(status: number, code: string, text: string): Answer {
  const body = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}
