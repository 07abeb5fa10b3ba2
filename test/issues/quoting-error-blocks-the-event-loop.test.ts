// Found in review: to mask what an error quotes, all that was sent was searched once for each text of the error, and each of
// its characters marked again for each quotation: an error of a few hundred bytes took 11 s.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isFilesError } from '../../src/index.js';
import { maskEchoes } from '../../src/resources/echoes.js';
import { rpcError, scripted } from '../resources/scripted.js';

async function refused(content: Uint8Array, message: string, data?: unknown) {
  await using server = await scripted('v2 modern', () => {
    throw rpcError(-32000, message, data);
  });
  const error = await server.files.resources.create({ name: 'a.bin', content }).catch((thrown: unknown) => thrown);
  if (!isFilesError(error)) throw error;
  return error;
}

test('zeros, refused with zeros', async () => {
  const error = await refused(new Uint8Array(786_432), 'A'.repeat(2000));
  expect(error.details).toMatchObject({ message: '…' });
});

test('a list of 250 texts', async () => {
  const content = randomBytes(780_000);
  const quoted = content.toString('base64').slice(3000, 3040);
  const list = Array.from({ length: 250 }, (_, at) => `server text number ${at}`);
  const error = await refused(content, 'too much', { list: [...list, `near ${quoted}`], inner: { quoted } });
  expect(error.details).toMatchObject({ data: { list: [...list, 'near …'], inner: { quoted: '…' } } });
});

test('more texts than anybody reads', async () => {
  const list = Array.from({ length: 250 }, (_, first) =>
    Array.from({ length: 250 }, (_, second) => `${'ab'.repeat(40)} ${first} ${second}`),
  );
  const { details } = await refused(randomBytes(780_000), 'too much', { list });
  expect(JSON.stringify(details).length).toBeLessThan(1_000_000);
});

test('all that was sent is looked at once, however many texts there are', () => {
  let cuts = 0;
  const sent = 'abcdefghijklmnop'.repeat(1000);
  const counted = {
    length: sent.length,
    slice: (from?: number, to?: number) => {
      cuts += 1;
      const part = sent.slice(from, to);
      return from === 0 && (to ?? 0) >= sent.length ? (counted as unknown as string) : part;
    },
  };
  const given = Array.from({ length: 100 }, (_, at) => `text number ${at} near ijklmnopabcdefgh`);
  const mask = maskEchoes([counted as unknown as string], given);
  expect(mask(given[7]!)).toBe('text number 7 near …');
  expect(cuts).toBeLessThanOrEqual(sent.length + 1);
});

test('a text that was not given beforehand is not shown', () => {
  expect(maskEchoes(['what was sent'], ['one'])('what was sent')).toBe('…');
});
