import busboy from 'busboy';
import type { FileSource } from '../../../src/source/file-source.js';
import type { HeaderEntry, TargetForm } from '../../../src/transfer/target.js';
import { builtInEngine, send, storage } from './transfer.js';

export interface ReadForm {
  /** Every part in its order: name, file name of a file, content. */
  readonly parts: ReadonlyArray<readonly [name: string, filename: string | undefined, content: string]>;
  readonly type: string;
  /** The body as it came, bytes as characters. */
  readonly raw: string;
}

/** Sends a file in a form and reads it back with a parser of others. */
export async function sendForm(file: FileSource, form: Partial<TargetForm> = {}, headers: readonly HeaderEntry[] = []) {
  const server = await storage();
  const target = { form: { fields: [], fileField: 'file', ...form }, headers };
  await send(builtInEngine(), server.origin, { file, target });
  return readForm(server.requests[0]!.header('content-type')!, server.requests[0]!.body);
}

async function readForm(type: string, body: Buffer): Promise<ReadForm> {
  const parts: [string, string | undefined, string][] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8' });
    parser.on('field', (name, value) => parts.push([name, undefined, value]));
    parser.on('file', (name, stream, { filename }) => {
      let content = '';
      stream.setEncoding('utf8').on('data', text => {
        content += text;
      });
      stream.on('end', () => parts.push([name, filename, content]));
    });
    parser.on('close', resolve).on('error', reject);
    parser.end(body);
  });
  return { parts, type, raw: body.toString('latin1') };
}
