import { expect, onTestFinished, test } from 'vitest';
import { startSlackStandIn } from '../stand-ins/slack.js';
import { EMPTY, FILES, ODD_NAME, ONE_BYTE } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal } from '../support/send.js';

row({ name: 'Slack external upload URL', kind: 'stand-in', peer: 'documented rules' }, () => {
  async function slackFor(length: number) {
    const slack = await startSlackStandIn(length);
    onTestFinished(() => slack.close());
    return slack;
  }

  stores(
    async file => {
      const slack = await slackFor(file.bytes.byteLength);
      return {
        wire: { url: slack.uploadUrl, method: 'POST' },
        status: 200,
        async stored() {
          expect(slack.received[0]?.headerNames).not.toContain('content-type');
          return slack.file()!;
        },
      };
    },
    FILES.filter(file => file !== EMPTY),
  );

  test.each(ENGINES)('an empty file cannot be sent: a failure with the status (%s engine)', async kind => {
    const slack = await slackFor(0);
    const wire = { url: slack.uploadUrl, method: 'POST' } as const;
    expect(await refusal(wire, EMPTY, kind)).toEqual({ status: 400, reason: 'http_status' });
  });

  test.each(ENGINES)('is refused with another length than the one that was asked for (%s engine)', async kind => {
    const slack = await slackFor(ODD_NAME.bytes.byteLength + 1);
    const wire = { url: slack.uploadUrl, method: 'POST' } as const;
    expect(await refusal(wire, ODD_NAME, kind)).toEqual({ status: 400, reason: 'http_status' });
  });

  test('is refused with PUT', async () => {
    const slack = await slackFor(1);
    expect(await refusal({ url: slack.uploadUrl }, ONE_BYTE)).toEqual({ status: 404, reason: 'http_status' });
  });
});
