import type { IncomingMessage, ServerResponse } from 'node:http';
import { done, inputRequired, type Script, type ScriptedAnswer, uploadEntry } from '../../support/scripted-server.js';
import { asks, type Scenario, type World } from '../world.js';

const EXTENSION = 'io.modelcontextprotocol/files';

const inline: Pick<Script, 'capability'> = { capability: { maxInlineBytes: 5000 } };

/** A page as a gateway makes it. */
const page =
  (status: number, { secret, key }: World) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, secret('reason phrase'), { 'content-type': 'text/html', 'x-secret': key('answer') });
    response.end(`<html>${secret('answer')}</html>`);
  };

const jsonRpcError = ({ secret }: World): ScriptedAnswer => ({
  error: { code: -32602, message: secret('server error'), data: { text: secret('server error') } },
});

/** The answer to the request that follows the upload. */
const retried = (
  name: string,
  [ends, reason]: readonly [Scenario['ends'], reason?: string],
  answer: (w: World) => ReturnType<Script['onCall']>,
  more: Partial<Scenario> = {},
): Scenario => ({
  name,
  ends,
  ...(reason === undefined ? {} : { reason }),
  script: w => {
    const first = () => inputRequired({ up: uploadEntry({ '/deck': w.target() }) }, w.secret('request state'));
    return { onCall: (_, index) => (index === 0 ? first() : answer(w)) };
  },
  ...more,
});

export const answers: readonly Scenario[] = [
  { name: 'a file inside the call', ends: 'completes', script: () => ({ ...inline, onCall: () => done() }) },
  {
    name: 'a call without files',
    ends: 'completes',
    script: w => ({
      onCall: () => done('ok', { _meta: { [EXTENSION]: { downloads: [{ name: 'a', ...w.target() }] } } }),
    }),
    call: () => ({ arguments: { site: 's' } }),
  },
  {
    name: 'files that come back, some with broken targets',
    ends: 'completes',
    script: w => ({
      ...inline,
      onCall: () => {
        const { method: _, ...target } = w.target();
        const downloads = [
          { name: 'a.pdf', mimeType: 'application/pdf', size: 3, ...target },
          { name: 'b.pdf', ...target, path: w.secret('url path') },
          { name: 'c.pdf', url: 7, size: w.secret('answer'), digest: w.secret('answer') },
          w.secret('answer'),
        ];
        return done('ok', { _meta: { [EXTENSION]: { downloads } } });
      },
    }),
  },
  { name: 'a server without the extension', ends: 'extension_unsupported', script: () => ({ capability: null }) },
  {
    name: 'a server of an older draft',
    ends: 'extension_unsupported',
    script: w => ({ capability: { prepareUpload: w.secret('capability') } }),
  },
  {
    name: 'a tool that nobody knows',
    ends: 'argument_invalid',
    call: w => ({ name: 'nothing', arguments: { deck: w.file() } }),
  },
  {
    name: 'a message that is too large',
    ends: 'file_too_large',
    script: w => ({ onCall: () => ({ raw: page(413, w) }) }),
  },
  { name: 'an error of the server', ends: "server's own", script: w => ({ ...inline, onCall: () => jsonRpcError(w) }) },
  {
    name: 'a page in place of an answer',
    ends: 'outcome_unknown',
    reason: 'response_lost',
    script: w => ({ ...inline, onCall: () => ({ raw: page(502, w) }) }),
  },
  retried('a state that was used before', ['outcome_unknown', 'state_consumed'], jsonRpcError),
  retried('another error of the server to the retry', ["server's own"], w => ({
    error: { code: -32001, message: w.secret('server error') },
  })),
  retried('a gateway that fails', ['outcome_unknown', 'response_lost'], w => ({ raw: page(502, w) })),
  retried('an answer that is lost', ['outcome_unknown', 'response_lost'], () => ({
    raw: (_, response) => void response.socket!.destroy(),
  })),
  retried('an answer that takes too long', ['outcome_unknown', 'response_lost'], () => new Promise(() => {}), {
    callOptions: () => ({ timeout: 2000 }),
  }),
  retried('an answer that is no JSON', ['outcome_unknown', 'result_refused_by_sdk'], ({ secret }) => ({
    raw: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"x": ${secret('answer')}`);
    },
  })),
  {
    name: 'a call that is given up while a file is on its way',
    ends: 'aborted',
    callOptions: () => ({ signal: AbortSignal.timeout(200) }),
    script: w => ({ ...asks(w, () => w.target()), onStore: () => new Promise(() => {}) }),
  },
];
