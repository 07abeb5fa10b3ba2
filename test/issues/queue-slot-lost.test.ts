// transloadit/uppy#2016, #1736: an upload that timed out or was cancelled in the queue never gave its slot back; in the end
// nothing was sent any more.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { done, host, inputRequired, publishing, server, uploadEntry } from './support/call.js';

test('transfers that time out, are aborted or were waiting leave their slot to the next call', async () => {
  let silent = true;
  const storage = await server({
    capability: { maxInlineBytes: 0 },
    onCall: ({ params }) =>
      params.requestState === undefined
        ? inputRequired({ up: uploadEntry({ '/assets/0': { path: 'up/0' }, '/assets/1': { path: 'up/1' } }) }, 'state')
        : done(),
    onStoreStart: () => silent,
  });
  const { files } = await host(storage.url, { concurrency: 1, timeouts: { response: 1_000 } });
  const assets = ['0', '1'].map(name => fromBytes('content', { name }));
  await expect(files.callToolWithFiles(publishing({ assets }))).rejects.toMatchObject({ code: 'transfer_timeout' });
  const caller = new AbortController();
  const aborted = files.callToolWithFiles(publishing({ assets }), { signal: caller.signal });
  setTimeout(() => caller.abort(), 50);
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
  silent = false;
  await expect(files.callToolWithFiles(publishing({ assets }))).resolves.toMatchObject({ content: [{ text: 'done' }] });
});
