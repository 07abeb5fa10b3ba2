import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { FIVE_MEGABYTES, ODD_NAME, ONE_BYTE, sha256, type TestFile } from '../support/files.js';
import { get, peer } from '../support/peers.js';
import { row, stores } from '../support/row.js';
import { refusal, type WireTarget } from '../support/send.js';

const { url: origin, key = '' } = peer('swift');
const path = '/v1/AUTH_test/uploads';
const temporaryKey = randomUUID();
const sign = (...lines: (string | number)[]) =>
  createHmac('sha256', temporaryKey).update(lines.join('\n')).digest('hex');
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;
const aMinuteAgo = () => Math.floor(Date.now() / 1000) - 60;

let token = '';
const stored = (name: string) => get(`${origin}${path}/${encodeURIComponent(name)}`, { 'X-Auth-Token': token });

beforeAll(async () => {
  const login = await fetch(`${origin}/auth/v1.0`, { headers: { 'X-Auth-User': 'test:tester', 'X-Auth-Key': key } });
  token = login.headers.get('x-auth-token') ?? '';
  const headers = { 'X-Auth-Token': token, 'X-Account-Meta-Temp-URL-Key': temporaryKey };
  await fetch(`${origin}/v1/AUTH_test`, { method: 'POST', headers });
  await fetch(origin + path, { method: 'PUT', headers });
});

row({ name: 'Form with field names of its own', kind: 'real peer', peer: 'OpenStack Swift form post' }, () => {
  interface Options {
    prefix: string;
    maxSize?: number;
    expires?: number;
  }

  /** docs.openstack.org/swift/latest/api/form_post_middleware.html */
  function formTarget({ prefix, maxSize = 10_000_000, expires = inAMinute() }: Options): WireTarget {
    const signature = sign(`${path}/${prefix}`, '', maxSize, 1, expires);
    const values = { redirect: '', max_file_size: maxSize, max_file_count: 1, expires, signature };
    const fields = Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
    return { url: `${origin}${path}/${prefix}`, form: { fields, fileField: 'file1' } };
  }

  /** The quotes of a file name are percent-encoded in a form, and Swift takes the name as it stands there. */
  const storedName = ({ name }: TestFile) => name.replaceAll('"', '%22');

  stores(async (file, kind) => {
    const prefix = `${kind}-`;
    return { wire: formTarget({ prefix }), status: 201, stored: () => stored(prefix + storedName(file)) };
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
    const wire = formTarget({ prefix: 'late-', expires: aMinuteAgo() });
    expect(await refusal(wire, ODD_NAME, kind)).toEqual({ status: 401, reason: 'http_status' });
  });

  test('is refused when a field was tampered with', async () => {
    const wire = formTarget({ prefix: 'mine-', maxSize: 2_000_000 });
    const fields = wire.form!.fields.map(field =>
      field.name === 'max_file_size' ? { ...field, value: '9000000' } : field,
    );
    const refused = { status: 401, reason: 'http_status' };
    expect(await refusal({ ...wire, form: { ...wire.form, fields } }, FIVE_MEGABYTES)).toEqual(refused);
  });

  test('is refused over the signed size', async () => {
    const wire = formTarget({ prefix: 'large-', maxSize: 1_000_000 });
    expect(await refusal(wire, FIVE_MEGABYTES)).toEqual({ status: 400, reason: 'http_status' });
  });

  test('the storage does refuse a form with the file first, which the library never sends', async () => {
    const { url, form } = formTarget({ prefix: 'first-' });
    const data = new FormData();
    data.append('file1', new Blob([ONE_BYTE.bytes as Uint8Array<ArrayBuffer>]), 'one.bin');
    for (const { name, value } of form!.fields) data.append(name, value);
    expect((await fetch(url, { method: 'POST', body: data })).status).toBe(400);
  });

  test('a redirect that the form asks for is a failure, though the file is there', async () => {
    const expires = inAMinute();
    const redirect = `${origin}/healthcheck`;
    const signature = sign(`${path}/sent-on-`, redirect, 5_000, 1, expires);
    const values = { redirect, max_file_size: 5_000, max_file_count: 1, expires, signature };
    const fields = Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
    const wire = { url: `${origin}${path}/sent-on-`, form: { fields, fileField: 'file1' } };
    expect(await refusal(wire, ONE_BYTE)).toEqual({ status: 303, reason: 'redirected' });
    expect(sha256(await stored(`sent-on-${ONE_BYTE.name}`))).toBe(sha256(ONE_BYTE.bytes));
  });
});

row({ name: 'PUT with a signature in the query', kind: 'real peer', peer: 'OpenStack Swift temporary URL' }, () => {
  /** docs.openstack.org/swift/latest/api/temporary_url_middleware.html: the path is signed as it is before encoding. */
  function putTarget(name: string, expires = inAMinute(), method = 'PUT'): WireTarget {
    const signature = sign(method, expires, `${path}/${name}`);
    return {
      url: `${origin}${path}/${encodeURIComponent(name)}?temp_url_sig=${signature}&temp_url_expires=${expires}`,
    };
  }

  stores(async (file, kind) => {
    const name = `put-${kind}-${file.name}`;
    return { wire: putTarget(name), status: 201, stored: () => stored(name) };
  });

  test.each(['built-in', 'fetch'] as const)('is refused when it has expired (%s engine)', async kind => {
    const refused = { status: 401, reason: 'http_status' };
    expect(await refusal(putTarget('late', aMinuteAgo()), ODD_NAME, kind)).toEqual(refused);
  });

  test('is refused when it was tampered with, or signed for another method', async () => {
    const { url } = putTarget('mine');
    const refused = { status: 401, reason: 'http_status' };
    expect(await refusal({ url: url.replace('/mine?', '/yours?') }, ONE_BYTE)).toEqual(refused);
    expect(await refusal(putTarget('mine', inAMinute(), 'GET'), ONE_BYTE)).toEqual(refused);
  });
});
