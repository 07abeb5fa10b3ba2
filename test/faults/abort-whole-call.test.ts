import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilesClient, fromBytes, fromPath, type LogEvent, type ToolCall } from '../../src/index.js';
import { type Connected, connect } from '../support/clients.js';
import {
  done,
  inputRequired,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../support/scripted-server.js';
import { publish } from '../support/tools.js';
import { type TemporaryFolder, temporaryFolder } from '../transfer/support/open-files.js';
import { answer, type Storage, storage } from '../transfer/support/server.js';
import type { Steps } from './support/steps.js';
import { abortAtEveryStep, type Run, type Sweep } from './support/sweep.js';
import { MODES } from './support/world.js';

vi.setConfig({ testTimeout: 120_000 });

let folder: TemporaryFolder;
let server: Storage;
let mcp: ScriptedServer;
let host: Connected;
let agent: Agent;
/** Of the run that goes on. What a server gets late belongs to the one before. */
let signal: AbortSignal;
let step: Steps['step'] = () => {};
let run = 0;
let legs = 0;
const isLate = (of: string): boolean => !of.endsWith(`-run-${run}`);

beforeEach(async () => {
  folder = await temporaryFolder();
  agent = new Agent();
  // Neither answers after an abort: nobody may wait for it.
  server = await storage(({ line }) => {
    if (isLate(line.split(' ')[1]!)) return undefined;
    step('storage');
    return signal.aborted ? undefined : answer(200);
  });
  mcp = await startScriptedServer({
    tools: [publish],
    onCall: ({ params }) => {
      const unanswered = { raw: (_: unknown, response: ServerResponse) => void response.destroy() };
      if (isLate(params.arguments.site)) return unanswered;
      legs++;
      step('leg at the server');
      if (signal.aborted) return unanswered;
      if (params.requestState !== undefined) return done();
      const targets = {
        '/assets/0': { path: `up/0-run-${run}`, credentials: 'include', ...MODES.PUT },
        '/assets/1': { url: `${server.origin}/1-run-${run}`, ...MODES.form },
        '/assets/2': { url: `${server.origin}/2-run-${run}`, ...MODES.POST },
      };
      const ask = {
        method: 'elicitation/create',
        params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
      };
      return inputRequired({ up: uploadEntry(targets), ask }, 'state');
    },
    onStore: ({ url }, response) => {
      if (isLate(url)) return;
      step('path target');
      if (!signal.aborted) response.writeHead(200).end();
    },
  });
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await agent.destroy();
  await mcp[Symbol.asyncDispose]();
  await server.close();
  await folder.remove();
});

/** What a hook answers; nothing after an abort. */
const unlessAborted = <T>(answered: T): T | Promise<never> => (signal.aborted ? new Promise(() => {}) : answered);

const hooks = {
  inlineLimit: 0,
  concurrency: 2,
  approve: () => {
    step('approve');
    return unlessAborted(true);
  },
  credentials: () => {
    step('credentials');
    return unlessAborted({ authorization: 'x' });
  },
  onInputRequest: () => {
    step('onInputRequest');
    return unlessAborted({ action: 'accept' });
  },
  logger: ({ type }: LogEvent) => step(`log ${type}`),
};

/** A file for each way, and every kind of step there is. */
const callOf = async (): Promise<ToolCall> => ({
  name: 'publish',
  arguments: {
    site: `s-run-${run}`,
    assets: [
      fromPath(join(folder.path, 'large')),
      fromPath(join(folder.path, 'small')),
      fromBytes('content', { name: 'a' }),
    ],
  },
});

const next = (now: Run): void => {
  ({ step, signal } = now);
  run++;
  legs = 0;
};

/** Only a retry that went out can have run the tool; one that was stopped on its way may not have arrived. */
const check: Sweep['check'] = ({ error, stepName }) => {
  expect(legs, stepName).toBeLessThanOrEqual(2);
  if (error === undefined) return;
  const possible = legs > 1 ? ['unknown', 'completed'] : ['not_run', 'unknown'];
  const { outcome } = error as { outcome: string };
  expect(possible, stepName).toContain(outcome);
  // Right before a request: it is not sent any more, so nothing of it can have run.
  if (/log leg_sent|progress calling/.test(stepName)) expect(outcome, stepName).toBe('not_run');
};

beforeEach(async () => {
  await folder.write('large', Buffer.alloc(100_000));
  await folder.write('small', 'content');
});

describe('a whole call', () => {
  it.each([
    ['v2 modern', 'built-in'],
    ['v1', 'fetch'],
  ] as const)('ends at whatever step it is aborted, and leaves nothing: %s, %s', async (flavour, engine) => {
    const fetch = ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent })) as never;
    host = await connect(flavour, mcp.url, { ...hooks, ...(engine === 'fetch' && { fetch }) });
    const steps = await abortAtEveryStep({
      task: async now => {
        next(now);
        await host.files.callToolWithFiles(await callOf(), {
          signal,
          onProgress: ({ phase }) => step(`progress ${phase}`),
        });
      },
      check,
      idle: async () => {},
      closesItsConnections: false,
    });
    expect(steps).toBeGreaterThan(300);
    await host.files.close();
    await agent.destroy();
    await server.idle();
  });

  it('ends at whatever step its client is closed, and the client is closed when nothing is left of it', async () => {
    host = await connect('v2 legacy', mcp.url, hooks);
    let files: FilesClient | undefined;
    let isRunning = false;
    let closing: Promise<void> | undefined;
    const steps = await abortAtEveryStep({
      task: async now => {
        next(now);
        files = undefined; // making one is a step, too
        files = new FilesClient(host.mcp, { serverUrl: mcp.url, ...hooks });
        isRunning = true;
        try {
          await files.callToolWithFiles(await callOf(), { onProgress: ({ phase }) => step(`progress ${phase}`) });
        } finally {
          isRunning = false;
          await closing;
        }
      },
      end: () => {
        if (files === undefined) return;
        signal = AbortSignal.abort(); // which the servers look at
        closing = files.close().then(async () => {
          await new Promise(resolve => setImmediate(resolve)); // the call's own promise settles a moment later
          expect(isRunning).toBe(false);
        });
      },
      check,
      close: async () => {
        closing = undefined;
        await files?.close();
      },
      idle: () => server.idle(),
      closesItsConnections: true,
    });
    expect(steps).toBeGreaterThan(300);
  });
});
