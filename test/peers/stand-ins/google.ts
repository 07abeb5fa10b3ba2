import { createHash, createVerify } from 'node:crypto';
import { NAME_OF_PART } from '../support/files.js';
import { type Answer, type Part, type Received, readForm, type StandIn, startStandIn, xmlError } from './stand-in.js';

export interface GoogleStandIn extends StandIn {
  /** By bucket and name. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The form parts that came last, in order. */
  readonly parts: readonly Part[];
}

interface Options {
  /** PEM, asked at each request. */
  readonly publicKey: () => string;
  /** Milliseconds since the epoch: an hour ahead makes every signature an expired one. */
  readonly now?: () => number;
}

/**
 * Stands in for Google Cloud Storage: verifies V4 signatures (RSA) of signed PUT URLs, and POST policies with their
 * signature, expiry and conditions, as cloud.google.com/storage/docs/authentication/canonical-requests and
 * /docs/xml-api/post-object-forms describe them.
 */
export async function startGoogleStandIn({ publicKey, now = Date.now }: Options): Promise<GoogleStandIn> {
  const objects = new Map<string, Buffer>();
  const parts: Part[] = [];
  const standIn = await startStandIn(async request => {
    if (request.headers['transfer-encoding'] !== undefined) return xmlError(411, 'MissingContentLength', 'No length.');
    if (request.method === 'PUT') return put(request);
    const form = request.method === 'POST' ? await readForm(request) : undefined;
    if (form === undefined) return xmlError(400, 'InvalidRequest', 'Neither PUT nor a form.');
    parts.splice(0, parts.length, ...form);
    return post(request, form);
  });
  return { ...standIn, objects, parts };

  function put(request: Received): Answer {
    const refused = checkSignedUrl(request, publicKey(), now());
    if (refused) return refused;
    objects.set(decodeURIComponent(request.url.pathname.slice(1)), request.body);
    return { status: 200, headers: { etag: '"e"' } };
  }

  function post(request: Received, form: Part[]): Answer {
    const at = form.findIndex(({ filename }) => filename !== undefined);
    // Fields after the file are not read by the service.
    const fields = new Map(form.slice(0, at).map(({ name, bytes }) => [name.toLowerCase(), bytes.toString()]));
    const file = form[at];
    if (file === undefined || file.name !== 'file') return xmlError(400, 'InvalidArgument', 'No part named file.');
    const bucket = decodeURIComponent(request.url.pathname.split('/')[1] ?? '');
    const refused = checkPolicy(fields, bucket, file.bytes.byteLength, publicKey(), now());
    if (refused) return refused;
    const key = (fields.get('key') ?? '').replaceAll(NAME_OF_PART, file.filename ?? '');
    objects.set(`${bucket}/${key}`, file.bytes);
    return { status: Number(fields.get('success_action_status') ?? 204) };
  }
}

function checkSignedUrl(request: Received, publicKey: string, now: number): Answer | undefined {
  const { url, headers, target } = request;
  const given = (name: string) => url.searchParams.get(`X-Goog-${name}`) ?? '';
  const start = Date.parse(given('Date').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (now > start + Number(given('Expires')) * 1000) return xmlError(400, 'ExpiredToken', 'The URL has expired.');
  const signed = given('SignedHeaders').split(';');
  const unsigned = Object.keys(headers).find(name => name.startsWith('x-goog-') && !signed.includes(name));
  if (unsigned) return xmlError(400, 'MalformedSecurityHeader', 'A header was not signed.');
  const [rawPath = '', rawQuery = ''] = target.split('?');
  const query = rawQuery
    .split('&')
    .filter(pair => !pair.startsWith('X-Goog-Signature='))
    .sort()
    .join('&');
  // The official signer signs the host without its port, which the service never has.
  const value = (name: string) => (name === 'host' ? headers.host?.replace(/:\d+$/, '') : headers[name]) ?? '';
  const canonical = [
    request.method,
    rawPath,
    query,
    ...signed.map(name => `${name}:${value(name).trim().replace(/\s+/g, ' ')}`),
    '',
    signed.join(';'),
    headers['x-goog-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = given('Credential').split('/').slice(1).join('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = [given('Algorithm'), given('Date'), scope, digest].join('\n');
  if (!verified(text, given('Signature'), publicKey)) return xmlError(403, 'SignatureDoesNotMatch', canonical);
  return checkRange(headers['x-goog-content-length-range'], request.body.byteLength);
}

function checkRange(range: string | undefined, length: number): Answer | undefined {
  if (range === undefined) return undefined;
  const [least = 0, most = 0] = range.split(',').map(Number);
  if (length < least) return xmlError(400, 'EntityTooSmall', 'Too small.');
  if (length > most) return xmlError(400, 'EntityTooLarge', 'Too large.');
  return undefined;
}

type Condition = Record<string, string> | [operator: string, ...operands: (string | number)[]];

/** Fields that need no condition. */
const FREE = /^(policy|x-goog-signature|file|x-ignore-.*)$/;

function checkPolicy(
  fields: ReadonlyMap<string, string>,
  bucket: string,
  length: number,
  publicKey: string,
  now: number,
): Answer | undefined {
  const encoded = fields.get('policy') ?? '';
  if (!verified(encoded, fields.get('x-goog-signature') ?? '', publicKey)) {
    return xmlError(403, 'SignatureDoesNotMatch', encoded);
  }
  const refuse = (why: string) => xmlError(400, 'InvalidPolicyDocument', `${why}: ${encoded}`);
  const policy: { expiration: string; conditions: Condition[] } = JSON.parse(Buffer.from(encoded, 'base64').toString());
  if (now > Date.parse(policy.expiration)) return refuse('The policy has expired');
  const values = new Map([...fields, ['bucket', bucket]]);
  const covered = new Set(['bucket']);
  for (const condition of policy.conditions) {
    if (Array.isArray(condition) && condition[0] === 'content-length-range') {
      const refused = checkRange(condition.slice(1).join(','), length);
      if (refused) return refused;
      continue;
    }
    const [operator, name, value] = Array.isArray(condition)
      ? [condition[0], String(condition[1]).replace('$', ''), String(condition[2])]
      : ['eq', ...(Object.entries(condition)[0] as [string, string])];
    const field = values.get(name.toLowerCase()) ?? '';
    covered.add(name.toLowerCase());
    if (operator === 'eq' ? field !== value : !field.startsWith(value)) return refuse(`Condition failed for ${name}`);
  }
  const loose = [...fields.keys()].find(name => !FREE.test(name) && !covered.has(name));
  return loose === undefined ? undefined : refuse(`No condition for ${loose}`);
}

function verified(text: string, hexSignature: string, publicKey: string): boolean {
  return createVerify('RSA-SHA256').update(text).verify(publicKey, hexSignature, 'hex');
}
