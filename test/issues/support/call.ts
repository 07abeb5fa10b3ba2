import { onTestFinished } from 'vitest';
import type { FilesClientOptions } from '../../../src/index.js';
import { type Connected, connect, type Flavour } from '../../support/clients.js';
import {
  done,
  inputRequired,
  type Script,
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
  uploadEntry,
} from '../../support/scripted-server.js';
import { publish } from '../../support/tools.js';

export { done, inputRequired, uploadEntry } from '../../support/scripted-server.js';

/** A scripted server with one tool that takes files; closed with the test. */
export async function server(script: Partial<Script> = {}): Promise<ScriptedServer> {
  const made = await startScriptedServer({ tools: [publish], onCall: () => done(), ...script });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

/** A connected host; closed with the test. */
export async function host(
  url: string,
  options: FilesClientOptions = {},
  flavour: Flavour = 'v2 modern',
): Promise<Connected> {
  const made = await connect(flavour, url, options);
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

/** Asks for uploads on the first `tools/call`, and is content with the second. */
export function uploadThenDone(targets: () => Record<string, unknown>): Script['onCall'] {
  return (_call, index): ScriptedAnswer =>
    index === 0 ? inputRequired({ up: uploadEntry(targets()) }, 'state') : done('stored');
}

/** The call of most tests. */
export function publishing(files: Record<string, unknown>) {
  return { name: 'publish', arguments: { site: 's', ...files } };
}
