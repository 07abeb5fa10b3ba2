import { type Answer, type StandIn, startStandIn } from './stand-in.js';

export interface SlackStandIn extends StandIn {
  readonly uploadUrl: string;
  readonly file: () => Buffer | undefined;
}

/**
 * Stands in for an upload URL of Slack (docs.slack.dev/reference/methods/files.getUploadURLExternal): a POST of the raw
 * bytes, of the length that was named when the URL was asked for. Success is 200 and text; anything else is a failure.
 * The text of a refusal is made up: Slack documents none.
 */
export async function startSlackStandIn(length: number): Promise<SlackStandIn> {
  let file: Buffer | undefined;
  const standIn = await startStandIn(({ method, headers, target, body }) => {
    const refuse = (status: number): Answer => ({
      status,
      headers: { 'content-type': 'text/plain' },
      body: `no: ${target}`,
    });
    if (method !== 'POST' || file !== undefined) return refuse(404);
    if (headers['content-length'] === undefined || body.byteLength === 0 || body.byteLength !== length)
      return refuse(400);
    file = body;
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: `OK - ${body.byteLength}` };
  });
  return { ...standIn, uploadUrl: `${standIn.origin}/upload/v1/CwABAAAAWgoAAZnDg7mQ`, file: () => file };
}
