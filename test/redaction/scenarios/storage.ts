import { fromBytes } from '../../../src/index.js';
import type { Script } from '../../support/scripted-server.js';
import { asks, echoing, failing, INCLUDED, type Json, type Scenario, type World } from '../world.js';

const xml = ({ url, headers, body, secret }: Json): string =>
  `<Error><Code>SignatureDoesNotMatch</Code><Sent>${url} ${JSON.stringify(headers)} ${body}</Sent><B>${secret}</B></Error>`;
const json = ({ secret, ...request }: Json): string =>
  JSON.stringify({
    error: { code: 'InvalidDigest', message: secret, request },
    code: secret,
    errors: [{ code: secret }],
  });
const html = ({ url, headers, body, secret }: Json): string =>
  `<html><title>${secret}</title><pre>at /srv/${secret}.js ${url} ${JSON.stringify(headers)} ${body}</pre></html>`;

const withCredential = (w: World) => ({ credentials: () => ({ authorization: `Bearer ${w.secret('credential')}` }) });

/** Refused by a storage that is asked by the usual target, or by another. */
const refusedBy = (
  name: string,
  onStore: (w: World) => Script['onStore'],
  target: (w: World) => Json = w => w.target(),
  more: Partial<Scenario> = {},
): Scenario =>
  failing(name, 'http_status', { script: w => ({ ...asks(w, () => target(w)), onStore: onStore(w)! }), ...more });

/** What was sent, as the service's own code: the one text of an answer that is shown. */
const CODES: Record<string, [code: (w: World) => string, target?: (w: World) => Json, more?: Partial<Scenario>]> = {
  'the signature': [w => w.key('query')],
  'a plain word of the query': [w => w.word('query')],
  'the key of a header': [w => w.key('target credential')],
  'the key of a header and more': [w => `Bad.${w.key('target header')}`],
  'a plain word of a header': [w => w.word('target header')],
  'a plain word of a form': [w => w.word('form value'), w => w.formTarget()],
  "a plain word of the host's credential": [
    w => w.word('credential'),
    w => w.target(INCLUDED),
    { options: withCredential },
  ],
  'a plain word of the file': [w => w.word('file')],
  'a plain word of the file in capitals': [w => w.word('file').toUpperCase()],
};

const WAYS: Record<string, (code: string) => readonly [body: string, headers?: Record<string, string>]> = {
  XML: code => [`<Error><Code>${code}</Code></Error>`],
  JSON: code => [JSON.stringify({ error: { code }, code, errors: [{ code }] })],
  'a header': code => ['', { 'x-ms-error-code': code }],
};

const echoedCodes: Scenario[] = Object.entries(CODES).flatMap(([what, [code, target, more]]) =>
  Object.entries(WAYS).map(([way, write]) => {
    const onStore = (w: World): Script['onStore'] => {
      const [body, headers = {}] = write(code(w));
      return (_, response) => void response.writeHead(403, headers).end(body);
    };
    return refusedBy(`${what}, as the code in ${way}`, onStore, target, more);
  }),
);

export const storage: readonly Scenario[] = [
  { name: 'a target with everything', ends: 'completes' },
  { name: 'a form', ends: 'completes', script: w => asks(w, () => w.formTarget()) },
  {
    name: 'a target with a credential',
    ends: 'completes',
    script: w => asks(w, () => w.target(INCLUDED)),
    options: withCredential,
  },
  {
    name: 'an expiry that is no date',
    ends: 'completes',
    script: w => asks(w, () => w.target({ expiresAt: w.secret('expiry') })),
  },
  {
    name: 'a server with a key in its address',
    ends: 'completes',
    script: w => asks(w, () => w.target({ url: undefined, path: 'uploads/deck' })),
    options: w => ({
      serverUrl: `${w.origin.replace('//', `//u:${w.key('server password')}@`)}/mcp?key=${w.key('server key')}`,
    }),
  },
  refusedBy('403 in XML', w => echoing(w, 403, 'application/xml', xml)),
  refusedBy('400 in JSON', w => echoing(w, 400, 'application/json', json)),
  refusedBy('500 in HTML', w => echoing(w, 500, 'text/html', html)),
  refusedBy('413 with the file sent back', w => echoing(w, 413, 'text/plain', ({ body }) => body)),
  refusedBy(
    '404 with the form sent back',
    w => echoing(w, 404, 'text/plain', ({ body }) => body),
    w => w.formTarget(),
  ),
  refusedBy(
    '401 to a credential',
    w => echoing(w, 401, 'application/xml', xml),
    w => w.target(INCLUDED),
    { options: withCredential },
  ),
  refusedBy(
    '400 with a file sent back that looks like an answer',
    () =>
      ({ body }, response) =>
        void response.writeHead(400).end(body),
    undefined,
    {
      call: w => {
        const bytes = JSON.stringify({ error: { code: w.word('file') }, code: w.key('file') });
        return { arguments: { site: 's', deck: fromBytes(bytes, { name: 'a.json' }) } };
      },
    },
  ),
  {
    // As Oracle's and Slack's targets have it. Whoever approves may have to know where it goes.
    ...refusedBy(
      'a key in the path',
      w => echoing(w, 404, 'application/json', json),
      w => w.target({ url: `${w.origin}/p/${w.key('url path')}/o/deck.pdf` }),
    ),
    shownToHooks: 'url path',
  },
  ...echoedCodes,
  failing('a redirect', 'redirected', { script: w => ({ onStore: echoing(w, 307, 'text/html', html) }) }),
  failing('202 to a part of a session', 'incomplete', {
    script: w => ({
      ...asks(w, () => w.target({ headers: { 'content-range': `bytes 0-9/${w.secret('target header')}` } })),
      onStore: echoing(w, 202, 'application/json', json),
    }),
  }),
  failing('several refusals at once', 'http_status', {
    script: w => ({
      ...asks(w, () => w.target(), { '/assets/0': () => w.formTarget(), '/assets/1': () => w.target() }),
      onStore: echoing(w, 403, 'application/xml', xml),
    }),
    call: w => ({ arguments: { site: 's', deck: w.file(), assets: [w.file('a.bin'), w.file('b.bin')] } }),
  }),
];
