import { getEventListeners } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FilesClientOptions, fromPath, isFilesError } from '../../src/index.js';
import { type Connected, connect, FLAVOURS } from '../support/clients.js';
import {
  done,
  inputRequired,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abort-'));
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(3 * 1024 * 1024, 1));
  await writeFile(join(folder, 'small.bin'), 'small');
  return () => rm(folder, { recursive: true });
});

/** Descriptors of this process that point into the test's folder. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return [];
    }
  });
}

const question = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

describe.each(FLAVOURS)('abort on %s', flavour => {
  let server: ScriptedServer;
  let host: Connected;
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** A call that takes every step there is; `step` is called at each of them. */
  const runCall = async (step: (name: string) => void, signal: AbortSignal, how: FilesClientOptions) => {
    server = await startScriptedServer({
      tools: [publish],
      onCall: (_, index) => {
        step(`leg ${index} at the server`);
        if (index > 0) return done();
        return inputRequired(
          {
            up: uploadEntry({ '/deck': { path: 'a', credentials: 'include' }, '/assets/0': { path: 'b' } }),
            ask: question,
          },
          'state',
        );
      },
      onStore: (_, response) => {
        step('answer of the storage');
        response.writeHead(200).end();
      },
    });
    host = await connect(flavour, server.url, {
      inlineLimit: 0,
      logger: event => step(`log ${event.type}`),
      approve: () => {
        step('approve');
        return true;
      },
      credentials: () => {
        step('credentials');
        return { authorization: 'x' };
      },
      onInputRequest: () => {
        step('onInputRequest');
        return { action: 'accept' };
      },
      ...how,
    });
    return host.files.callToolWithFiles(
      {
        name: 'publish',
        arguments: {
          site: 's',
          deck: fromPath(join(folder, 'large.bin')),
          assets: [fromPath(join(folder, 'small.bin'))],
        },
      },
      { signal, onProgress: p => step(`progress ${p.phase} ${p.sentBytes}`) },
    );
  };

  it.each([
    ['the built-in engine', {}],
    ['the fetch option', { fetch: globalThis.fetch }],
  ] as const)('at each step leaves nothing open and repeats nothing, with %s', async (_, how) => {
    let steps = 0;
    const whole = new AbortController();
    await runCall(() => steps++, whole.signal, how);
    expect(getEventListeners(whole.signal, 'abort')).toHaveLength(0);
    expect(steps).toBeGreaterThan(20);
    await host[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();

    for (let at = 0; at < steps; at++) {
      const controller = new AbortController();
      const reason = new Error(`at step ${at}`);
      let seen = 0;
      let stepName = '';
      const outcome = await runCall(
        name => {
          if (seen++ !== at) return;
          stepName = name;
          controller.abort(reason);
        },
        controller.signal,
        how,
      ).catch((error: unknown) => error);
      // A call that was over before its last event may return its result.
      if (!(outcome instanceof Error)) {
        expect(stepName).toMatch(/^$|progress calling|call_finished|leg_answered|leg 1/);
      } else {
        expect(isFilesError(outcome) && [outcome.code, outcome.cause], stepName).toEqual(['aborted', reason]);
        // Only a retry that went out can have run the tool; one that was stopped on its way may not have arrived.
        const possible = server.calls.length > 1 ? ['unknown', 'completed'] : ['not_run', 'unknown'];
        expect(possible, stepName).toContain((outcome as { outcome?: string }).outcome);
        if (!/calling|leg_sent|leg_answered/.test(stepName) && server.calls.length === 1) {
          expect(outcome, stepName).toMatchObject({ outcome: 'not_run' });
        }
      }
      expect(server.calls.length).toBeLessThanOrEqual(2);
      expect(openFiles(), stepName).toEqual([]);
      expect(getEventListeners(controller.signal, 'abort'), stepName).toHaveLength(0);
      await host[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    }
  });

  it('is seen before anything is done when the signal was aborted already', async () => {
    const controller = new AbortController();
    controller.abort('gone');
    const error = await runCall(() => {}, controller.signal, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not_run', cause: 'gone' });
    expect(server.calls).toHaveLength(0);
  });
});
