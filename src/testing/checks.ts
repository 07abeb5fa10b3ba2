import { fromJsonSchema, MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import { EXTENSION, type Json, type Settings } from './options.js';
import { type FoundFile, filesIn, type ReferenceTool } from './tools.js';

const INVALID_PARAMS = -32602;

/** -32602 with a reason, so that it is told from the plain one of a consumed request state. */
export function invalidParams(message: string, reason?: string, more: Json = {}): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message, reason === undefined ? undefined : { reason, ...more });
}

/** Checks the arguments against the tool's schema and returns its files. Throws a -32602. */
export async function checkedFiles(tool: ReferenceTool, args: Json): Promise<FoundFile[]> {
  const schema = fromJsonSchema(tool.definition.inputSchema as never);
  const { issues } = await schema['~standard'].validate(args);
  if (issues !== undefined) {
    throw invalidParams(`Invalid arguments: ${issues.map(issue => issue.message).join('; ')}`, 'invalid_arguments');
  }
  const files = filesIn(tool, args);
  for (const { pointer, value } of files) {
    const problem = problemOf(value);
    if (problem !== undefined) throw invalidParams(`File ${pointer}: ${problem}`, 'invalid_file', { pointer });
  }
  return files;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

function problemOf({ name, mimeType, size, data }: FoundFile['value']): string | undefined {
  if (name === '' || /[\p{Cc}/\\]/u.test(name)) return 'name is not a base name';
  if (!MEDIA_TYPE.test(mimeType)) return 'mimeType is no media type';
  if (data === undefined) return undefined;
  if (!isBase64(data)) return 'data is not standard base64 with padding';
  const decoded = Buffer.byteLength(data, 'base64');
  return decoded === size ? undefined : `data has ${decoded} bytes, size says ${size}`;
}

/** RFC 4648 section 4. An expression for all of it would remember every step of a large file, and overflow the stack. */
function isBase64(data: string): boolean {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding));
}

/** Refuses inline data over the limit, and a file left out of band where nothing else is offered. Throws a -32602. */
export function checkInline(files: readonly FoundFile[], settings: Settings): void {
  const inline = files.filter(({ value }) => value.data !== undefined).reduce((sum, { value }) => sum + value.size, 0);
  const limit = settings.advertise ? settings.maxInlineBytes : undefined;
  if (limit !== undefined && inline > limit) {
    throw invalidParams(`${inline} bytes inline, at most ${limit}`, `${EXTENSION}/inline_too_large`, {
      maxInlineBytes: limit,
    });
  }
  const pending = files.find(({ value }) => value.data === undefined && value.size > 0);
  if (pending !== undefined && !settings.advertise) {
    throw invalidParams(`File ${pending.pointer}: data is missing`, 'invalid_file', { pointer: pending.pointer });
  }
}

/** What a person or model can put right, as a tool error (SEP-1303): a file of another type, or too large. */
export function toolError(tool: ReferenceTool, files: readonly FoundFile[]): Json | undefined {
  for (const { value } of files) {
    const type = value.mimeType.toLowerCase();
    if (tool.accept?.some(prefix => type.startsWith(prefix)) === false) {
      return errorResult(`${value.name}: type ${value.mimeType} is not accepted`);
    }
    if (tool.maxSize !== undefined && value.size > tool.maxSize) {
      return errorResult(`${value.name}: ${value.size} bytes, at most ${tool.maxSize}`);
    }
  }
  return undefined;
}

export function errorResult(text: string): Json {
  return { content: [{ type: 'text', text }], isError: true };
}

/** What the client said it can do; `undefined` where nobody knows (legacy HTTP keeps no session here). */
export type ClientCapabilities = Json | undefined;

/** `upload` or `download` of the client's files extension; `{}` where its capabilities are unknown. */
export function clientSide(client: ClientCapabilities, side: 'upload' | 'download'): Json | undefined {
  if (client === undefined) return side === 'upload' ? { include: true } : {};
  const extension = (client.extensions as Json | undefined)?.[EXTENSION] as Json | undefined;
  return extension?.[side] as Json | undefined;
}

/** -32021 with what is missing (protocol 2026-07-28). */
export function requireCapability(present: boolean, requiredCapabilities: Json): void {
  if (!present) throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}
