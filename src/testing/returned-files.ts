import { createHash, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { invalidParams } from './checks.js';
import { EXTENSION, type Json } from './options.js';
import type { Targets } from './targets.js';
import type { ReferenceTool } from './tools.js';

/** The ways in which a tool result can hold or name a file. */
const SPELLINGS = [
  'download',
  'image',
  'audio',
  'text',
  'blob',
  'resource_link',
  'file_value',
  'file_content',
  'data_uri',
] as const;
type Spelling = (typeof SPELLINGS)[number];

/** What `return_files` gives unless it is told: `file_content` is left out, since v2 clients of the present protocol refuse it. */
const USUAL = SPELLINGS.filter(spelling => spelling !== 'file_content');

export const RETURN_FILES: ReferenceTool = {
  definition: {
    name: 'return_files',
    description: 'Returns files: one in each way that a result can hold or name one.',
    inputSchema: {
      type: 'object',
      properties: {
        as: {
          type: 'array',
          items: { enum: SPELLINGS },
          description: 'In which ways; all but file_content by default.',
        },
      },
    },
  },
  files: [],
  returnsFiles: true,
};

/** The file of each spelling that is not the server's own resource. The contents are small and always the same. */
const CONTENTS: Record<Exclude<Spelling, 'resource_link'>, { name: string; mimeType: string; bytes: Buffer }> = {
  download: { name: 'out/download.csv', mimeType: 'text/csv', bytes: Buffer.from('a,b\n1,2\n') },
  image: { name: '', mimeType: 'image/png', bytes: png() },
  audio: { name: '', mimeType: 'audio/wav', bytes: wav() },
  text: { name: 'notes.md', mimeType: 'text/markdown', bytes: Buffer.from('# Notes\n\nnaïve\n') },
  blob: { name: 'data.bin', mimeType: 'application/octet-stream', bytes: Buffer.from([0, 1, 254, 255]) },
  file_value: { name: 'out/value.json', mimeType: 'application/json', bytes: Buffer.from('{"value":1}\n') },
  file_content: { name: 'out/content.txt', mimeType: 'text/plain', bytes: Buffer.from('content\n') },
  data_uri: { name: 'inline.txt', mimeType: 'text/plain', bytes: Buffer.from('inline\n') },
};

/** The tool `return_files`, and `files/authorizeDownload` (SEP-2631) for what it returned. */
export class ReturnedFiles {
  readonly #targets: Targets;
  readonly #authorizable = new Map<string, Spelling>();

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  async result(args: Json, clientIncludes: boolean): Promise<Json> {
    const content: Json[] = [{ type: 'text', text: 'Here they are.' }];
    const structuredContent: Json = {};
    const downloads: Json[] = [];
    for (const spelling of (args.as as Spelling[] | undefined) ?? USUAL) {
      if (spelling === 'resource_link') {
        content.push({
          type: 'resource_link',
          uri: 'reference:///welcome',
          name: 'welcome.txt',
          mimeType: 'text/plain',
        });
        continue;
      }
      const { name, mimeType, bytes } = CONTENTS[spelling];
      const data = bytes.toString('base64');
      const uri = `reference:///returned/${name}`;
      if (spelling === 'image' || spelling === 'audio') content.push({ type: spelling, data, mimeType });
      if (spelling === 'text') content.push({ type: 'resource', resource: { uri, mimeType, text: bytes.toString() } });
      if (spelling === 'blob') content.push({ type: 'resource', resource: { uri, mimeType, blob: data } });
      if (spelling === 'file_value') structuredContent.report = this.#fileValue(spelling);
      if (spelling === 'file_content') content.push({ type: 'file', file: this.#fileValue(spelling) });
      if (spelling === 'data_uri') structuredContent.inline = { uri: `data:${mimeType};base64,${data}`, name };
      if (spelling === 'download') {
        const file = { name, mimeType, size: bytes.length };
        downloads.push(await this.#targets.download(file, [bytes], clientIncludes));
      }
    }
    return {
      content,
      ...(Object.keys(structuredContent).length > 0 && { structuredContent }),
      ...(downloads.length > 0 && { _meta: { [EXTENSION]: { downloads } } }),
    };
  }

  /** A download descriptor for a `FileValue`. Throws a -32602 for any other URI. */
  async authorize({ uri }: Json): Promise<Json> {
    const spelling = this.#authorizable.get(String(uri));
    if (spelling === undefined || spelling === 'resource_link') throw invalidParams('No such file', 'file_not_found');
    const { name, mimeType, bytes } = CONTENTS[spelling];
    const { url, path, expiresAt } = await this.#targets.download(
      { name, mimeType, size: bytes.length },
      [bytes],
      false,
    );
    return {
      file: { uri, name, mimeType, size: bytes.length },
      download: { transport: 'https', method: 'GET', url, path, expiresAt },
    };
  }

  #fileValue(spelling: 'file_value' | 'file_content'): Json {
    const uri = `mcp-file://reference/${randomUUID()}`;
    this.#authorizable.set(uri, spelling);
    const { name, mimeType, bytes } = CONTENTS[spelling];
    const digest = { algorithm: 'sha-256', value: createHash('sha256').update(bytes).digest('base64url') };
    return { uri, name, mimeType, size: bytes.length, digest };
  }
}

/** A smallest PNG: one grey pixel. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const image = chunk('IDAT', deflateSync(Buffer.from([0, 128])));
  return Buffer.concat([signature, chunk('IHDR', header), image, chunk('IEND', Buffer.alloc(0))]);
}

/** As PNG has it (ISO 3309); `zlib.crc32` is not in every Node that runs this. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** A millisecond of silence. */
function wav(): Buffer {
  const samples = Buffer.alloc(8, 128);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
