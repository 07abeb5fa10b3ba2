import { createHash } from 'node:crypto';
import { type Answer, json, type StandIn, startStandIn } from './stand-in.js';

const BLOCK = 4 * 1024 * 1024;

export interface DropboxStandIn extends StandIn {
  readonly link: string;
  readonly file: () => Buffer | undefined;
}

/**
 * Stands in for a temporary upload link of Dropbox (dropbox.com/developers/documentation/http/documentation, under
 * get_temporary_upload_link): one POST with exactly `application/octet-stream`; 410 once it is used or expired, 409 for
 * whatever the file's path runs into.
 */
export async function startDropboxStandIn(options: { conflict?: boolean } = {}): Promise<DropboxStandIn> {
  let file: Buffer | undefined;
  const standIn = await startStandIn(({ method, headers, body }): Answer => {
    if (method !== 'POST' || headers['content-type'] !== 'application/octet-stream') return text(400);
    if (file !== undefined) return text(410);
    if (options.conflict) return text(409);
    file = body;
    return json(200, { 'content-hash': contentHash(body) });
  });
  return { ...standIn, link: `${standIn.origin}/apitul/1/bNi2uIYF51cVBND`, file: () => file };
}

function text(status: number): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: 'Conflict or worse' };
}

/** dropbox.com/developers/reference/content-hash */
function contentHash(bytes: Buffer): string {
  const all = createHash('sha256');
  for (let at = 0; at < bytes.byteLength; at += BLOCK) {
    all.update(
      createHash('sha256')
        .update(bytes.subarray(at, at + BLOCK))
        .digest(),
    );
  }
  return all.digest('hex');
}
