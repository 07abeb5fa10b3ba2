import { json, type StandIn, startStandIn } from './stand-in.js';

export interface OracleStandIn extends StandIn {
  /** The pre-authenticated URL of an object. */
  url(object: string): string;
  readonly objects: ReadonlyMap<string, Buffer>;
}

/**
 * Stands in for a pre-authenticated request of Oracle Object Storage
 * (docs.oracle.com/iaas/Content/Object/Tasks/usingpreauthenticatedrequests.htm): the secret is a segment of the path,
 * PutObject requires a Content-Length, and what is expired, deleted or unknown is just not found.
 */
export async function startOracleStandIn(): Promise<OracleStandIn> {
  const folder = '/p/Zm9yLXRoaXMtdGVzdC1vbmx5LTEyMzQ/n/tenancy/b/bucket/o/';
  const objects = new Map<string, Buffer>();
  const standIn = await startStandIn(({ method, headers, target, body }) => {
    if (!target.startsWith(folder)) return json(404, { code: 'NotAuthorizedOrNotFound', message: target });
    if (method !== 'PUT') return json(405, { code: 'MethodNotAllowed', message: 'PUT only.' });
    if (headers['content-length'] === undefined)
      return json(411, { code: 'MissingContentLength', message: 'No length.' });
    objects.set(decodeURIComponent(target.slice(folder.length)), body);
    return { status: 200, headers: { etag: 'e' } };
  });
  return { ...standIn, objects, url: object => `${standIn.origin}${folder}${encodeURIComponent(object)}` };
}
