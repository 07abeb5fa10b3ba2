// form-data/form-data GHSA-fjxv-7rqg-78g4 (CVE-2025-7783): boundaries came from Math.random, so whoever saw some of its numbers
// could put further fields into a value.
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeEnvelope } from '../../src/transfer/form.js';

test('boundaries do not depend on Math.random', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const form = { fields: [], fileField: 'file' };
  const write = async () => (await writeEnvelope(form, { name: 'a', type: 'text/plain' })).contentType;
  const boundaries = new Set(await Promise.all([write(), write(), write()]));
  expect(boundaries.size).toBe(3);
  expect(random).not.toHaveBeenCalled();
});
