import { SERVICE_CODE } from '../errors/index.js';
import type { EngineResponse } from './engine.js';

/** An error body is read no further than this: it is only searched for a code. */
const LIMITS = { bytes: 64 * 1024, milliseconds: 5_000 };

/** Azure, Amazon. The latter appends a link to its documentation after a colon. */
const CODE_HEADERS = ['x-ms-error-code', 'x-amz-error-code', 'x-amzn-errortype'];

/**
 * The storage service's own code for why it refused, from a header, an XML `<Code>` or the usual members of a JSON
 * body. `undefined` where there is none that looks like a code. Never throws, and leaves nothing open.
 *
 * @param isSecret told the code: what was sent is no code, though it may look like one
 */
export async function readServiceCode(
  response: EngineResponse,
  isSecret: (code: string) => boolean,
  limits = LIMITS,
): Promise<string | undefined> {
  const named = CODE_HEADERS.map(name => response.header(name)?.split(':', 1)[0]);
  const mayBeShown = (code: unknown): code is string => isCode(code) && !isSecret(code);
  const code = named.find(mayBeShown) ?? codeInText(await readText(response, limits), mayBeShown);
  await response.discard();
  return code;
}

/** Reads the rest of an answer that nobody needs, so that its connection can be used again; not for long. */
export async function drain(response: EngineResponse): Promise<void> {
  await readText(response, { bytes: LIMITS.bytes, milliseconds: 1_000 });
  await response.discard();
}

async function readText(response: EngineResponse, limits: typeof LIMITS): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Letting go of the answer ends the loop below.
  const timer = setTimeout(() => void response.discard(), limits.milliseconds);
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk.subarray(0, limits.bytes - bytes), { stream: true });
      bytes += chunk.byteLength;
      if (bytes >= limits.bytes) break;
    }
  } catch {
    // The status is known and is the result; a broken body only means that no code may be found.
  } finally {
    clearTimeout(timer);
  }
  return text;
}

/** The likeliest code in the body of an answer. */
export function codeInText(text: string, mayBeShown: (code: unknown) => code is string = isCode): string | undefined {
  const xml = /<(?:[\w-]+:)?Code>\s*([^<\s]{1,64})\s*</.exec(text)?.[1];
  return [xml, ...codesInJson(text)].find(mayBeShown);
}

/**
 * `{error: {code}}` Graph, Azure; `{error: {status}}` Google, where `code` only repeats the HTTP status; `{code}` Oracle;
 * `{error}` Slack; `{errorCode}`; `{errors: [{code}]}` Cloudflare; `{error: {".tag"}}` Dropbox.
 */
function codesInJson(text: string): unknown[] {
  if (!/^\s*\{/.test(text)) return [];
  try {
    const { error, code, errorCode, errors } = JSON.parse(text);
    const found = [error?.code, error?.status, code, error, errorCode, errors?.[0]?.code, error?.['.tag']];
    const words = found.filter(value => typeof value === 'string');
    return [...words, ...found.filter(value => typeof value === 'number').map(String)];
  } catch {
    return [];
  }
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && SERVICE_CODE.test(value);
}
