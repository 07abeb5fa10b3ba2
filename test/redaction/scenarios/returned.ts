import type { FilesClient } from '../../../src/index.js';
import { done, type Script, type ScriptedAnswer } from '../../support/scripted-server.js';
import type { Json, Scenario, World } from '../world.js';

/** The one file that the tool returned, read as a host would. */
const read = async ({ files: client }: { files: FilesClient }): Promise<unknown> => {
  const { files } = await client.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  const file = await client.download(files[0]!);
  await file.bytes();
  return [file, files];
};

type Answer = (w: World, method: string, uri: string) => ScriptedAnswer | undefined;

/** A tool that returns one file in some spelling, and the server that is asked for it. */
const returns = (
  name: string,
  [ends, reason]: readonly [Scenario['ends'], reason?: string],
  result: (w: World) => Json,
  answer: Answer = () => undefined,
  onStore?: (w: World) => Script['onStore'],
): Scenario => ({
  name: `a returned file: ${name}`,
  ends,
  ...(reason === undefined ? {} : { reason }),
  act: read,
  script: w => ({
    onCall: () => done('ok', result(w)),
    onRequest: (method, { uri }) => answer(w, method, uri),
    ...(onStore && { onStore: onStore(w)! }),
  }),
});

const link = (w: World): Json => ({
  content: [{ type: 'resource_link', uri: `demo://x/${w.key('URI')}?key=${w.key('query')}`, name: 'a.txt' }],
});
const value = (w: World, more: Json = {}): Json => ({
  structuredContent: { report: { uri: `mcp-file://x/${w.key('URI')}`, mimeType: 'text/plain', size: 7, ...more } },
});
const refusal =
  (code: number): Answer =>
  w => ({ error: { code, message: w.secret('answer'), data: { text: w.secret('answer') } } });
const contents =
  (content: (w: World, uri: string) => Json[]): Answer =>
  (w, method, uri) =>
    method === 'resources/read' ? { result: { contents: content(w, uri) } } : undefined;
const descriptor = (w: World, more: Json = {}): Json => ({
  transport: 'https',
  method: 'GET',
  url: `${w.origin}/get?sig=${w.key('query')}`,
  headers: { 'x-key': w.secret('target header') },
  ...more,
});
const authorized =
  (more: (w: World) => Json = () => ({})): Answer =>
  (w, method, uri) =>
    method === 'files/authorizeDownload'
      ? {
          result: {
            file: { uri, digest: { algorithm: 'sha-256', value: w.secret('digest') } },
            download: descriptor(w, more(w)),
          },
        }
      : undefined;
const stored = (w: World): Script['onStore'] => {
  return (_, response) => void response.writeHead(200, { etag: `"${w.key('answer header')}"` }).end(w.secret('file'));
};

export const returned: readonly Scenario[] = [
  returns(
    'a link',
    ['completes'],
    link,
    contents((w, uri) => [{ uri, text: w.secret('file') }]),
  ),
  returns('a link to nothing', ['download_failed', 'not_found'], link, refusal(-32602)),
  returns('a link that is refused', ['download_failed', 'server_refused'], link, refusal(-32000)),
  returns('a link that is unknown', ['download_failed', 'method_unsupported'], link, refusal(-32601)),
  returns(
    'a link to several contents',
    ['download_failed', 'content_ambiguous'],
    link,
    contents((w, uri) => [
      { uri, text: w.secret('file') },
      { uri, text: w.secret('file') },
    ]),
  ),
  returns(
    'a link to what is no base64',
    ['download_failed'],
    link,
    contents((w, uri) => [{ uri, blob: `?${w.secret('file')}` }]),
  ),
  returns('a link answered with HTTP 500', ['download_failed', 'http_status'], link, w => ({
    raw: (_, response) => void response.writeHead(500).end(w.secret('answer')),
  })),
  returns('a link to a private address', ['target_refused', 'private_address'], w => ({
    content: [{ type: 'resource_link', uri: `https://10.0.0.1/x?sig=${w.key('query')}`, name: 'a' }],
  })),
  returns('bytes that came along', ['completes'], w => ({
    content: [{ type: 'resource', resource: { uri: `demo://x/${w.key('URI')}`, text: w.secret('file') } }],
  })),
  returns('bytes of another size', ['size_mismatch'], w => ({
    structuredContent: { it: { uri: `data:,${encodeURIComponent(w.secret('file'))}`, size: 1 } },
  })),
  returns('bytes that are no base64', ['download_failed', 'content_malformed'], w => ({
    structuredContent: { it: { type: 'image', data: `?${w.secret('file')}`, mimeType: 'image/png' } },
  })),
  returns('authorised, of another digest', ['size_mismatch'], value, authorized(), stored),
  returns(
    'authorised by ftp',
    ['download_failed', 'malformed_descriptor'],
    value,
    authorized(w => ({
      transport: w.secret('answer'),
    })),
  ),
  returns(
    'authorised where it may not be',
    ['target_refused', 'private_address'],
    value,
    authorized(w => ({
      url: `https://10.0.0.1/?sig=${w.key('query')}`,
    })),
  ),
  returns(
    'authorised, with a forbidden header',
    ['target_refused', 'header_forbidden'],
    value,
    authorized(w => ({
      headers: { cookie: w.secret('target header') },
    })),
  ),
];
