import { done } from '../../support/scripted-server.js';
import { failing, type Json, type Scenario, type World } from '../world.js';

const tool = (properties: Json, more: Json = {}): Json => ({
  name: 'publish',
  inputSchema: { type: 'object', properties },
  ...more,
});
const UPLOAD = tool({ deck: { type: 'string', 'x-mcp-file': { transferModes: ['upload'] } } });
const DATA = tool({ deck: { type: 'string', 'x-mcp-file': { transferModes: ['inline'] } } });
const LINK = tool({ deck: { type: 'object' } }, { _meta: { 'openai/fileParams': ['deck'] } });
const call = (w: World) => ({ arguments: { deck: w.file() } });

/** A descriptor with a secret in every member that may hold one. */
const descriptor = (w: World, { form, ...target }: Json): Json => ({
  transport: 'https',
  ...target,
  ...(form && { multipart: { fileField: 'file', fields: { policy: w.secret('form value') } } }),
});
const authorizing = (w: World, target: () => Json) => ({
  tools: [UPLOAD],
  onCall: () => done(),
  onRequest: (method: string) => {
    if (method !== 'files/authorizeUpload') return undefined;
    const file = { uri: `mcp-file://${w.key('file uri')}`, name: w.secret('their name') };
    return { result: { resultType: 'complete', file, upload: descriptor(w, target()) } };
  },
});
const refusing = (w: World, reason: string) => ({
  tools: [UPLOAD],
  onCall: () => done(),
  onRequest: (method: string) =>
    method === 'files/authorizeUpload'
      ? { error: { code: -32602, message: w.secret('their message'), data: { reason, hint: w.secret('their data') } } }
      : undefined,
});

/** The earlier dialects: descriptors, published links, data URIs. */
export const dialects: readonly Scenario[] = [
  { name: 'an authorised upload', ends: 'completes', script: w => authorizing(w, () => w.target()), call },
  { name: 'an authorised form', ends: 'completes', script: w => authorizing(w, () => w.formTarget()), call },
  failing('an authorised upload that storage refuses', 'http_status', {
    script: w => ({
      ...authorizing(w, () => w.target()),
      onStore: (_, response) => void response.writeHead(403).end(w.secret('storage')),
    }),
    call,
  }),
  {
    name: 'an authorisation that is malformed',
    ends: 'server_violation',
    script: w => authorizing(w, () => ({ ...w.target(), transport: w.secret('transport') })),
    call,
  },
  failing('an upload that is not authorised', 'upload_refused', {
    script: w => refusing(w, 'quotaExceeded'),
    call,
  }),
  { name: 'an upload that is too large', ends: 'file_too_large', script: w => refusing(w, 'maxSizeExceeded'), call },
  { name: 'a data URI', ends: 'completes', script: () => ({ tools: [DATA], onCall: () => done() }), call },
  {
    name: 'a data URI over the limit',
    ends: 'file_too_large',
    script: () => ({ tools: [DATA], onCall: () => done() }),
    options: () => ({ inlineLimit: 1 }),
    call,
  },
  {
    name: 'a published link',
    ends: 'completes',
    script: () => ({ tools: [LINK], onCall: () => done() }),
    options: w => ({
      publish: () => ({
        url: `https://files.example/${w.key('link path')}?sig=${w.key('link query')}`,
        id: w.secret('link id'),
      }),
    }),
    call,
  },
  failing('a publisher that fails', 'publish_failed', {
    script: () => ({ tools: [LINK], onCall: () => done() }),
    options: w => ({
      publish: () => {
        throw new Error(w.secret('publisher'));
      },
    }),
    call,
  }),
  {
    name: 'a description that fails',
    ends: 'argument_invalid',
    options: w => ({
      describeArguments: () => {
        throw new Error(w.secret('description'));
      },
    }),
    call,
  },
];
