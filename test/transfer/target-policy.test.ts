import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TargetContext, TargetPolicyOptions, TransferTarget } from '../../src/transfer/target.js';
import { checked, NOW, SECRET, verdict } from './target-policy-support.js';

describe('the method', () => {
  it.each(['PUT', 'POST', 'put', 'Post'])('%s uploads, and goes out upper-case', method => {
    expect(checked({ method }).method).toBe(method.toUpperCase());
  });

  it.each([
    'GET',
    'DELETE',
    'PATCH',
    'HEAD',
    'OPTIONS',
    'CONNECT',
    'TRACE',
    'PROPFIND',
    '',
    'PUT ',
    'P\u00dbT',
    'POST\r\n',
    SECRET,
  ])('%j does not upload', method => {
    expect(verdict({ method })).toBe('method_unsupported');
  });

  it('is GET for a download, and nothing else', () => {
    expect(checked({ method: 'get' }, { direction: 'download' }).method).toBe('GET');
    for (const method of ['PUT', 'POST', 'HEAD']) {
      expect(verdict({ method }, { direction: 'download' })).toBe('method_unsupported');
    }
  });

  it('is POST for a form', () => {
    const form = { fields: [], fileField: 'file' };
    expect(verdict({ method: 'POST', form })).toBe('ok');
    expect(verdict({ method: 'PUT', form })).toBe('server_violation');
  });
});

it('a target has one of url and path', () => {
  expect(verdict({ url: 'https://s.example/', path: 'u' })).toBe('server_violation');
  expect(verdict({ url: undefined } as unknown as TransferTarget)).toBe('server_violation');
});

describe('expiresAt', () => {
  it.each<[at: number, reason: string]>([
    [NOW - 1, 'expired'],
    [NOW, 'expired'],
    [NOW + 1, 'ok'],
    [0, 'expired'],
    [Number.MAX_SAFE_INTEGER, 'ok'],
  ])('%s: %s', (expiresAt, reason) => {
    expect(verdict({ expiresAt })).toBe(reason);
  });

  it('is kept for the moment of sending', () => {
    expect(checked({ expiresAt: NOW + 5 }).expiresAt).toBe(NOW + 5);
    expect(checked({})).not.toHaveProperty('expiresAt');
  });
});

describe('include', () => {
  const GATEWAY = { serverUrl: 'https://gateway.example.com/g/mcp', canonicalUrl: 'https://mcp.example.com/mcp' };

  it.each<[target: Partial<TransferTarget>, context: Partial<TargetContext>, reason: string]>([
    [{ path: 'u/1' }, {}, 'ok'],
    [{ url: 'https://mcp.example.com/mcp/u' }, {}, 'ok'],
    [{ url: 'https://mcp.example.com/elsewhere' }, {}, 'ok'],
    [{ url: 'https://MCP.example.com:443/elsewhere?x' }, {}, 'ok'],
    [{ url: 'https://mcp.example.com:8443/u' }, {}, 'credentials_scope'],
    [{ url: 'https://mcp.example.com./u' }, {}, 'credentials_scope'],
    [{ url: 'https://sub.mcp.example.com/u' }, {}, 'credentials_scope'],
    [{ url: 'https://example.com/u' }, {}, 'credentials_scope'],
    [{ url: 'https://mcp.example.com.evil.example/u' }, {}, 'credentials_scope'],
    [{ url: 'https://store.example.net/u' }, {}, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/mcp' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/x/../mcp' }, {}, 'path_escape'],
    // Behind a gateway: the path goes by way of it, a url to the server itself.
    [{ path: 'u/1' }, GATEWAY, 'ok'],
    [{ url: 'https://mcp.example.com/u' }, GATEWAY, 'ok'],
    [{ url: 'https://gateway.example.com/u' }, GATEWAY, 'credentials_scope'],
    [{ url: 'https://gateway.example.com/g/mcp' }, GATEWAY, 'path_escape'],
    // No server known, as over stdio.
    [{ url: 'https://mcp.example.com/u' }, { serverUrl: undefined } as object, 'credentials_scope'],
    [{ path: 'u' }, { serverUrl: undefined } as object, 'no_server_url'],
    [{ url: 'https://mcp.example.com/u' }, { serverUrl: 'no url' }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/u' }, { canonicalUrl: 'stdio:x' }, 'credentials_scope'],
    [
      { url: 'https://mcp.example.com/u' },
      { serverUrl: undefined, canonicalUrl: 'https://mcp.example.com' } as object,
      'ok',
    ],
    // Another scheme is another origin.
    [{ url: 'https://localhost:3000/u' }, { serverUrl: 'http://localhost:3000/mcp' }, 'credentials_scope'],
    [{ url: 'http://127.0.0.1:3000/u' }, { serverUrl: 'http://localhost:3000/mcp' }, 'credentials_scope'],
    [{ url: 'http://localhost:3000/u' }, { serverUrl: 'http://localhost:3000/mcp' }, 'ok'],
    // No hook.
    [{ path: 'u/1' }, { hasCredentials: false }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/u' }, { hasCredentials: false }, 'credentials_scope'],
    // Paths that a prefix could be fooled by.
    [{ url: 'https://mcp.example.com/mcp/../admin' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/mcp/%2e%2e/admin' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/mcp/..;/admin' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/mcp//admin' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/mcp/%5cadmin' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/mcp/%2525252e' }, {}, 'path_escape'],
    [{ url: 'https://mcp.example.com/u?next=/../..//' }, {}, 'ok'],
  ])('%j %j: %s', (target, context, reason) => {
    expect(verdict({ ...target, credentials: 'include' }, context)).toBe(reason);
  });

  it('asks nothing of an omit target', () => {
    expect(verdict({ url: 'https://store.example.net/u' }, { hasCredentials: false })).toBe('ok');
    expect(verdict({ url: 'https://store.example.net/a/../u' }, { hasCredentials: false })).toBe('ok');
  });

  it.each<[target: Partial<TransferTarget>, policy: TargetPolicyOptions, reason: string]>([
    [{ url: 'https://mcp.example.com/mcp/u' }, { includeScope: 'endpoint' }, 'ok'],
    [{ url: 'https://mcp.example.com/mcp/u/' }, { includeScope: 'endpoint' }, 'ok'],
    [{ url: 'https://mcp.example.com/mcpx/u' }, { includeScope: 'endpoint' }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/u' }, { includeScope: 'endpoint' }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/MCP/u' }, { includeScope: 'endpoint' }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/?/mcp/u' }, { includeScope: 'endpoint' }, 'credentials_scope'],
    [{ path: 'u/1' }, { includeScope: 'endpoint' }, 'ok'],
    [{ path: 'u/1' }, { includeScope: 'endpoint', pathScope: 'origin' }, 'credentials_scope'],
    [{ path: 'mcp/u/1' }, { includeScope: 'endpoint', pathScope: 'origin' }, 'ok'],
    [{ url: 'https://mcp.example.com/u' }, { includeScope: 'origin' }, 'ok'],
    [{ url: 'https://mcp.example.com/u' }, { includeScope: () => true }, 'ok'],
    [{ url: 'https://mcp.example.com/u' }, { includeScope: () => false }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/u' }, { includeScope: () => 'yes' as never }, 'credentials_scope'],
    [{ url: 'https://mcp.example.com/mcp' }, { includeScope: () => true }, 'path_escape'],
    [{ url: 'https://mcp.example.com/a/../u' }, { includeScope: () => true }, 'path_escape'],
    [{ url: 'https://store.example.net/u' }, { includeScope: () => true }, 'credentials_scope'],
  ])('%j within %j: %s', (target, policy, reason) => {
    expect(verdict({ ...target, credentials: 'include' }, { policy })).toBe(reason);
  });

  it('asks the host with the URL and the method, once, and not for omit', () => {
    const asked: string[][] = [];
    const policy: TargetPolicyOptions = { includeScope: (url, method) => asked.push([url, method]) > 0 };
    verdict({ url: 'HTTPS://MCP.example.com:443/U?q=%20', method: 'put', credentials: 'include' }, { policy });
    verdict({ path: 'u/1?q', method: 'POST', credentials: 'include' }, { policy });
    verdict({ url: 'https://mcp.example.com/u' }, { policy });
    expect(asked).toEqual([
      ['https://mcp.example.com/U?q=%20', 'PUT'],
      ['https://mcp.example.com/mcp/u/1?q', 'POST'],
    ]);
  });

  it('takes a throw for a no, and keeps its text to itself', () => {
    const includeScope = () => {
      throw new TypeError(SECRET);
    };
    expect(verdict({ path: 'u', credentials: 'include' }, { policy: { includeScope } })).toBe('credentials_scope');
    try {
      checked({ path: 'u', credentials: 'include' }, { policy: { includeScope } });
      expect.unreachable();
    } catch (error) {
      expect(inspect(error)).not.toContain(SECRET);
      expect((error as Error).cause).toMatchObject({ name: 'TypeError' });
    }
  });
});

describe('what is shown of a checked target', () => {
  const target = checked({
    url: `https://store.example.net/key?X-Sig=${SECRET}`,
    method: 'POST',
    headers: [['Authorization', SECRET]],
    form: { fields: [['policy', SECRET]], fileField: 'file' },
  });

  it('is no secret', () => {
    for (const text of [
      JSON.stringify({ target }),
      inspect(target),
      inspect([[target]], { depth: 9 }),
      String(target),
    ]) {
      expect(text).not.toContain(SECRET);
    }
    expect(JSON.stringify(target)).toContain('https://store.example.net');
  });

  it('and yet it is all there', () => {
    expect(target.requestPath).toBe(`/key?X-Sig=${SECRET}`);
    expect(target.headers).toEqual([['Authorization', SECRET]]);
    expect({ ...target }.form?.fields).toEqual([['policy', SECRET]]);
  });
});

describe('no refusal shows a secret', () => {
  it.each<[what: string, target: Partial<TransferTarget>, context?: Partial<TargetContext>]>([
    ['query', { url: `https://10.0.0.1/k?X-Sig=${SECRET}` }],
    ['path', { path: `../${SECRET}` }],
    ['query of a path', { path: `../x?${SECRET}` }],
    ['url', { url: `https://${SECRET}@s.example/` }],
    ['header', { headers: [['X-Forwarded-For', SECRET]] }],
    [
      'header twice',
      {
        headers: [
          ['x', SECRET],
          ['X', SECRET],
        ],
      },
    ],
    ['form value', { method: 'POST', form: { fields: [['a\\', SECRET]], fileField: 'f' } }],
    ['form name', { method: 'POST', form: { fields: [[`${SECRET}\n`, 'v']], fileField: 'f' } }],
    ['expired', { url: `https://s.example/k?${SECRET}`, expiresAt: 0 }],
    ['not verbatim', { url: `https://s.example/k?'${SECRET}` }, { engineKind: 'fetch' }],
    ['credentials', { url: `https://s.example/k?${SECRET}`, credentials: 'include' }],
    ['host policy', { url: `https://s.example/k?${SECRET}` }, { policy: { denyHosts: ['s.example'] } }],
    ['userinfo of the server', { path: '..' }, { serverUrl: `https://u:${SECRET}@mcp.example.com/mcp` }],
    ['method', { method: SECRET }],
  ])('%s', (_what, target, context) => {
    expect(verdict(target, context)).not.toBe('ok');
  });
});
