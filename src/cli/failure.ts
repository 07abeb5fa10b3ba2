import { isFilesError } from '../index.js';
import { CommandError, type Outcome, UsageError } from './exit-code.js';
import { printable, printableLine, wrapped } from './text.js';

/** A failure as `--json` shows it. */
export interface Failure {
  /** The library's code, the server's JSON-RPC number, or a word of the command's own. */
  code: string | number;
  message: string;
  outcome: Outcome;
  tool?: string;
  pointer?: string;
  details?: unknown;
  failures?: unknown;
  transfers?: readonly unknown[];
}

/** Reads any error; what has no outcome of its own happened before a tool could run. */
export function failureOf(error: unknown): Failure {
  if (isFilesError(error)) {
    const { code, message, outcome, tool, pointer, details, transfers } = error;
    const { failures } = error as { failures?: unknown };
    const rest = Object.entries({ tool, pointer, details, failures, transfers }).filter(
      ([, value]) => value !== undefined,
    );
    return { code, message, outcome, ...Object.fromEntries(rest) };
  }
  const known = error instanceof UsageError || error instanceof CommandError ? error : withOutcome(error, 'not_run');
  return { code: known.code, message: known.message, outcome: known.outcome };
}

/** An error of the SDK with what the caller knows about the tool. Its text is the server's or the SDK's. */
export function withOutcome(error: unknown, outcome: Outcome): CommandError {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: HttpErrorData };
  const isHttp = typeof data?.status === 'number';
  const said = isHttp ? jsonRpcMessage(data.text) : message;
  const text = typeof said === 'string' && said !== '' ? said : undefined;
  return new CommandError(
    typeof code === 'string' || typeof code === 'number' ? code : 'error',
    isHttp
      ? `The server answered HTTP ${data.status}${text === undefined ? '.' : `: ${text}`}`
      : (text ?? 'unknown error'),
    outcome,
  );
}

interface HttpErrorData {
  readonly status?: unknown;
  readonly text?: unknown;
}

/** What a JSON-RPC error in an HTTP body says; any other body (a page with stack and paths, mostly) is not shown. */
function jsonRpcMessage(body: unknown): unknown {
  try {
    return (JSON.parse(String(body)) as { error?: { message?: unknown } }).error?.message;
  } catch {
    return undefined;
  }
}

const OUTCOMES: Record<Outcome, string> = {
  not_run: 'The tool has not run.',
  unknown: 'It is not known whether the tool ran: look at its effect before you try again.',
  completed: 'The tool itself has run; what failed came after it.',
};

/** The failure for people: what happened, what it means for the tool, what to do. */
export function describeFailure(failure: Failure, columns: number, command: string | undefined): string {
  const lines = printable(`${failure.code === 'aborted' ? '' : 'Error: '}${failure.message}`)
    .split('\n')
    .map(line => wrapped(line, columns, ''));
  const failures = Array.isArray(failure.failures) ? failure.failures : [];
  if (failures.length > 1) lines.push(...failures.map(each => wrapped(describeTransferFailure(each), columns, '  ')));
  if (failure.code === 'usage') lines.push(`Try: mcp-files ${command === undefined ? '' : `${command} `}--help`);
  // Some messages say it already.
  else if (command === 'call' && !failure.message.includes(OUTCOMES[failure.outcome]))
    lines.push(wrapped(OUTCOMES[failure.outcome], columns, ''));
  const hint = hintFor(failure);
  if (hint !== undefined) lines.push(wrapped(hint, columns, ''));
  return lines.map(line => `${line}\n`).join('');
}

function describeTransferFailure(failure: {
  pointer?: string;
  reason?: string;
  status?: number;
  serviceCode?: string;
}): string {
  const status =
    failure.status === undefined
      ? ''
      : ` (HTTP ${failure.status}${failure.serviceCode ? ` ${failure.serviceCode}` : ''})`;
  return printableLine(`${failure.pointer}: ${failure.reason}${status}`);
}

/** What the command line can do about it. */
function hintFor({ code, details }: Failure): string | undefined {
  const reason = (details as { reason?: unknown } | undefined)?.reason;
  if (code === 'destination_exists') return 'To replace what is there: --overwrite';
  if (code === 'unauthorized') return 'Put a token in an environment variable and name it: --bearer-env NAME';
  if (reason === 'host_denied') return 'To allow a host: --allow-host NAME';
  if (reason === 'insecure_scheme') return 'To allow http on this computer: --allow-loopback';
  if (reason === 'private_address') return 'To allow private addresses: --allow-private-network';
  if (reason === 'credentials_scope') return 'To give a credential: --bearer-env NAME';
  if (reason === 'no_server_url') return "To name the server's own address: --server-url URL";
  return undefined;
}
