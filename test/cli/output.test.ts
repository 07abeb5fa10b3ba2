import { describe, expect, it } from 'vitest';
import { describeResults } from '../../src/cli/demo.js';
import { EXIT, exitCodeOf, UsageError } from '../../src/cli/exit-code.js';
import { describeFailure, failureOf, withOutcome } from '../../src/cli/failure.js';
import { describeContent, describeEvent, describeTransfer } from '../../src/cli/result-text.js';
import { describeTools } from '../../src/cli/tools.js';
import { FilesError, type FileTool, OutcomeUnknownError, TransferError } from '../../src/index.js';

const hostile = '\u001b]0;owned\u0007';

describe('exit codes follow what is known about the tool', () => {
  it.each([
    [new UsageError('x'), EXIT.usage],
    [new FilesError('file_unreadable', 'x'), EXIT.notRun],
    [new FilesError('aborted', 'x'), EXIT.interrupted],
    [new FilesError('aborted', 'x', { outcome: 'unknown' }), EXIT.unknown],
    [new FilesError('aborted', 'x', { outcome: 'completed' }), EXIT.afterwards],
    [new OutcomeUnknownError('x', 'response_lost'), EXIT.unknown],
    [new FilesError('output_invalid', 'x', { outcome: 'completed' }), EXIT.afterwards],
    [withOutcome(Object.assign(new Error('x'), { code: -32602 }), 'unknown'), EXIT.unknown],
    [withOutcome(Object.assign(new Error('x'), { code: -32602 }), 'not_run'), EXIT.notRun],
    [new Error('x'), EXIT.notRun],
    [undefined, EXIT.notRun],
  ])('%s', (error, code) => {
    expect(exitCodeOf(failureOf(error))).toBe(code);
  });
});

describe('a failure', () => {
  const failures = [
    { pointer: '/files/0', status: 403, serviceCode: 'AccessDenied', reason: 'http_status' },
    { pointer: '/files/1', reason: 'connection_lost' },
  ];
  const error = new TransferError('transfer_failed', 'Two files did not arrive.', failures, { tool: 'save_files' });

  it('is data in JSON', () => {
    expect(failureOf(error)).toEqual({
      code: 'transfer_failed',
      message: 'Two files did not arrive.',
      outcome: 'not_run',
      tool: 'save_files',
      failures,
    });
  });

  it('is sentences for people', () => {
    expect(describeFailure(failureOf(error), 80, 'call')).toBe(
      [
        'Error: Two files did not arrive.',
        '  /files/0: http_status (HTTP 403 AccessDenied)',
        '  /files/1: connection_lost',
        'The tool has not run.',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['<html>stack at /srv/app.js</html>', 'The server answered HTTP 500.'],
    ['{"error":{"code":-32602,"message":"bad"}}', 'The server answered HTTP 500: bad'],
    ['null', 'The server answered HTTP 500.'],
    [undefined, 'The server answered HTTP 500.'],
  ])('over HTTP shows what JSON-RPC says and no page: %s', (body, message) => {
    const http = Object.assign(new Error(`Error POSTing to endpoint: ${body}`), { data: { status: 500, text: body } });
    expect(withOutcome(http, 'unknown')).toMatchObject({ message, outcome: 'unknown' });
  });

  it.each([
    ['insecure_scheme', '--allow-loopback'],
    ['private_address', '--allow-private-network'],
    ['host_denied', '--allow-host'],
    ['credentials_scope', '--bearer-env'],
    ['no_server_url', '--server-url'],
  ])('%s names the flag that helps', (reason, flag) => {
    const refused = new FilesError('target_refused', 'No.', { details: { reason } });
    expect(describeFailure(failureOf(refused), 80, 'call')).toContain(flag);
  });

  it("shows a server's text without its control characters, within the terminal", () => {
    const text = describeFailure(failureOf(new Error(`${hostile} ${'word '.repeat(40)}`)), 60, 'tools');
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u0007');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

describe('a result', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'two\nlines' }] }, 'two\nlines\n'],
    [{ content: [], structuredContent: { a: 1 } }, '{\n  "a": 1\n}\n'],
    [{ content: [] }, 'The tool ran and said nothing.\n'],
    [{ content: [{ type: 'text', text: 'no' }], isError: true }, 'The tool says that it failed:\nno\n'],
    [{ content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }, '[image, image/png, 3 B]\n'],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'inside' } }] }, 'inside\n'],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } }] }, '[resource, a:b, 3 B]\n'],
    [{ content: [{ type: 'resource_link', uri: 'a:b', name: 'n', mimeType: 'x/y' }] }, '[resource_link, n, x/y]\n'],
    [{ content: [{ type: 'text', text: hostile }] }, '\uFFFD]0;owned\uFFFD\n'],
    [{ content: [null, { type: 'novel', thing: 1 }] }, '[novel]\n'],
  ])('%j', (result, text) => {
    expect(describeContent(result)).toBe(text);
  });

  it('says how each file went', () => {
    const report = { pointer: '/f', name: 'a.pdf', size: 2048, dialect: 'extension', reason: '', bytes: 2048 };
    const put = { ...report, mode: 'put' as const, origin: 'https://s.example', status: 200, milliseconds: 1234 };
    expect(describeTransfer(put)).toBe('Sent a.pdf (2.0 KiB) by PUT to https://s.example in 1.2 s.\n');
    const inline = { ...report, mode: 'inline' as const, milliseconds: 5 };
    expect(describeTransfer(inline)).toBe('Sent a.pdf (2.0 KiB) inside the call.\n');
  });

  it('shows a step on one line', () => {
    const event = {
      type: 'planned',
      time: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      callId: 'call-1',
      ways: ['inline'],
      n: 1,
    };
    expect(describeEvent(event)).toBe('03:04:05.678 planned ways=["inline"] n=1');
  });
});

it('lists tools within 80 columns', () => {
  const tools = [
    {
      name: 'save',
      description: `Saves ${'a good many things '.repeat(8)}`,
      inputSchema: {
        type: 'object',
        properties: { doc: {}, to: { type: ['string', 'null'] }, any: true },
        required: ['to'],
      },
      fileArguments: [
        {
          pointer: '/doc',
          required: true,
          accept: ['application/pdf', 'image/*'],
          maxSize: 1 << 20,
          dialect: 'extension',
        },
        { pointer: '/files/*', required: false, dialect: 'extension' },
        { pointer: '/parts/*/scan', required: false, dialect: 'extension' },
      ],
    },
    { name: hostile, fileArguments: [] },
    {
      name: 'older',
      fileArguments: [
        { pointer: '/a', required: true, dialect: 'data-uri' },
        { pointer: '/b', required: false, dialect: 'file-object' },
        { pointer: '/c', required: false, dialect: 'openai-file-params' },
      ],
    },
  ] as FileTool[];
  const text = describeTools(tools, 80);
  expect(text).toContain('It has 3 tools, 2 with file arguments.\n');
  expect(text).toContain('  doc            required file, application/pdf or image/*, up to 1.0 MiB\n');
  expect(text).toContain('  files (list)   file\n');
  expect(text).toContain('  /parts/*/scan  file\n');
  expect(text).toContain('  to             required string or null\n');
  expect(text).toContain('  any            value\n');
  expect(text).toContain('  a  required file, as a data URI (SEP-2356)\n');
  expect(text).toContain('  b  file, as a file URI (SEP-2631)\n');
  expect(text).toContain('  c  file, as a link (openai/fileParams)\n');
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('\u0007');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(describeTools([], 80)).toBe('It has no tools.\n');
});

describe('the table of the demo', () => {
  const result = {
    name: 'a-file-with-a-long-name-that-does-not-fit.bin',
    size: 1023 * 1024 * 1024,
    mode: 'form',
    sha256: 'ab'.repeat(32),
    origin: 'http://127.0.0.1:65535',
    milliseconds: 123_456,
  };

  it('fits 80 columns', () => {
    const text = describeResults([{ ...result, verified: true }], 1000, 1 << 20, 80);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(text).toContain('1 of 1');
  });

  it('says plainly that a file did not arrive as it was sent', () => {
    const text = describeResults(
      [
        { ...result, verified: false },
        { ...result, verified: true },
      ],
      1000,
      1 << 20,
      80,
    );
    expect(text).toContain('CHANGED');
    expect(text).toContain('NOT verified: only 1 of 2 arrived as they were sent.');
  });
});
