import { json, type Received, type StandIn, startStandIn } from './stand-in.js';

const MAX_REQUEST = 60 * 1024 * 1024;

export interface GraphSession extends StandIn {
  readonly uploadUrl: string;
  /** The file, once its last byte is here. */
  readonly file: () => Buffer | undefined;
}

/**
 * Stands in for an upload session of Microsoft Graph (learn.microsoft.com/graph/api/driveitem-createuploadsession):
 * `Content-Range` is required, `Authorization` is not to be sent, an incomplete file is answered 202 with what is still
 * expected, a session ends with its file.
 */
export async function startGraphSession(options: { nameIsTaken?: boolean } = {}): Promise<GraphSession> {
  const token = 'tempauth=eyJ0eXAiOiJKV1QifQ.c2Vzc2lvbg';
  let held = Buffer.alloc(0);
  let file: Buffer | undefined;
  const standIn = await startStandIn(request => {
    if (request.headers.authorization !== undefined) return graphError(401, 'unauthenticated');
    if (!request.target.endsWith(`?${token}`) || file !== undefined) return graphError(404, 'itemNotFound');
    if (request.method !== 'PUT' || request.headers['content-length'] === undefined)
      return graphError(400, 'invalidRequest');
    const range = readRange(request);
    if (range === undefined || request.body.byteLength >= MAX_REQUEST) return graphError(400, 'invalidRequest');
    if (range.start !== held.byteLength) return graphError(416, 'invalidRange');
    held = Buffer.concat([held, request.body]);
    if (held.byteLength < range.total) {
      return json(202, { expirationDateTime: '2030-01-01T00:00:00Z', nextExpectedRanges: [`${held.byteLength}-`] });
    }
    if (options.nameIsTaken) return graphError(409, 'nameAlreadyExists');
    file = held;
    return json(201, { id: 'item', size: file.byteLength, file: {} });
  });
  return { ...standIn, uploadUrl: `${standIn.origin}/drive/items/01/uploadSession?${token}`, file: () => file };
}

function readRange({ headers, body }: Received): { start: number; total: number } | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '');
  if (!match) return undefined;
  const [start, end, total] = match.slice(1).map(Number) as [number, number, number];
  return end - start + 1 === body.byteLength && end < total ? { start, total } : undefined;
}

function graphError(status: number, code: string) {
  return json(status, { error: { code, message: 'A message that may quote the session.', innerError: {} } });
}
