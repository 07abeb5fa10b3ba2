import { createHash } from 'node:crypto';

export type Json = Record<string, any>;

export const FILES = 'io.modelcontextprotocol/files';
export const CAPABILITIES = { elicitation: {}, extensions: { [FILES]: { upload: {}, download: {} } } };

export interface Answer {
  readonly status: number;
  readonly result?: Json;
  readonly error?: { code: number; message: string; data?: Json };
}

export type Era = 'modern' | 'legacy';

let nextId = 1;

/** One JSON-RPC request, made by hand: no SDK and nothing of the library between the test and the wire. */
export async function rpc(
  url: string,
  era: Era,
  method: string,
  params: Json = {},
  { capabilities = CAPABILITIES as Json } = {},
): Promise<Answer> {
  const modern = era === 'modern';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modern ? '2026-07-28' : '2025-11-25',
      ...(modern
        ? { 'mcp-method': method, ...(params.name || params.uri ? { 'mcp-name': params.name ?? params.uri } : {}) }
        : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params: modern ? { ...params, _meta } : params }),
  });
  const text = await response.text();
  const data = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}');
  const { result, error } = JSON.parse(data) as Json;
  return { status: response.status, ...(result ? { result } : {}), ...(error ? { error } : {}) };
}

export function call(url: string, era: Era, params: Json, options?: { capabilities?: Json }): Promise<Answer> {
  return rpc(url, era, 'tools/call', params, options);
}

/** The upload entry of an input round, found by its shape, and its key. */
export function uploadOf(answer: Answer): { key: string; targets: Record<string, Json> } {
  for (const [key, entry] of Object.entries((answer.result?.inputRequests ?? {}) as Json)) {
    if (entry.params?.targets) return { key, targets: entry.params.targets };
  }
  throw new Error(`no upload request in ${JSON.stringify(answer)}`);
}

/** Sends a body the way its target says. */
export async function send(target: Json, body: Uint8Array, base?: string, extra: Json = {}): Promise<Response> {
  const url = target.url ?? `${base}/${target.path}`;
  const headers = { ...target.headers, ...extra };
  if (target.form === undefined) return await fetch(url, { method: target.method, headers, body: body as never });
  const form = new FormData();
  for (const { name, value } of target.form.fields) form.append(name, value);
  form.append(target.form.fileField, new Blob([body as never]), 'upload.bin');
  return await fetch(url, { method: target.method, headers, body: form });
}

export function bytesOf(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function fileValue(name: string, bytes: Uint8Array, inline = false): Json {
  const value = { name, mimeType: 'application/octet-stream', size: bytes.length };
  return inline ? { ...value, data: Buffer.from(bytes).toString('base64') } : value;
}

/** The whole flow for one `save_file` up to the retry; the test goes on from there. */
export async function uploaded(url: string, era: Era, bytes: Uint8Array, params?: Json) {
  const request: Json = params ?? {
    name: 'save_file',
    arguments: { folder: 'in', document: fileValue('a.bin', bytes) },
  };
  const first = await call(url, era, request);
  const { key, targets } = uploadOf(first);
  const statuses: number[] = [];
  for (const target of Object.values(targets)) statuses.push((await send(target, bytes, url)).status);
  const retry: Json = { ...request, requestState: first.result?.requestState, inputResponses: { [key]: {} } };
  return { first, targets, statuses, retry };
}
