import { createHash } from 'node:crypto';
import { invalidParams } from './checks.js';
import type { DialectUploads } from './dialect-uploads.js';
import { type Json, KEPT_CONTENT_BYTES, type ReceivedFile, type Settings, type ToolRun } from './options.js';
import { withContent } from './storage.js';

/** A file as an earlier dialect wrote it. */
interface Written {
  readonly pointer: string;
  readonly value: unknown;
}

/** `tools/call` of a server that speaks an earlier dialect: nothing is asked for, every file is there with the call. */
export class DialectCalls {
  readonly #settings: Settings;
  readonly #uploads: DialectUploads;
  readonly #record: { readonly received: ReceivedFile[]; readonly runs: ToolRun[] };

  constructor(settings: Settings, uploads: DialectUploads, record: { received: ReceivedFile[]; runs: ToolRun[] }) {
    this.#settings = settings;
    this.#uploads = uploads;
    this.#record = record;
  }

  async answer(name: unknown, args: Json): Promise<Json> {
    if (name !== 'save_file' && name !== 'save_files')
      throw invalidParams(`Unknown tool ${String(name)}`, 'unknown_tool');
    const files: ReceivedFile[] = [];
    for (const written of filesIn(args)) {
      const read = await this.#read(written, args);
      const placed = { ...read, pointer: written.pointer, tool: name };
      files.push(read.content === undefined ? placed : withContent(placed, read.content));
    }
    const { maxSize } = this.#settings;
    const large = files.find(({ size }) => maxSize !== undefined && size > maxSize);
    if (large) return { isError: true, content: [{ type: 'text', text: `${large.size} bytes, at most ${maxSize}` }] };
    this.#record.received.push(...files);
    this.#record.runs.push({ tool: name, arguments: args });
    const text = files.map(file => `${file.name}: ${file.size} bytes`).join('\n');
    return { content: [{ type: 'text', text }] };
  }

  async #read({ pointer, value }: Written, args: Json): Promise<Omit<ReceivedFile, 'pointer' | 'tool'>> {
    const { dialect, transferModes } = this.#settings;
    switch (dialect) {
      case 'openai-file-params':
        return await fetched(pointer, value);
      case 'base64':
        return file(String(args.filename), String(args.mime_type ?? ''), decoded(pointer, value), 'inline');
      case 'data-uri':
        return inData(pointer, value);
      default: {
        const isData = typeof value === 'string' && value.startsWith('data:');
        const mode = isData ? 'inline' : 'upload';
        if (!transferModes.includes(mode)) throw invalidParams(`${pointer}: ${mode} is not taken`, 'invalidFileInput');
        return isData ? inData(pointer, value) : await this.#uploads.take(String(value));
      }
    }
  }
}

function filesIn({ document, documents, content_base64: content }: Json): Written[] {
  const alone = (pointer: string, value: unknown): Written[] => (value === undefined ? [] : [{ pointer, value }]);
  const list = Array.isArray(documents) ? documents : [];
  return [
    ...alone('/document', document),
    ...list.map((value, index) => ({ pointer: `/documents/${index}`, value })),
    ...alone('/content_base64', content),
  ];
}

/** SEP-2356: base64, and no other parameter than the media type's own. */
function inData(pointer: string, value: unknown): Omit<ReceivedFile, 'pointer' | 'tool'> {
  const match = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;(?!name=)[\w-]+=[^;,]*)*);base64,(.*)$/s.exec(String(value));
  if (match === null) throw invalidParams(`${pointer}: no data URI`, 'invalidFileInput');
  const [, type = '', data = ''] = match;
  return file('', type, decoded(pointer, data), 'inline');
}

function decoded(pointer: string, value: unknown): Buffer {
  const text = String(value);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalidParams(`${pointer}: no standard base64`, 'invalidFileInput');
  return bytes;
}

/** From loopback alone: a server that fetches what anybody names is an open proxy. */
async function fetched(pointer: string, value: unknown): Promise<Omit<ReceivedFile, 'pointer' | 'tool'>> {
  const { download_url: url, file_id: id, mime_type: type = '', file_name: name = '' } = (value ?? {}) as Json;
  if (typeof url !== 'string' || typeof id !== 'string' || new URL(url).hostname !== '127.0.0.1') {
    throw invalidParams(`${pointer}: no file that can be fetched`, 'invalidFileInput');
  }
  const response = await fetch(url, { redirect: 'error' });
  if (!response.ok) throw invalidParams(`${pointer}: HTTP ${response.status}`, 'invalidFileInput');
  return file(String(name), String(type), Buffer.from(await response.arrayBuffer()), 'link');
}

function file(name: string, mimeType: string, content: Buffer, mode: 'inline' | 'link') {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const facts = { name, mimeType, size: content.length, sha256, mode, pointer: '', tool: '' };
  return content.length > KEPT_CONTENT_BYTES ? facts : withContent(facts, content);
}
