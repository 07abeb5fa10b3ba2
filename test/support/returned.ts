import { createHash } from 'node:crypto';
import { afterEach } from 'vitest';
import type { FilesClientOptions, RemoteFile } from '../../src/index.js';
import { type Connected, connect, type Flavour } from './clients.js';
import { done, type Script, type ScriptedServer, startScriptedServer } from './scripted-server.js';
import { publish } from './tools.js';

type Json = Record<string, unknown>;

export interface Returning {
  readonly server: ScriptedServer;
  readonly host: Connected;
  /** What the tool returned. */
  readonly files: RemoteFile[];
}

/** Closes what a test began, the last thing first. */
export function cleanUps(): (() => PromiseLike<unknown>)[] {
  const undone: (() => PromiseLike<unknown>)[] = [];
  afterEach(async () => {
    for (const undo of undone.splice(0).reverse()) await undo();
  });
  return undone;
}

/** A host whose server has returned files: `downloads` of the server's origin, answered by `onStore`. */
export async function returning(
  cleanUp: (() => PromiseLike<unknown>)[],
  flavour: Flavour,
  downloads: (origin: string) => Json[],
  script: Partial<Script> = {},
  options: FilesClientOptions = {},
): Promise<Returning> {
  const server: ScriptedServer = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', { _meta: { 'io.modelcontextprotocol/files': { downloads: downloads(server.origin) } } }),
    onStore: (_, response) => void response.end('content'),
    ...script,
  });
  cleanUp.push(() => server[Symbol.asyncDispose]());
  const host = await connect(flavour, server.url, options);
  cleanUp.push(() => host[Symbol.asyncDispose]());
  const { files } = await host.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  return { server, host, files };
}

export const digestOf = (text: string | Uint8Array): Json => ({
  algorithm: 'sha-256',
  value: createHash('sha256').update(text).digest('base64url'),
});
