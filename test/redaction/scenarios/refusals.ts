import { fromBytes } from '../../../src/index.js';
import { inputRequired, type Script, uploadEntry } from '../../support/scripted-server.js';
import { asks, INCLUDED, type Json, type Scenario, type World } from '../world.js';

/** The whole answer to the call. */
const asksBy =
  (entries: (w: World) => Json) =>
  (w: World): Pick<Script, 'onCall'> => ({
    onCall: () => inputRequired(entries(w), w.secret('request state')),
  });

const refused = (
  name: string,
  reason: string,
  changes: (world: World) => Json,
  more: Partial<Scenario> = {},
): Scenario => ({
  name,
  ends: 'target_refused',
  reason,
  script: w => asks(w, () => w.target(changes(w))),
  ...more,
});

const violated = (name: string, entry: (world: World) => Json): Scenario => ({
  name,
  ends: 'server_violation',
  script: asksBy(entry),
});

export const refusals: readonly Scenario[] = [
  refused('http to a public address', 'insecure_scheme', ({ key }) => ({
    url: `http://93.184.216.34/x?sig=${key('query')}`,
  })),
  refused('another scheme', 'insecure_scheme', ({ key }) => ({
    url: `ftp://u:${key('query')}@example.com/${key('url path')}`,
  })),
  refused('a private address', 'private_address', ({ key }) => ({ url: `https://10.0.0.1/x?sig=${key('query')}` })),
  refused('a denied host', 'host_denied', () => ({}), { options: () => ({ policy: { denyHosts: ['127.0.0.1'] } }) }),
  refused('a user name and password', 'userinfo', ({ key }) => ({
    url: `https://${key('user')}:${key('password')}@example.com/x?sig=${key('query')}`,
  })),
  refused('a URL with a fragment', 'url_malformed', ({ key }) => ({
    url: `https://example.com/x?sig=${key('query')}#${key('fragment')}`,
  })),
  refused('no URL', 'url_malformed', ({ secret }) => ({ url: `https://exa mple/${secret('url path')}` })),
  refused('a relative URL', 'url_malformed', ({ key }) => ({ url: `/x?sig=${key('query')}` })),
  refused(
    'a URL that fetch rewrites',
    'url_not_verbatim',
    w => ({ url: `${w.origin}/a/../it's?sig=${w.key('query')}` }),
    {
      on: { engine: 'fetch' },
    },
  ),
  refused('the endpoint itself', 'path_escape', w => ({ url: `${w.origin}/MCP?sig=${w.key('query')}` })),
  refused('a path that leaves', 'path_escape', w => ({
    url: undefined,
    path: `../${w.key('url path')}?sig=${w.key('query')}`,
  })),
  refused('a path with a control', 'path_escape', w => ({ url: undefined, path: `a\r\n${w.secret('url path')}` })),
  refused('a path without a server', 'no_server_url', w => ({ url: undefined, path: `a?sig=${w.key('query')}` }), {
    options: () => ({ serverUrl: undefined }) as object,
  }),
  refused('an expired target', 'expired', () => ({ expiresAt: '2001-01-01T00:00:00Z' })),
  refused('a method that is none of ours', 'method_unsupported', () => ({ method: 'PATCH' })),
  refused('include without a hook', 'credentials_scope', () => ({ credentials: 'include' })),
  refused(
    'include elsewhere',
    'credentials_scope',
    w => ({ url: `https://example.com/x?sig=${w.key('query')}`, credentials: 'include' }),
    {
      options: w => ({ credentials: () => ({ authorization: w.secret('credential') }) }),
    },
  ),
  refused('include without a credential', 'credentials_scope', () => INCLUDED, {
    options: () => ({ credentials: () => undefined }),
  }),
  refused('a credentials hook that fails', 'credentials_scope', () => INCLUDED, {
    options: w => ({
      credentials: ({ url }) => {
        const { key, secret } = w;
        throw Object.assign(new Error(`no token ${secret('hook error')} for ${url}`, { cause: secret('hook error') }), {
          name: key('hook error'),
          code: key('hook error'),
          response: { body: secret('hook error') },
        });
      },
    }),
  }),
  refused(
    'a scope function that fails',
    'credentials_scope',
    w => ({ url: `${w.origin}/x?sig=${w.key('query')}`, credentials: 'include' }),
    {
      options: w => ({
        credentials: () => ({ authorization: w.secret('credential') }),
        policy: {
          includeScope: url => {
            throw new Error(`${url} ${w.secret('hook error')}`);
          },
        },
      }),
    },
  ),
  refused('a credential that is no header', 'header_forbidden', () => INCLUDED, {
    options: w => ({ credentials: () => ({ authorization: `Bearer ${w.secret('credential')}\r\nx: y` }) }),
  }),
  refused('a credential where its name belongs', 'header_forbidden', () => INCLUDED, {
    options: w => ({ credentials: () => ({ [`Proxy-${w.key('credential')}`]: 'authorization' }) }),
  }),
  refused(
    'the same header from both',
    'header_forbidden',
    w => ({ ...INCLUDED, headers: { [w.key('header name')]: 'x' } }),
    {
      options: w => ({ credentials: () => ({ [w.key('header name')]: w.secret('credential') }) }),
    },
  ),
  ...['sec-', 'proxy-', 'metadata-', 'mcp-', 'x-forwarded-'].map(family =>
    refused(`a ${family} header`, 'header_forbidden', w => ({
      headers: { [family + w.key('header name')]: w.secret('target header') },
    })),
  ),
  refused('a header with a line break', 'header_forbidden', w => ({
    headers: { [w.key('header name')]: `${w.secret('target header')}\r\nx-injected: ${w.secret('target header')}` },
  })),
  refused('a header twice', 'header_forbidden', w => ({
    headers: [
      [w.key('header name'), w.secret('target header')],
      [w.key('header name').toUpperCase(), w.secret('target header')],
    ],
  })),
  refused('a header whose name is none', 'header_forbidden', w => ({
    headers: { [`${w.secret('header name')}:`]: 'x' },
  })),
  refused('a Host of somebody else', 'header_forbidden', w => ({
    headers: { host: `${w.key('target header')}.example` },
  })),
  refused('another length', 'header_forbidden', w => ({ headers: { 'content-length': w.secret('target header') } })),
  refused('a header of 100 KB', 'header_forbidden', w => ({
    headers: { 'x-big': w.secret('target header').repeat(2200) },
  })),
  refused('a form field with a backslash', 'header_forbidden', w => ({
    method: 'POST',
    form: { fields: [[`${w.secret('field name')}\\`, w.secret('form value')]], fileField: 'f' },
  })),
  violated('a target for no file', ({ key, target }) => ({
    up: uploadEntry({ '/deck': target(), [key('target key')]: target() }),
  })),
  violated('a target named by a URL', ({ key, target }) => ({
    up: uploadEntry({ '/deck': target(), [`https://u:${key('user')}@h.example/x?sig=${key('query')}`]: target() }),
  })),
  violated('a target in a list for no file', ({ key, target }) => ({
    up: { method: 'files/upload', params: { targets: [{ ...target(), pointer: `/deck?sig=${key('query')}` }] } },
  })),
  violated('url and path', ({ target, secret }) => ({
    up: uploadEntry({ '/deck': target({ path: secret('url path') }) }),
  })),
  violated('no target', ({ secret }) => ({
    up: { method: 'files/upload', params: { targets: {}, note: secret('answer') } },
  })),
  violated('a target that is a text', ({ secret }) => ({ up: uploadEntry({ '/deck': secret('query') }) })),
  violated('two uploads', ({ key, target }) => ({
    [key('entry key')]: uploadEntry({ '/deck': target() }),
    [`${key('entry key')}2`]: uploadEntry({ '/deck': target() }),
  })),
  violated('a secret as method', ({ key, target }) => ({
    up: uploadEntry({ '/deck': target({ method: key('method') }) }),
  })),
  violated('a secret as credentials', ({ secret, target }) => ({
    up: uploadEntry({ '/deck': target({ credentials: secret('target credential') }) }),
  })),
  violated('headers as a text', ({ secret, target }) => ({
    up: uploadEntry({ '/deck': target({ headers: secret('target header') }) }),
  })),
  violated('a header whose value is a list', ({ key, secret, target }) => ({
    up: uploadEntry({ '/deck': target({ headers: { [key('header name')]: [secret('target header')] } }) }),
  })),
  violated('a form by PUT', ({ formTarget }) => ({ up: uploadEntry({ '/deck': formTarget({ method: 'PUT' }) }) })),
  violated('a form whose fields are a text', ({ secret, formTarget }) => ({
    up: uploadEntry({ '/deck': formTarget({ form: { fields: secret('form value') } }) }),
  })),
  {
    name: 'an entry that is neither upload nor question',
    ends: 'server_violation',
    on: { flavour: 'v1' },
    script: asksBy(({ key, secret }) => ({ [key('entry key')]: { note: secret('answer') } })),
  },
  {
    name: 'a second upload round',
    ends: 'server_violation',
    reason: 'second_upload_round',
    script: w => ({
      onCall: () => inputRequired({ up: uploadEntry({ '/deck': w.target() }) }, w.secret('request state')),
    }),
  },
  {
    name: 'a target for an inline file',
    ends: 'server_violation',
    script: w => ({
      ...asksBy(({ target }) => ({ up: uploadEntry({ '/deck': target() }) }))(w),
      capability: { maxInlineBytes: 9000 },
    }),
    call: w => ({
      arguments: {
        site: 's',
        deck: fromBytes(w.secret('file'), { name: 'a' }),
        assets: [fromBytes('', { name: 'e' })],
      },
    }),
  },
  {
    name: 'a cursor that comes back',
    ends: 'server_violation',
    script: w => ({ onListTools: () => ({ tools: [], nextCursor: w.secret('cursor') }) }),
    act: ({ files }) => files.listTools(),
  },
];
