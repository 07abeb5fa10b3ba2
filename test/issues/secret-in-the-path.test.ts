import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { engine, failure, send } from '../transfer/support/upload.js';

/**
 * Several services put the whole credential into the path and have no query: who knows the URL may write. The shapes are
 * those of their documentation.
 */
const URLS = [
  ['Oracle', '/p/', '8RUxyG6TvHM2fVLVgMjpXSKBTpU5KOAIjOhsQ4zXr7V', '/n/tenancy/b/bucket/o/report.pdf'],
  ['Slack', '/upload/v1/', 'CwACAAAAtgoAAVmSCwABAAAAWgoAAZnDg7mQ', ''],
  ['Dropbox', '/apitul/1/', 'bNi2uIYF51cVBND', ''],
  ['Cloudflare Images', '/Vi7wi5KSItxGFsWRG2Us6Q/', '2cdc28f0-017a-49c4-9ed7-87056c83901f', ''],
  ['Cloudflare Stream', '/', 'f65014bc6ff5419ea86e7972a047ba22', ''],
  ['Microsoft Graph', '/up/', 'fe6987415ace7X4e1eF866337', ''],
] as const;

test.each(URLS)('a URL of %s stays out of the error of its transfer', async (_, before, secret, after) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(403).end());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const used = engine();
  onTestFinished(async () => {
    await used.close();
    server.close();
  });
  const path = before + secret + after;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error = await failure(send(used, origin, { target: { requestPath: path, shownPath: path } }));
  const shown = `${error.message} ${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)}`;
  expect(shown).toContain(origin);
  expect(shown).not.toContain(secret);
});
