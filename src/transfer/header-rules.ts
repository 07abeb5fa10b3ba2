import { shownName } from '../errors/index.js';
import { type CheckedTarget, type HeaderEntry, refused, type TargetForm } from './target.js';

const MOST_HEADERS = 64;
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_FIELDS = 256;
const MOST_FIELD_BYTES = 256 * 1024;

/** They frame the message or belong to one connection; another length or coding splits one request into two. */
const FRAMING = /^(transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/;

/** They speak for the user, the client or the network, or send the request to another resource. */
const FORGING = new RegExp(
  `^(${[
    'cookie2?|origin|referer|forwarded|x-real-ip|x-method-override',
    '(sec-|mcp-|x-http-method|x-forwarded-|metadata).*',
    // The same as X-Method-Override, for the path: IIS and Symfony. The same as Metadata-Flavor, for AWS and Google.
    'x-original-url|x-rewrite-url|x-(aws-ec2|google)-metadata-.*',
  ].join('|')})$`,
);

/**
 * The headers of a target as they may be sent: `Host` dropped where it is the target's own, `Content-Type` dropped on a
 * form (it lacks the boundary). Throws `header_forbidden`.
 *
 * @param destination where the request goes; only its scheme, host and port are looked at
 */
export function checkHeaders(headers: readonly HeaderEntry[], destination: URL, isForm: boolean): HeaderEntry[] {
  checkEntries(headers);
  return headers.filter(([name, value]) => {
    const key = headerKey(name);
    if (FRAMING.test(key) || FORGING.test(key)) throw forbidden(`A target may not set ${shownName(name)}.`, name);
    if (key === 'host') {
      if (isHostOf(value.trim(), destination)) return false;
      throw forbidden("A target's Host is not its own host.", name);
    }
    return !(isForm && key === 'content-type');
  });
}

/**
 * The host's own credential for an `include` target. Throws `header_forbidden` for a malformed entry, for one that would
 * change the request itself, and where target and credential name the same header; `credentials_scope` for `omit`.
 */
export function mergeCredentialHeaders(
  target: CheckedTarget,
  headers: Readonly<Record<string, string>>,
): HeaderEntry[] {
  const entries: HeaderEntry[] = Object.entries(headers);
  if (target.credentials !== 'include' && entries.length > 0) {
    throw refused('credentials_scope', 'A target without "include" gets no credential.');
  }
  checkEntries([...target.headers, ...entries]);
  for (const [name] of entries) {
    const key = headerKey(name);
    if (FRAMING.test(key) || /^(host|content-(length|type))$/.test(key)) {
      throw forbidden(`A credential may not set ${shownName(name)}.`, name);
    }
  }
  return entries;
}

/**
 * Everything this library asks the engine to send, once the body is known: the target's headers, then the credential's.
 * A `Content-Length` of the target is dropped, since the engine writes it; throws `header_forbidden` where it is another
 * than the body's.
 */
export function wireHeaders(
  target: CheckedTarget,
  request: { readonly bodyLength: number; readonly credentialHeaders: readonly HeaderEntry[] },
): HeaderEntry[] {
  const own = target.headers.filter(([name, value]) => {
    if (headerKey(name) !== 'content-length') return true;
    if (value.trim() === String(request.bodyLength)) return false;
    throw forbidden(`A target's Content-Length is not that of the body, ${request.bodyLength} bytes.`, name);
  });
  return [...own, ...request.credentialHeaders];
}

/**
 * Values may be any text: they stand between boundaries that nobody can guess. Names stand in quotes within a part's
 * header, where form-data and browsers escape only `"`, CR and LF: the controls that are left and the backslash, which
 * some readers take for the start of an escape, could make one name two. Throws `header_forbidden`.
 */
export function checkFormFields({ fields, fileField }: TargetForm): void {
  for (const name of [fileField, ...fields.map(([field]) => field)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (name === '' || /[\x00-\x1f\x7f\\]/.test(name)) {
      throw refused('header_forbidden', 'The name of a form field is empty or has a control character or a backslash.');
    }
  }
  const size = sizeOf([...fields, [fileField, '']]);
  if (fields.length > MOST_FIELDS || size > MOST_FIELD_BYTES) {
    throw refused(
      'header_forbidden',
      `A form of ${fields.length} fields and ${size} characters is over the limits, ${MOST_FIELDS} and ${MOST_FIELD_BYTES}.`,
    );
  }
}

function checkEntries(headers: readonly HeaderEntry[]): void {
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    // RFC 9110, 5.6.2. The name is not shown: whatever it is, it is no name.
    if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)) throw refused('header_forbidden', 'A header has a malformed name.');
    // RFC 9110, 5.5. Beyond U+00FF there is no byte for it in a header.
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw forbidden(`The value of header ${shownName(name)} has characters that no header can carry.`, name);
    }
    const key = name.toLowerCase();
    if (seen.has(key)) throw forbidden(`Header ${shownName(name)} is given twice.`, name);
    seen.add(key);
  }
  const size = sizeOf(headers);
  if (headers.length > MOST_HEADERS || size > MOST_HEADER_BYTES) {
    throw refused(
      'header_forbidden',
      `${headers.length} headers of ${size} bytes are over the limits, ${MOST_HEADERS} and ${MOST_HEADER_BYTES}.`,
    );
  }
}

/** As it stands on the wire: each with its colon, space and line end. */
function sizeOf(entries: readonly HeaderEntry[]): number {
  return entries.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** As gateways of the CGI kind see it: they read `_` as `-`. */
function headerKey(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Signers write it with or without the scheme's own port. */
function isHostOf(value: string, { protocol, host }: URL): boolean {
  return (
    /^[\w.:[\]-]+$/.test(value) &&
    URL.canParse(`${protocol}//${value}`) &&
    new URL(`${protocol}//${value}`).host === host
  );
}

function forbidden(message: string, name: string) {
  return refused('header_forbidden', message, { header: shownName(name) });
}
