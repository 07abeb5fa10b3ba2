import type { UploadRequest } from './upload-request.js';

/** A storage that sends back what it was sent does so from the start. */
export const HEAD_BYTES = 64 * 1024;

/** Shorter codes are in any text by chance. */
const SHORTEST_CODE = 4;
/** Shorter words of a header or a path are names, which a code may well have in it. */
const SHORTEST_KEY = 16;

/**
 * Tells whether a service's code is something that was sent: part of a query value, a header, the host's credential, a
 * form value or the file, or with a key of those in it. Services echo requests into their errors, and a signature has
 * the form of a code. `head`: the first {@link HEAD_BYTES} of the body, form fields included.
 */
export function echoIn(
  request: Pick<UploadRequest, 'target' | 'credentialHeaders'>,
  head: Uint8Array,
): (code: string) => boolean {
  const { requestPath, headers, form } = request.target;
  const [path = '', ...query] = requestPath.split('?');
  const values = [
    ...query.join('?').split('&').map(withoutName),
    ...[...headers, ...request.credentialHeaders, ...(form?.fields ?? [])].map(([, value]) => value),
  ].flatMap(value => [value, decoded(value)].map(text => text.toLowerCase()));
  const keys = [path, ...values].flatMap(text => text.toLowerCase().match(/[\w.-]+/g) ?? []);
  const long = keys.filter(key => key.length >= SHORTEST_KEY);
  const text = new TextDecoder('latin1').decode(head).toLowerCase();
  return code => {
    const given = code.toLowerCase();
    if (long.some(key => given.includes(key) || key.includes(given))) return true;
    return given.length >= SHORTEST_CODE && [...values, text].some(sent => sent.includes(given));
  };
}

function withoutName(parameter: string): string {
  return parameter.slice(parameter.indexOf('=') + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
