// gotev/android-upload-service#161: the bytes of the form were counted against the size of the file: over 100 %.
import { expect, test } from 'vitest';
import { builtInEngine, send, storage } from './support/transfer.js';

test('only bytes of the file are counted, whatever the form around it weighs', async () => {
  const server = await storage();
  const seen: number[] = [];
  const form = { fields: [['policy', 'x'.repeat(200_000)]] as const, fileField: 'file' };
  await send(builtInEngine(), server.origin, { file: 'abc', target: { form }, onSent: bytes => seen.push(bytes) });
  expect(Math.max(...seen)).toBe(3);
  expect(seen[0]).toBe(0);
});
