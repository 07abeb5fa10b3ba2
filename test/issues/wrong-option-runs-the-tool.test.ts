// Found by trying: a time-out that no timer takes was sent along, and ended the call when the tool had run.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { host, publishing, server } from './support/call.js';

const wrong = [
  { timeout: -1 },
  { timeout: 0 },
  { timeout: Number.NaN },
  { timeout: Number.POSITIVE_INFINITY },
  { timeout: 2 ** 31 },
  { signal: {} as AbortSignal },
];

test.each(FLAVOURS)('an option that cannot work is refused before anything is sent: %s', async flavour => {
  let calls = 0;
  const { url } = await server({
    onCall: () => {
      calls++;
      return { result: { content: [] } };
    },
  });
  const { files } = await host(url, {}, flavour);
  for (const options of wrong) {
    const call = files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }), options);
    await expect(call).rejects.toMatchObject({ code: 'argument_invalid', outcome: 'not_run' });
    await expect(files.resources.read('demo://x', options)).rejects.toMatchObject({ code: 'argument_invalid' });
  }
  expect(calls).toBe(0);
});
