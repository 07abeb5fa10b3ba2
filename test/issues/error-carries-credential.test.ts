// axios/axios#6919, clusterzx/paperless-ai#966: the error of a failed request held the whole request; printing it put the bearer
// token into the log.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { host, publishing, server, uploadThenDone } from './support/call.js';
import { everything } from './support/showing.js';

test.each([403, 0])(
  'neither the error nor the log shows a credential, header or form value: status %i',
  async status => {
    const events: unknown[] = [];
    const scripted = await server({
      capability: { maxInlineBytes: 0 },
      onCall: uploadThenDone(() => ({
        '/deck': {
          path: 'up/1',
          credentials: 'include',
          headers: { 'x-amz-security-token': 'SECRET-header' },
          form: { fields: [{ name: 'policy', value: 'SECRET-field' }] },
        },
      })),
      onStore: (_request, response) => {
        if (status === 0) response.destroy();
        else response.writeHead(status).end();
      },
    });
    const { files } = await host(scripted.url, {
      credentials: () => ({ authorization: 'Bearer SECRET-credential' }),
      logger: event => events.push(event),
    });
    const deck = fromBytes('SECRET-content', { name: 'deck' });
    const error = await files.callToolWithFiles(publishing({ deck })).catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'transfer_failed' });
    expect(events.length).toBeGreaterThan(3);
    expect(scripted.stored[0]!.headers.authorization).toBe('Bearer SECRET-credential');
    expect(everything([error, events]) + everything(error)).not.toContain('SECRET');
  },
);
