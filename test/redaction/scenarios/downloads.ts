import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DownloadOptions, FilesClient } from '../../../src/index.js';
import { done, type Script } from '../../support/scripted-server.js';
import { echoing, INCLUDED, type Json, rawAnswer, type Scenario, type World } from '../world.js';

const EXTENSION = 'io.modelcontextprotocol/files';

const withCredential = (w: World) => ({ credentials: () => ({ authorization: `Bearer ${w.secret('credential')}` }) });

/** The one file that the tool returned, fetched as a host would. */
const fetched =
  (options: (w: World) => DownloadOptions = () => ({})) =>
  async ({ files: client }: { files: FilesClient }, w: World): Promise<unknown> => {
    const { files } = await client.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
    const file = await client.download(files[0]!, options(w));
    // What is in it is for the host.
    await file.bytes();
    return file;
  };

/** A tool that returns one file, and the storage that has it. */
const returns = (
  name: string,
  [ends, reason]: readonly [Scenario['ends'], reason?: string],
  onStore: (w: World) => Script['onStore'],
  {
    target = () => ({}),
    options,
    ...more
  }: Partial<Scenario> & { target?: (w: World) => Json; options?: Scenario['options'] } = {},
): Scenario => ({
  name: `a download: ${name}`,
  ends,
  ...(reason === undefined ? {} : { reason }),
  act: fetched(),
  script: w => ({
    onCall: () => {
      const { method: _, ...usual } = w.target();
      const returned = { name: 'report.pdf', mimeType: 'application/pdf', ...usual, ...target(w) };
      return done('ok', { _meta: { [EXTENSION]: { downloads: [returned] } } });
    },
    onStore: onStore(w)!,
  }),
  ...(options && { options }),
  ...more,
});

const xml = ({ url, headers, secret }: Json): string =>
  `<Error><Code>AccessDenied</Code><Sent>${url} ${JSON.stringify(headers)}</Sent><B>${secret}</B></Error>`;

/** The file, all of it secret. */
const content = (w: World): Script['onStore'] => {
  return (_, response) => void response.writeHead(200, { etag: `"${w.key('answer header')}"` }).end(w.secret('file'));
};

/** A folder that nobody need know of. */
const place = (w: World): string => join(tmpdir(), w.key('folder'));

export const downloads: readonly Scenario[] = [
  returns('with everything', ['completes'], content),
  returns('with a credential', ['completes'], content, { target: () => INCLUDED, options: withCredential }),
  returns('refused in XML', ['download_failed', 'http_status'], w => echoing(w, 403, 'application/xml', xml)),
  returns('refused with the signature for a code', ['download_failed', 'http_status'], w => (_, response) => {
    response.writeHead(403, { 'x-ms-error-code': w.key('query') }).end(`<Code>${w.word('target header')}</Code>`);
  }),
  returns(
    'refused with the credential for a code',
    ['download_failed', 'http_status'],
    w => (_, response) => void response.writeHead(401).end(`<Code>${w.key('credential')}</Code>`),
    { target: () => INCLUDED, options: withCredential },
  ),
  returns(
    'sent elsewhere with a credential',
    ['download_failed', 'redirected'],
    w => echoing(w, 307, 'text/html', xml),
    {
      target: () => INCLUDED,
      options: withCredential,
    },
  ),
  returns('sent to a private address', ['target_refused', 'private_address'], w => (_, response) => {
    response.writeHead(302, { location: `https://10.0.0.1/x?sig=${w.key('answer header')}` }).end();
  }),
  returns('sent to an address with a password', ['target_refused', 'userinfo'], w => (_, response) => {
    response.writeHead(302, { location: `https://u:${w.key('answer header')}@example.com/` }).end();
  }),
  returns('sent around', ['download_failed', 'too_many_redirects'], w => (_, response) => {
    response.writeHead(302, { location: `/again?sig=${w.key('answer header')}` }).end();
  }),
  returns(
    'compressed unasked',
    ['download_failed', 'content_encoded'],
    w => (_, response) => {
      response.writeHead(200, { 'content-encoding': w.key('answer header') }).end(w.secret('file'));
    },
    { on: { engine: 'built-in' } },
  ),
  returns('cut off', ['download_failed', 'answer_malformed'], () => undefined, {
    script: w => ({
      onCall: () => {
        const { method: _, ...usual } = w.target();
        return done('ok', { _meta: { [EXTENSION]: { downloads: [{ name: 'a', ...usual }] } } });
      },
      onStoreStart: rawAnswer(`HTTP/1.1 ${w.secret('reason phrase')}\r\n${w.secret('answer')}\r\n\r\n`),
    }),
  }),
  returns('of another size', ['size_mismatch'], content, { target: () => ({ size: 3 }) }),
  returns('of another content', ['digest_mismatch'], content, {
    target: w => ({ digest: { algorithm: 'sha-256', value: w.secret('digest') } }),
  }),
  returns('with a digest of a kind that is a key', ['completes'], content, {
    target: w => ({ digest: { algorithm: w.key('digest'), value: w.secret('digest') } }),
  }),
  returns('too large', ['download_too_large'], content, { act: fetched(() => ({ maxBytes: 3 })) }),
  returns('into a folder that is not there', ['download_failed', 'write_failed'], content, {
    act: fetched(w => ({ to: join(place(w), 'missing', 'report.pdf') })),
  }),
  returns('over a file that is there', ['destination_exists'], content, {
    act: async (client, w) => {
      const to = join(w.temporaryFolder(place(w)), 'report.pdf');
      await mkdir(place(w), { recursive: true });
      await writeFile(to, 'mine');
      return fetched(() => ({ to }))(client, w);
    },
  }),
  returns('of a file that is none of ours', ['argument_invalid'], content, {
    act: ({ files }, w) => files.download({ name: 'report.pdf', url: w.secret('query') } as never),
  }),
  returns('that says nothing', ['transfer_timeout', 'response_timeout'], () => () => new Promise(() => {}), {
    options: () => ({ timeouts: { response: 50 } }),
  }),
  returns(
    'with a URL where a name belongs',
    ['download_failed', 'http_status'],
    () => (_, response) => void response.writeHead(404).end(),
    { target: w => ({ name: `https://u:${w.key('user')}@h.example/report.pdf?sig=${w.key('query')}` }) },
  ),
];
