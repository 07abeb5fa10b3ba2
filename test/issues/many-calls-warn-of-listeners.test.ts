// Node warns of a leak at the eleventh abort listener on one signal. Twenty calls at once, or a call with twenty files,
// each used to put one of their own on the shared signal.
import { expect, it } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { startReferenceServer } from '../../src/testing/index.js';
import { connect } from '../support/clients.js';

it('twenty calls at once, and twenty files in one, cause no warning of leaking listeners', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', onWarning);
  const server = await startReferenceServer({ maxInlineBytes: 0 });
  const host = await connect('v2 modern', server.url);
  const { signal } = new AbortController();
  try {
    const documents = Array.from({ length: 20 }, (_, index) => fromBytes('x', { name: `${index}` }));
    await Promise.all(
      documents.map(document =>
        host.files.callToolWithFiles({ name: 'save_file', arguments: { folder: 'f', document } }, { signal }),
      ),
    );
    await host.files.callToolWithFiles({ name: 'save_files', arguments: { documents } }, { signal });
    await new Promise(resolve => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    await host[Symbol.asyncDispose]();
    await server.close();
  }
});
