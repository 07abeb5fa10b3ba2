import { createHash } from 'node:crypto';
import type { FilesError } from '../../../src/errors/index.js';
import { type DownloadRequest, download } from '../../../src/transfer/download.js';
import type { TransferEngine } from '../../../src/transfer/engine.js';
import type { CheckedTarget } from '../../../src/transfer/target.js';
import { checkTarget, type TargetContext } from '../../../src/transfer/target-policy.js';
import { failure } from './upload.js';

/** A client whose server is on loopback, so that http to loopback is allowed. */
const context: TargetContext = {
  serverUrl: 'http://127.0.0.1:9/mcp',
  policy: {},
  engineKind: 'built-in',
  proxied: false,
  hasCredentials: true,
  now: Date.now,
  direction: 'download',
};

export interface Fetching extends Partial<Omit<DownloadRequest, 'target' | 'timeouts' | 'sha256'>> {
  readonly target?: Partial<CheckedTarget>;
  readonly timeouts?: Partial<DownloadRequest['timeouts']>;
  /** base64url */
  readonly sha256?: string;
}

/** The pieces of one download, with everything but what a test is about left at its simplest. */
export function fetching(engine: TransferEngine, origin: string, { target, timeouts, sha256, ...rest }: Fetching = {}) {
  return download(engine, {
    name: 'out/a.txt',
    target: {
      via: 'url',
      method: 'GET',
      origin,
      hostname: '127.0.0.1',
      shownPath: '/get',
      requestPath: '/get?signature=secret-signature',
      headers: [],
      credentials: 'omit',
      ...target,
    },
    credentialHeaders: [],
    timeouts: { connect: 0, stall: 0, response: 0, ...timeouts },
    signal: new AbortController().signal,
    checkRedirect: url => checkTarget({ url, method: 'GET', headers: [], credentials: 'omit' }, context),
    onSize: () => {},
    onReceived: () => {},
    ...(sha256 !== undefined && { sha256: { expected: sha256, start: startSha256 } }),
    ...rest,
  });
}

function startSha256() {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('base64url') };
}

export async function fetchText(engine: TransferEngine, origin: string, how?: Fetching): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of fetching(engine, origin, how)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Code and details of the error that a download ends with; the origin is left out. */
export async function fetchFailure(engine: TransferEngine, origin: string, how?: Fetching) {
  const error: FilesError = await failure(fetchText(engine, origin, how));
  const { origin: _, ...details } = error.details ?? {};
  return { code: error.code, ...details };
}
