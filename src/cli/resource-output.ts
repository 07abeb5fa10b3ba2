import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResourceContent } from '../index.js';
import { portableName } from '../source/index.js';
import { CommandError, UsageError } from './exit-code.js';
import type { Io } from './io.js';
import { counted, printable, printableLine, shownSize } from './text.js';

export interface ContentFlags {
  readonly out?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** A content as `--json` shows it: bytes as base64, or the path they were written to. */
type Shown = { readonly [key: string]: unknown };

/** Writes what was read where it was asked for, byte for byte; what a terminal cannot show is named instead. */
export async function writeContents(
  io: Io,
  contents: readonly ResourceContent[],
  flags: ContentFlags,
): Promise<Shown[]> {
  const { out, overwrite = false, json } = flags;
  if (overwrite && out === undefined) throw new UsageError('--overwrite needs --out.');
  if (out !== undefined) return await saveAll(io, contents, out, flags);
  if (json) return contents.map(content => ({ ...described(content), ...inline(content) }));
  const [content, ...others] = contents;
  if (others.length > 0) {
    throw new CommandError(
      'several_contents',
      `The resource has ${counted(contents.length, 'content')}: name a folder for them with --out, or use --json.`,
      'completed',
    );
  }
  if (content?.text !== undefined) io.out.write(io.out.isTTY ? withNewline(printable(content.text)) : content.text);
  else if (content !== undefined && io.out.isTTY) {
    throw new CommandError(
      'binary_content',
      `The resource is ${shownSize(content.bytes.byteLength)} of bytes: name a file for it with --out.`,
      'completed',
    );
  } else if (content !== undefined) io.out.write(content.bytes);
  return [];
}

async function saveAll(
  io: Io,
  contents: readonly ResourceContent[],
  out: string,
  { overwrite, json }: ContentFlags,
): Promise<Shown[]> {
  const several = contents.length > 1;
  if (several) await mkdir(out, { recursive: true });
  const taken = new Set<string>();
  const shown: Shown[] = [];
  for (const content of contents) {
    const path = several ? join(out, freeName(content.uri, taken)) : out;
    await save(path, content.text ?? content.bytes, overwrite === true);
    shown.push({ ...described(content), path });
    if (!json) io.err.write(`Saved ${printableLine(path)} (${shownSize(sizeOf(content))})\n`);
  }
  return shown;
}

async function save(path: string, content: string | Uint8Array, overwrite: boolean): Promise<void> {
  try {
    await writeFile(path, content, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError('destination_exists', `"${path}" is there already.`, 'completed');
    throw new CommandError(
      code ?? 'save_failed',
      `"${path}" cannot be written: ${code ?? 'no reason given'}.`,
      'completed',
    );
  }
}

/** The last part of the URI as a file name; a number where two have the same. */
function freeName(uri: string, taken: Set<string>): string {
  const path = uri.replace(/[?#].*$/s, '').split('/');
  const last = portableName(decoded(path.findLast(segment => segment !== '') ?? ''));
  for (let count = 1; ; count++) {
    const name = count === 1 ? last : `${count}-${last}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function described(content: ResourceContent): Shown {
  const { uri, mimeType } = content;
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), size: sizeOf(content) };
}

function inline(content: ResourceContent): Shown {
  return content.text === undefined
    ? { blob: Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength).toString('base64') }
    : { text: content.text };
}

function sizeOf({ text, bytes }: ResourceContent): number {
  return text === undefined ? bytes.byteLength : Buffer.byteLength(text);
}

function withNewline(text: string): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`;
}
