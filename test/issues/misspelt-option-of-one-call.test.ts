// Found by a newcomer: an option of one operation that was misspelt did nothing, and nothing said so.
import { expect, test } from 'vitest';
import type { FilesClient, LogEvent } from '../../src/index.js';
import { publish } from '../support/tools.js';
import { host, server } from './support/call.js';

test.each<[string, (files: FilesClient, options: never) => unknown]>([
  ['callToolWithFiles', (files, options) => files.callToolWithFiles({ name: 'publish' }, options)],
  ['listTools', (files, options) => files.listTools(options)],
  ['resources.supported', ({ resources }, options) => resources.supported(options)],
  ['resources.create', ({ resources }, options) => resources.create({ name: 'x', content: 'x' }, options)],
  ['resources.delete', ({ resources }, options) => resources.delete('demo://x', options)],
  ['resources.list', ({ resources }, options) => resources.list(options)],
  ['resources.templates', ({ resources }, options) => resources.templates(options)],
  ['resources.read', ({ resources }, options) => resources.read('demo://x', options)],
  ['resources.subscribe', ({ resources }, options) => resources.subscribe('demo://x', () => {}, options)],
])('%s lets an unknown option pass, and names it to the logger once', async (name, operate) => {
  const events: LogEvent[] = [];
  const { url } = await server();
  const { files } = await host(url, { logger: event => events.push(event) });
  const operation = operate(files, { onProgres: () => {}, signal: undefined } as never);
  await Promise.resolve(operation).catch(() => {}); // the server has no resources
  const warnings = events.filter(({ type }) => type === 'warning').map(({ message }) => message);
  expect(warnings).toEqual([`${name} has no option "onProgres": it was ignored.`]);
});

test('no option that there is causes a warning', async () => {
  const events: LogEvent[] = [];
  const { url } = await server();
  const { files } = await host(url, { logger: event => events.push(event) });
  const { signal } = new AbortController();
  const request = { signal, timeout: 5000 };
  const onProgress = (): void => {};
  const call = { ...request, onProgress, resetTimeoutOnProgress: true, scope: 's', tool: publish as never };
  await files.callToolWithFiles({ name: 'publish' }, call);
  await files.listTools(request);
  const { resources } = files;
  await resources.supported(request);
  await resources.create({ name: 'x', content: 'x' }, { ...request, maxBytes: 5, onProgress }).catch(() => {});
  await resources.read('demo://x', { ...request, maxBytes: 5, fetchHttps: false }).catch(() => {});
  expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
});

test.each([{ signal: {} }, { timeout: -1 }])('a list of tools with %j', async options => {
  const { url } = await server();
  const { files } = await host(url);
  await expect(files.listTools(options as never)).rejects.toMatchObject({ code: 'argument_invalid' });
});

test('no options at all, where null is given for them', async () => {
  const { url } = await server();
  const { files } = await host(url);
  await expect(files.listTools(null as never)).resolves.toHaveLength(1);
  await expect(files.resources.supported(null as never)).resolves.toMatchObject({ create: false });
  await expect(files.callToolWithFiles({ name: 'publish' }, null as never)).resolves.toMatchObject({ files: [] });
});
