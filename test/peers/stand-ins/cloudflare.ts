import { json, type Part, readForm, type StandIn, startStandIn } from './stand-in.js';

export interface CloudflareStandIn extends StandIn {
  readonly uploadURL: string;
  readonly file: () => Part | undefined;
}

/**
 * Stands in for a direct upload of Cloudflare Images or Stream (developers.cloudflare.com/images and /stream, "direct
 * creator uploads"): one form POST whose only part is `file`. The numbers of the error codes are made up.
 */
export async function startCloudflareStandIn(service: 'images' | 'stream'): Promise<CloudflareStandIn> {
  const most = service === 'images' ? 10_000_000 : 200_000_000;
  let file: Part | undefined;
  const standIn = await startStandIn(async request => {
    const parts = (request.method === 'POST' && (await readForm(request))) || [];
    const part = parts.find(({ name, filename }) => name === 'file' && filename !== undefined);
    if (part === undefined) return refuse(400, 5400);
    if (parts.length > 1) return refuse(400, 5401);
    if (file !== undefined) return refuse(409, 5409);
    if (part.bytes.byteLength > most) return refuse(413, 5413);
    file = part;
    return json(200, { success: true, result: { id: '2cdc28f0', filename: part.filename }, errors: [], messages: [] });
  });
  const path = service === 'images' ? '/Vi7wi5KSItxGFsWRG2Us6Q/2cdc28f0-017a' : '/f65014bc6ff5419ea86e7972a047ba22';
  return { ...standIn, uploadURL: standIn.origin + path, file: () => file };
}

function refuse(status: number, code: number) {
  return json(status, { success: false, result: null, errors: [{ code, message: 'No.' }], messages: [] });
}
