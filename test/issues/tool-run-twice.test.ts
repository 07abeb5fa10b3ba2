// smg-project/smg#2441, QwenLM/qwen-code#5381, mcheemaa/mistri#26: a client reconnected and sent tools/call again although the
// first one may have run the tool.
import { expect, test } from 'vitest';
import { fromBytes } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { host, publishing, server } from './support/call.js';

test.each(FLAVOURS)(
  'a call whose answer is lost is sent once, and says that the outcome is unknown: %s',
  async flavour => {
    const scripted = await server({ onCall: () => ({ raw: request => request.socket.destroy() }) });
    const { files } = await host(scripted.url, {}, flavour);
    const calling = files.callToolWithFiles(publishing({ deck: fromBytes('x', { name: 'x' }) }));
    await expect(calling).rejects.toMatchObject({
      code: 'outcome_unknown',
      outcome: 'unknown',
      details: { reason: 'response_lost' },
    });
    expect(scripted.calls).toHaveLength(1);
  },
);
