import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBytes, isFilesError } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { done, inputRequired, type ScriptedAnswer, uploadEntry } from '../support/scripted-server.js';
import { type Storage, storage } from '../transfer/support/server.js';
import { call, type Setup } from './support/world.js';

const file = fromBytes('content', { name: 'a.txt' });
const elicitation = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};
const accept = { action: 'accept', content: {} };

let server: Storage;
beforeEach(async () => {
  server = await storage();
});
afterEach(() => server.close());

const put = (name = 'put') => ({ url: `${server.origin}/${name}?sig=SECRET` });
const upload = (targets: object = { '/assets/0': put() }) => inputRequired({ up: uploadEntry(targets) }, 'state');

describe.each(FLAVOURS)('on %s', flavour => {
  /** A call whose legs are answered one after the other; the last answer stays. */
  const ask = (answers: readonly ScriptedAnswer[], setup: Partial<Setup> = {}) =>
    call({
      flavour,
      files: [file],
      storage: server,
      onCall: (_, index) => answers[Math.min(index, answers.length - 1)]!,
      ...setup,
    });

  describe('an upload entry', () => {
    it('in a second round is refused: the tool may have run, and no file is sent twice', async () => {
      const { error, calls } = await ask([upload(), upload()]);
      expect(error).toMatchObject({
        code: 'server_violation',
        outcome: 'unknown',
        details: { reason: 'second_upload_round' },
        transfers: [{ pointer: '/assets/0', status: 200 }],
      });
      expect(calls).toHaveLength(2);
      expect(server.requests).toHaveLength(1);
    });

    it('in a second round is refused after a question in between too', async () => {
      const options = { onInputRequest: () => accept };
      const { error, calls } = await ask([upload(), inputRequired({ q: elicitation }, 'two'), upload()], { options });
      expect(error).toMatchObject({ code: 'server_violation', outcome: 'unknown' });
      expect(calls).toHaveLength(3);
      expect(server.requests).toHaveLength(1);
    });

    it('beside a question: both are answered in one retry', async () => {
      const asked: string[] = [];
      const options = {
        onInputRequest: ({ method }: { method: string }) => {
          asked.push(method);
          return accept;
        },
      };
      const round = inputRequired({ up: uploadEntry({ '/assets/0': put() }), q: elicitation }, 'state');
      const { error, calls } = await ask([round, done()], { options });
      expect(error).toBeUndefined();
      expect(calls).toHaveLength(2);
      expect(calls[1]!.params).toMatchObject({ inputResponses: { up: {}, q: accept }, requestState: 'state' });
      expect(asked).toEqual(['elicitation/create']);
      expect(server.requests).toHaveLength(1);
    });

    it.each([
      ['nobody answers', {}, 'input_unsupported'],
      ['that is not answered', { onInputRequest: () => undefined }, 'input_unsupported'],
      ['whose answer fails', { onInputRequest: () => Promise.reject(new Error('SECRET')) }, 'input_unsupported'],
    ])('beside a question %s ends the call, and the tool has not run', async (_, options, code) => {
      const round = inputRequired({ up: uploadEntry({ '/assets/0': put() }), q: elicitation }, 'state');
      let asked = 0;
      const approve = () => {
        asked++;
        return true;
      };
      const { error, calls } = await ask([round, done()], { options: { ...options, approve } });
      expect(error).toMatchObject({ code, outcome: 'not_run' });
      expect(calls).toHaveLength(1);
      // Where there is nobody to ask, that is known before the upload is prepared.
      expect(asked).toBe('onInputRequest' in options ? 1 : 0);
    });

    it.each<[string, () => object]>([
      ['for an unknown pointer', () => ({ '/assets/0': put(), '/assets/7': put('surplus') })],
      ['for an argument that is no file', () => ({ '/assets/0': put(), '/site': put('surplus') })],
      ['without a target for the file', () => ({})],
      ['with both url and path', () => ({ '/assets/0': { ...put(), path: 'x' } })],
      ['with neither url nor path', () => ({ '/assets/0': { method: 'PUT' } })],
    ])('%s is refused before any byte of any file', async (_, targets) => {
      const { error, calls } = await ask([upload(targets()), done()]);
      expect(error).toMatchObject({ code: 'server_violation', outcome: 'not_run' });
      expect(calls).toHaveLength(1);
      expect(server.connections).toBe(0);
    });

    it('without a target for one of two files is refused before any byte of the other', async () => {
      const { error, calls } = await ask([upload(), done()], { files: [file, file] });
      expect(error).toMatchObject({ code: 'server_violation', outcome: 'not_run' });
      expect(calls).toHaveLength(1);
      expect(server.connections).toBe(0);
    });

    it('for a file that went inline is refused: it went already, and the tool may have run', async () => {
      const { error, calls } = await ask([upload(), done()], { options: { inlineLimit: 1_000 } });
      expect(calls[0]!.params.arguments.assets[0]).toHaveProperty('data');
      expect(error).toMatchObject({ code: 'server_violation', outcome: 'unknown' });
      expect(calls).toHaveLength(1);
      expect(server.connections).toBe(0);
    });
  });

  describe('the retry', () => {
    const retry = async (answer: ScriptedAnswer, setup: Partial<Setup> = {}) => {
      const { error, result, calls } = await ask([upload(), answer], setup);
      expect(server.requests).toHaveLength(1);
      return { error, result, legs: calls.length };
    };

    it.each<[string, ScriptedAnswer, string]>([
      ['its state was used before', { error: { code: -32602, message: 'Invalid params' } }, 'state_consumed'],
      [
        'its state is not known any more',
        { error: { code: -32602, message: 'gone', data: { reason: 'invalid_request_state' } } },
        'state_consumed',
      ],
      ['the connection is lost', { raw: request => request.socket.destroy() }, 'response_lost'],
      [
        'the answer ends in its middle',
        {
          raw: (_, response) => {
            response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
            response.write('{"jsonrpc":"2.0","id"', () => response.destroy());
          },
        },
        'response_lost',
      ],
      [
        'a gateway answers with HTML',
        { raw: (_, response) => response.writeHead(502).end('<html>bad</html>') },
        'response_lost',
      ],
      ['it is too large', { raw: (_, response) => response.writeHead(413).end() }, 'response_lost'],
    ])('of which %s leaves the outcome unknown, and is not sent again', async (_, answer, reason) => {
      const { error, legs } = await retry(answer);
      expect(error).toMatchObject({
        name: 'OutcomeUnknownError',
        code: 'outcome_unknown',
        outcome: 'unknown',
        details: { reason },
        transfers: [{ pointer: '/assets/0', bytes: 7, status: 200 }],
      });
      expect(legs).toBe(2);
    });

    it('that is not answered in time leaves the outcome unknown, and is not sent again', async () => {
      const { error, calls } = await ask([upload(), { raw: () => {} }], { timeout: 2_000 });
      expect(error).toMatchObject({
        code: 'outcome_unknown',
        outcome: 'unknown',
        details: { reason: 'response_lost' },
      });
      expect(calls).toHaveLength(2);
    });

    it('that the server answers with an error of its own is rethrown as it is', async () => {
      const { error, legs } = await retry({ error: { code: -32000, message: 'quota' } });
      expect(isFilesError(error)).toBe(false);
      expect(error).toMatchObject({ code: -32000 });
      expect(legs).toBe(2);
    });

    it('that is answered with another question goes on, with the state of that round', async () => {
      const options = { onInputRequest: () => accept };
      const { error, calls } = await ask([upload(), inputRequired({ q: elicitation }, 'two'), done()], { options });
      expect(error).toBeUndefined();
      expect(calls.map(({ params }) => params.requestState)).toEqual([undefined, 'state', 'two']);
      expect(calls[2]!.params.inputResponses).toEqual({ q: accept });
      expect(server.requests).toHaveLength(1);
    });

    it('that is answered with a question nobody answers leaves the outcome unknown', async () => {
      const { error, legs } = await retry(inputRequired({ q: elicitation }, 'two'));
      expect(error).toMatchObject({ code: 'input_unsupported', outcome: 'unknown' });
      expect(legs).toBe(2);
    });
  });

  it.each([
    ['of questions', () => inputRequired({ q: elicitation }, 'again')],
    ['of nothing but state', () => inputRequired(undefined, 'again')],
  ])('the eleventh round %s is one too many', async (_, round) => {
    const options = { onInputRequest: () => accept };
    const { error, calls } = await ask([round()], { options });
    expect(error).toMatchObject({ code: 'too_many_rounds', outcome: 'not_run', details: { maxRounds: 10 } });
    expect(calls).toHaveLength(11);
    expect(server.connections).toBe(0);
  });

  it('the tenth round is not, and an upload may be one of them', async () => {
    const options = { onInputRequest: () => accept };
    const rounds = Array.from({ length: 9 }, () => inputRequired({ q: elicitation }, 'again'));
    const { error, calls } = await ask([...rounds, upload(), done()], { options });
    expect(error).toBeUndefined();
    expect(calls).toHaveLength(11);
    expect(server.requests).toHaveLength(1);
  });

  it('an eleventh round after the upload leaves the outcome unknown', async () => {
    const { error, calls } = await ask([upload(), inputRequired(undefined, 'again')]);
    expect(error).toMatchObject({ code: 'too_many_rounds', outcome: 'unknown' });
    expect(calls).toHaveLength(11);
    expect(server.requests).toHaveLength(1);
  });
});
