import type { LogEvent, TransferReport } from '../index.js';
import { isObject } from './schema-types.js';
import { printable, printableLine, shownSize, shownTime } from './text.js';

const WAYS: Record<string, string> = {
  inline: 'inside the call',
  'data-uri': 'inside the call, as a data URI',
  put: 'by PUT',
  post: 'by POST',
  form: 'by POST, as a form',
  authorized: 'to an address the server authorised',
  link: 'as a link the server fetches',
};

/** One line for a file that was sent. */
export function describeTransfer(transfer: TransferReport): string {
  const where = transfer.origin === undefined ? '' : ` to ${transfer.origin}`;
  const way = WAYS[transfer.mode] ?? transfer.mode;
  const time = transfer.origin === undefined ? '' : ` in ${shownTime(transfer.milliseconds)}`;
  return `${printableLine(`Sent ${transfer.name} (${shownSize(transfer.size)}) ${way}${where}${time}.`)}\n`;
}

/** One line for a file that came back. */
export function describeFile(file: { name: string; mimeType?: string | undefined; size?: number | undefined }): string {
  const parts = [file.name, file.mimeType, file.size === undefined ? undefined : shownSize(file.size)];
  return `${printableLine(`The tool returned a file: ${parts.filter(part => part !== undefined).join(', ')}.`)}\n`;
}

/** One line for a file that was saved. */
export function describeSaved(file: { name: string; size?: number | undefined; path?: string }): string {
  const size = file.size === undefined ? '' : ` (${shownSize(file.size)})`;
  return `${printableLine(`Saved ${file.name}${size} as ${file.path}.`)}\n`;
}

/** A tool result for people: its text as it is, everything else by name, type and size. */
export function describeContent(result: { content?: unknown; structuredContent?: unknown; isError?: unknown }): string {
  const items = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  const lines = items.map(describeItem);
  if (lines.length === 0 && result.structuredContent !== undefined) {
    lines.push(JSON.stringify(result.structuredContent, null, 2));
  }
  if (result.isError === true) lines.unshift('The tool says that it failed:');
  if (lines.length === 0) lines.push('The tool ran and said nothing.');
  return lines.map(line => `${printable(line)}\n`).join('');
}

function describeItem(item: { [key: string]: unknown }): string {
  if (item.type === 'text' && typeof item.text === 'string') return item.text;
  const inner = isObject(item.resource) ? item.resource : item;
  if (typeof inner.text === 'string') return inner.text;
  const base64 = typeof inner.data === 'string' ? inner.data : inner.blob;
  const parts = [item.type, inner.name ?? inner.uri, inner.mimeType];
  if (typeof base64 === 'string') parts.push(shownSize(Buffer.byteLength(base64, 'base64')));
  return `[${parts.filter(part => typeof part === 'string' && part !== '').join(', ')}]`;
}

/** One step of the library, for `--verbose`. */
export function describeEvent({ type, time, callId: _, ...rest }: LogEvent): string {
  const members = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return printableLine(`${new Date(time).toISOString().slice(11, 23)} ${type} ${members.join(' ')}`);
}
