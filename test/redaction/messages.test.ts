import { describe, expect, it } from 'vitest';
import { fromBytes, fromStream } from '../../src/index.js';
import { FLAVOURS } from '../support/clients.js';
import { inputRequired } from '../support/scripted-server.js';
import { play } from './play.js';
import { asks, failing, type Scenario, type World } from './world.js';

/** The message of the error that a scenario ends with. */
async function messageOf(scenario: Partial<Scenario>): Promise<string> {
  const { error } = await play(failing('', '', scenario), 'v2 modern', 'built-in');
  return error.message.replace(/127\.0\.0\.1:\d+/g, 'storage.example');
}

const answering = (status: number, body = '', target: (w: World) => object = w => w.target()): Partial<Scenario> => ({
  script: w => ({ ...asks(w, () => target(w)), onStore: (_, to) => void to.writeHead(status).end(body) }),
});

describe('the message of a failed transfer says what was sent, what came of it, and what to do', () => {
  const put = 'PUT of "deck.bin" (2350 bytes) to http://storage.example/bucket/deck.bin failed:';

  it.each([
    [403, '<Error><Code>AccessDenied</Code></Error>', '(status 403 AccessDenied)', 'may have expired'],
    [401, '{"error":{"code":"InvalidAuthenticationToken"}}', '(status 401 InvalidAuthenticationToken)', 'new target'],
    [404, '{"code":"BucketNotFound"}', '(status 404 BucketNotFound)', 'not there any more'],
    [410, '', '(status 410)', 'new target'],
    [409, '', '(status 409)', 'used before'],
    [411, '', '(status 411)', 'another target'],
    [413, '<Code>EntityTooLarge</Code>', '(status 413 EntityTooLarge)', 'larger than this storage takes'],
    [400, '<Code>InvalidPolicyDocument</Code>', '(status 400 InvalidPolicyDocument)', 'left out'],
    [429, '', '(status 429)', 'later'],
    [503, '<Code>SlowDown</Code>', '(status 503 SlowDown)', 'later'],
  ])('%i %s', async (status, body, told, advice) => {
    const message = await messageOf(answering(status, body));
    expect(message.startsWith(`${put} the storage refused it ${told}. The tool has not run. `)).toBe(true);
    expect(message).toContain(advice);
  });

  it('a redirect, to whoever runs the server', async () => {
    expect(await messageOf(answering(307))).toBe(
      [
        `${put} the storage redirected the upload, which is never followed (status 307).`,
        'The tool has not run. The server has to name the address that takes the file.',
      ].join(' '),
    );
  });

  it('a form, and a path with a token in it', async () => {
    const target = (w: World) => w.formTarget({ url: `${w.origin}/p/Yd7x8K-_abc123DEF456ghi789/o?sig=1` });
    expect(await messageOf(answering(403, '', target))).toContain(
      'POST of "deck.bin" (2350 bytes, in a form) to http://storage.example/p/…/o failed:',
    );
  });

  it('the option that helps against a stall', async () => {
    const stuck = async function* () {
      await new Promise(() => {});
    };
    const message = await messageOf({
      options: () => ({ timeouts: { stall: 50 } }),
      call: () => ({ arguments: { site: 's', deck: fromStream(stuck as never, { name: 'slow.bin', size: 10 }) } }),
    });
    expect(message).toContain('PUT of "slow.bin" (10 bytes)');
    expect(message).toContain('timeouts.stall');
  });
});

describe.each(FLAVOURS)('nobody can write a line of their own into the log of %s', flavour => {
  const forged = '\r\n2026-01-01 ERROR forged';

  it.each<[string, Partial<Scenario>]>([
    ['a tool', { call: () => ({ name: `publish${forged}`, arguments: { deck: fromBytes('x', { name: 'x' }) } }) }],
    [
      'a file name',
      { options: () => ({ approve: () => false }), call: w => ({ arguments: { deck: w.file(`a${forged}`) } }) },
    ],
    ['an argument', { call: () => ({ arguments: { [`x${forged}`]: fromBytes('x', { name: 'x' }) } }) }],
    ['a method', { script: () => ({ onCall: () => inputRequired({ q: { method: `x${forged}`, params: {} } }) }) }],
    ['a target', { script: w => asks(w, () => w.target(), { [`/x${forged}`]: () => w.target() }) }],
  ])('by the name of %s', async (_, scenario) => {
    const lines: string[] = [];
    const { error, ended } = await play(
      {
        name: '',
        ends: 'completes',
        ...scenario,
        options: async w => ({
          ...(await scenario.options?.(w)),
          logger: event => lines.push(...Object.entries(event).map(([name, value]) => `${name}=${value}`)),
        }),
      },
      flavour,
      'built-in',
    );
    expect(ended).not.toBe('completes');
    expect(lines.length).toBeGreaterThan(0);
    expect([String(error.message), ...lines].filter(line => /[\r\n]/.test(line))).toEqual([]);
  });
});
