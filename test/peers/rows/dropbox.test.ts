import { expect, onTestFinished, test } from 'vitest';
import { startDropboxStandIn } from '../stand-ins/dropbox.js';
import { ODD_NAME, ONE_BYTE } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal, send } from '../support/send.js';

row({ name: 'Dropbox temporary upload link', kind: 'stand-in', peer: 'documented rules' }, () => {
  async function dropbox(options: { conflict?: boolean } = {}) {
    const standIn = await startDropboxStandIn(options);
    onTestFinished(() => standIn.close());
    return standIn;
  }
  const target = (url: string) =>
    ({ url, method: 'POST', headers: { 'Content-Type': 'application/octet-stream' } }) as const;

  stores(async () => {
    const { link, file: stored } = await dropbox();
    return { wire: target(link), status: 200, stored: async () => stored()! };
  });

  test.each(ENGINES)('is refused where the path has a conflict (%s engine)', async kind => {
    const { link } = await dropbox({ conflict: true });
    expect(await refusal(target(link), ODD_NAME, kind)).toEqual({ status: 409, reason: 'http_status' });
  });

  test('takes one file only', async () => {
    const { link } = await dropbox();
    await send(target(link), ONE_BYTE);
    expect(await refusal(target(link), ONE_BYTE)).toEqual({ status: 410, reason: 'http_status' });
  });

  test("is refused without the one type it takes, whatever the file's own type is", async () => {
    const { link } = await dropbox();
    const none = { url: link, method: 'POST' } as const;
    expect(await refusal(none, { ...ONE_BYTE, type: 'application/pdf' })).toEqual({
      status: 400,
      reason: 'http_status',
    });
    await send(target(link), { ...ONE_BYTE, type: 'application/pdf' });
  });
});
