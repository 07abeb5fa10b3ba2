// An option of the wrong kind was taken without a word, or failed in the middle of a call; a misspelt member of the policy
// left everything open.
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { FilesClient, type FilesClientOptions, type LogEvent } from '../../src/index.js';
import { startReferenceServer } from '../../src/testing/index.js';

const make = (options: unknown) => () =>
  new FilesClient(new Client({ name: 'host', version: '1' }), options as FilesClientOptions);

describe('the wrong kind', () => {
  test.each([
    ['approve', 'yes'],
    ['approve', null],
    ['approve', true],
    ['canonicalUrl', 'mcp.example'],
    ['concurrency', '6'],
    ['credentials', {}],
    ['inlineLimit', Number.NaN],
    ['logger', console],
    ['onInputRequest', 1],
    ['policy', 'strict'],
    ['policy', null],
    ['policy', ['x.example']],
    ['policy.allowHosts', 'x.example'],
    ['policy.allowHosts', [5]],
    ['policy.allowHttp', true],
    ['policy.allowPrivateNetwork', 'yes'],
    ['policy.denyHosts', new Set(['x.example'])],
    ['policy.includeScope', 'everything'],
    ['policy.pathScope', 'root'],
    ['serverUrl', 5],
    ['tls', 5],
    ['tls.ca', [5]],
    ['tls.key', {}],
    ['tls.servername', true],
    ['validateOutput', {}],
  ])('%s: %s', (path, value) => {
    const [option, member] = path.split('.') as [string, string | undefined];
    const made = make({ [option]: member === undefined ? value : { [member]: value } });
    expect(made).toThrow(TypeError);
    expect(made).toThrow(`FilesClient option ${path} must be `);
  });

  test.each(['x', 5, null])('of all options: %s', options => {
    expect(make(options)).toThrow(TypeError);
    expect(make(options)).toThrow('must be an object');
  });
});

test.each([
  ['policy.bogus', { policy: { bogus: 1 } }],
  ['policy.allowHost', { policy: { allowHost: ['x.example'] } }],
  ['policy.denyhosts', { policy: { denyhosts: undefined, allowHosts: [], denyhost: [] } }],
  ['timeouts.stalled', { timeouts: { stalled: 5 } }],
  ['tls.rejectUnauthorized', { tls: { rejectUnauthorized: false } }],
])('a member that there is none of: %s', (path, options) => {
  expect(make(options)).toThrow(TypeError);
  expect(make(options)).toThrow(/is unknown; there are .*(allowHosts|stall|servername)/);
  if (!path.includes('denyhosts')) expect(make(options)).toThrow(path);
});

test('every option of the right kind is taken, also from an instance of a class', () => {
  const any = (): never => undefined as never;
  class Policy {
    readonly allowHosts = ['*.example.com'];
    readonly denyHosts = undefined;
    get allowHttp() {
      return 'never' as const;
    }
  }
  const options: FilesClientOptions = {
    approve: any,
    credentials: any,
    logger: any,
    onInputRequest: any,
    validateOutput: any,
    policy: new Policy() as unknown as FilesClientOptions['policy'] & {},
    tls: { ca: ['x', new Uint8Array(1)], cert: 'x', key: new Uint8Array(1), servername: 'x.example' },
  };
  expect(make(options)).not.toThrow();
  expect(make({ approve: undefined, policy: undefined, tls: undefined, logger: undefined })).not.toThrow();
});

test('an unknown option is named to the logger, and let pass: hosts spread objects of their own', () => {
  const events: LogEvent[] = [];
  make({ aprove: () => false, logger: (event: LogEvent) => events.push(event) })();
  expect(events.map(event => event.message)).toContainEqual(expect.stringContaining('no option "aprove"'));
});

test.each([
  ['dialect', 'bogus'],
  ['elicitation', 'before'],
  ['mode', 'patch'],
  ['resourceReaders', 'nobody'],
  ['resources', 'none'],
  ['targets', 'urls'],
])('the reference server has no %s %s', async (name, value) => {
  const started = startReferenceServer({ [name]: value });
  await expect(started).rejects.toThrow(TypeError);
  await expect(started).rejects.toThrow(`option ${name} must be one of`);
});
