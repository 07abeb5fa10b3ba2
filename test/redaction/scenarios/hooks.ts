import { Client } from '@modelcontextprotocol/client';
import { FilesClient } from '../../../src/index.js';
import { done, inputRequired, type Script } from '../../support/scripted-server.js';
import type { Scenario, World } from '../world.js';

const inline: Pick<Script, 'capability'> = { capability: { maxInlineBytes: 5000 } };

/** What the host's own code may throw: with what it was working with, in every member. */
const hookError = ({ secret, key }: World): Error =>
  Object.assign(new Error(secret('hook error'), { cause: new Error(secret('hook error')) }), {
    name: key('hook error'),
    code: key('hook error'),
    response: { headers: { authorization: secret('hook error') } },
  });

const throwing = (w: World) => (): never => {
  throw hookError(w);
};
const rejecting = (w: World): (() => void) => (async () => Promise.reject(hookError(w))) as () => void;

const question = ({ secret }: World) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message: secret('question'), requestedSchema: { type: 'object', properties: {} } },
});
const asking = (w: World): Pick<Script, 'onCall'> => ({
  onCall: () => inputRequired({ [w.key('entry key')]: question(w) }, w.secret('request state')),
});

export const hooks: readonly Scenario[] = [
  { name: 'approval that fails', ends: 'approval_denied', options: w => ({ approve: throwing(w) }) },
  { name: 'approval that fails later', ends: 'approval_denied', options: w => ({ approve: rejecting(w) as never }) },
  { name: 'approval denied', ends: 'approval_denied', script: () => inline, options: () => ({ approve: () => false }) },
  {
    name: 'listeners that fail',
    ends: 'completes',
    options: w => ({ logger: throwing(w) }),
    callOptions: w => ({ onProgress: throwing(w) }),
  },
  {
    name: 'listeners that fail later',
    ends: 'completes',
    options: w => ({ logger: rejecting(w) }),
    callOptions: w => ({ onProgress: rejecting(w) }),
  },
  { name: 'a question that nobody answers', ends: 'input_unsupported', script: asking },
  {
    name: 'a question by a method that is a key',
    ends: 'input_unsupported',
    on: { flavour: 'v1' },
    script: w => ({ onCall: () => inputRequired({ q: { method: w.key('method'), params: {} } }) }),
  },
  {
    name: 'an answer that fails',
    ends: 'input_unsupported',
    script: asking,
    options: w => ({ onInputRequest: throwing(w) }),
  },
  {
    name: 'questions without end',
    ends: 'too_many_rounds',
    script: asking,
    options: w => ({
      maxRounds: 1,
      onInputRequest: () => ({ action: 'accept', content: { a: w.secret('answer of the host') } }),
    }),
  },
  {
    name: 'output that does not pass',
    ends: 'output_invalid',
    script: w => ({ ...inline, onCall: () => done('ok', { structuredContent: { a: w.secret('output') } }) }),
    options: w => ({
      validateOutput: (_, content) => {
        throw Object.assign(hookError(w), { content });
      },
    }),
    // The result itself is for the host; here it has none.
  },
  {
    name: 'a policy with a URL for a host',
    ends: 'argument_invalid',
    options: w => ({ policy: { allowHosts: [`https://u:${w.key('user')}@h.example/?sig=${w.key('query')}`] } }),
  },
  {
    name: 'a policy with a URL for a network',
    ends: 'argument_invalid',
    options: w => ({
      policy: { allowPrivateNetwork: [`https://u:${w.key('user')}@h.example/8?sig=${w.key('query')}`] },
    }),
  },
  {
    name: 'a client that is not connected',
    ends: 'not_connected',
    act: (_, w) => {
      const serverUrl = `https://u:${w.key('user')}@h.example/mcp?key=${w.key('server key')}`;
      const files = new FilesClient(new Client({ name: 'a', version: '1' }), { serverUrl });
      return files.callToolWithFiles({ name: 'publish', arguments: { deck: w.file() } });
    },
  },
  {
    name: 'a client that is closed',
    ends: 'aborted',
    act: async ({ files }, w) => {
      await files.close();
      return files.callToolWithFiles({ name: 'publish', arguments: { deck: w.file() } });
    },
  },
];
