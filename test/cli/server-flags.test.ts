import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/exit-code.js';
import { withoutSecrets } from '../../src/cli/io.js';
import { readServer } from '../../src/cli/server-flags.js';

const env = { TOKEN: 'secret-token', KEY: 'k"1', BAD: 'two\r\nlines', EMPTY: '' };

describe('the server', () => {
  it('is a URL', () => {
    expect(readServer('https://mcp.example.com/mcp', [], {}, env).address).toEqual({
      kind: 'http',
      url: 'https://mcp.example.com/mcp',
    });
  });

  it('is a command with --stdio', () => {
    expect(readServer(undefined, ['node', 'server.js', '--port', '1'], { stdio: true }, env).address).toEqual({
      kind: 'stdio',
      command: 'node',
      args: ['server.js', '--port', '1'],
    });
  });

  it.each([
    [undefined, {}, 'No server'],
    ['localhost:3000/mcp', {}, 'A server is a URL'],
    ['ftp://example.com', {}, 'A server is a URL'],
    ['https://user:hunter2@example.com', {}, 'must not hold a user name or password'],
    [undefined, { stdio: true }, '--stdio needs the command'],
    ['https://example.com', { serverUrl: 'example.com' }, '--server-url is a URL'],
  ])('%s with %j is refused', (server, flags, message) => {
    expect(() => readServer(server, [], flags, env)).toThrow(UsageError);
    expect(() => readServer(server, [], flags, env)).toThrow(message);
  });
});

describe('credentials come from the environment', () => {
  it('makes the headers and knows what to hide', () => {
    const flags = { bearerEnv: 'TOKEN', headerEnv: ['X-Api-Key=KEY'] };
    expect(readServer('https://example.com', [], flags, env)).toMatchObject({
      headers: { Authorization: 'Bearer secret-token', 'X-Api-Key': 'k"1' },
      secrets: ['secret-token', 'k"1'],
      secretVariables: ['TOKEN', 'KEY'],
    });
  });

  it.each([
    [{ bearerEnv: '' }, '--bearer-env and --header-env take the name of an environment variable.'],
    [{ headerEnv: ['X-Api-Key='] }, '--bearer-env and --header-env take the name of an environment variable.'],
    [{ bearerEnv: 'NONE' }, 'The environment variable NONE is not set.'],
    [{ bearerEnv: 'EMPTY' }, 'The environment variable EMPTY is not set.'],
    [{ bearerEnv: 'BAD' }, 'The environment variable BAD holds characters that no header can carry.'],
    [{ headerEnv: ['X Key=KEY'] }, '"X Key" is no header name.'],
    [{ headerEnv: ['X-Key'] }, '--header-env takes NAME=VALUE'],
  ])('%j is refused without showing a value', (flags, message) => {
    expect(() => readServer('https://example.com', [], flags, env)).toThrow(message);
  });

  it('masks a secret that a server sends back, also as JSON writes it', () => {
    const lines: string[] = [];
    const output = { write: (text: string) => lines.push(text), isTTY: true, columns: 80 };
    const io = { out: output, err: output, input: process.stdin, env, signal: new AbortController().signal };
    const masked = withoutSecrets(io, ['secret-token', 'k"1']);
    masked.out.write('you sent secret-token and k"1');
    masked.err.write(JSON.stringify({ echo: 'k"1' }));
    expect(lines).toEqual(['you sent *** and ***', '{"echo":"***"}']);
    expect(masked.out).toMatchObject({ isTTY: true, columns: 80 });
  });
});
