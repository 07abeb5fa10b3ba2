import { splitFlag } from './arguments.js';
import { UsageError } from './exit-code.js';

/** The flags that say which server and how far its targets are trusted. */
export interface ServerFlags {
  readonly stdio?: boolean;
  readonly bearerEnv?: string;
  readonly headerEnv?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly allowLoopback?: boolean;
  readonly allowPrivateNetwork?: boolean;
  readonly serverUrl?: string;
  /** Seconds. */
  readonly timeout?: string;
  readonly legacy?: boolean;
  readonly json?: boolean;
}

type ServerAddress =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** A server and the headers that let us in. */
export interface ServerAccess {
  readonly address: ServerAddress;
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must not reach the screen. */
  readonly secrets: readonly string[];
  /** Variables that hold them: a stdio server does not inherit these. */
  readonly secretVariables: readonly string[];
  /** How long the handshake may take. */
  readonly timeoutMs: number;
  /** Only the handshake of before 2026-07-28. */
  readonly legacy: boolean;
  /** Says nothing while it waits. */
  readonly quiet: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads `<server>`, or what follows `--`, and the credentials that the flags name. */
export function readServer(
  server: string | undefined,
  command: readonly string[],
  flags: ServerFlags,
  env: Env,
): ServerAccess {
  if (flags.serverUrl !== undefined) httpUrl('--server-url', flags.serverUrl);
  const named = [
    ...(flags.bearerEnv === undefined
      ? []
      : [{ header: 'Authorization', variable: flags.bearerEnv, prefix: 'Bearer ' }]),
    ...(flags.headerEnv ?? []).map(text => {
      if (text.indexOf('=') <= 0) throw new UsageError('--header-env takes NAME=VALUE: a header and a variable.');
      const { name, value } = splitFlag('--header-env', text);
      return { header: name, variable: value, prefix: '' };
    }),
  ];
  const headers: Record<string, string> = {};
  for (const { header, variable, prefix } of named) headers[headerName(header)] = prefix + secretIn(env, variable);
  return {
    address: addressOf(server, command, flags),
    headers,
    secrets: named.map(({ variable }) => secretIn(env, variable)),
    secretVariables: named.map(({ variable }) => variable),
    timeoutMs: timeoutOf(flags),
    legacy: flags.legacy === true,
    quiet: flags.json === true,
  };
}

function timeoutOf({ timeout = '30' }: ServerFlags): number {
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(timeout) ? Number(timeout) : 0;
  if (seconds === 0) throw new UsageError('--timeout takes a number of seconds, more than 0.');
  return seconds * 1000;
}

function addressOf(server: string | undefined, command: readonly string[], flags: ServerFlags): ServerAddress {
  const [program, ...args] = command;
  if (flags.stdio) {
    if (program === undefined) throw new UsageError('--stdio needs the command of the server after --');
    return { kind: 'stdio', command: program, args };
  }
  if (server === undefined) throw new UsageError('No server: give its URL, or --stdio and its command after --');
  return { kind: 'http', url: httpUrl('A server', server) };
}

function httpUrl(what: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${what} is a URL such as https://mcp.example.com/mcp.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${what} must not hold a user name or password: others can read it. Use --header-env.`);
  }
  return text;
}

/** RFC 9110 token. */
function headerName(name: string): string {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new UsageError(`${shown(name)} is no header name.`);
  return name;
}

/** A message names the variable, never what is in it. */
function secretIn(env: Env, variable: string): string {
  if (variable === '') throw new UsageError('--bearer-env and --header-env take the name of an environment variable.');
  const value = env[variable]?.trim();
  if (value === undefined || value === '') {
    const name = /^[A-Z_][A-Z\d_]{0,63}$/.test(variable) ? variable : 'that was named';
    throw new UsageError(`The environment variable ${name} is not set.`);
  }
  if (!/^[\t\x20-\x7E\x80-\xFF]+$/.test(value)) {
    throw new UsageError(`The environment variable ${variable} holds characters that no header can carry.`);
  }
  return value;
}

/** What is no name may be the secret itself, given by mistake. */
function shown(name: string): string {
  return name.length <= 20 ? `"${name}"` : 'What stands before "="';
}
