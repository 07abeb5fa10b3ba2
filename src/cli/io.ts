import type { Readable } from 'node:stream';

/** Where a command writes; the members of `process.stdout` that are used. */
export interface Output {
  /** Text, or bytes that go out as they are. */
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The width to lay text out for: a terminal's, and none where a program or a file reads it. */
export function columnsOf(output: Output): number {
  return output.columns ?? Number.POSITIVE_INFINITY;
}

/** What a command sees of the outside, so that a test can stand in for it. */
export interface Io {
  /** Results: the one thing a script reads. */
  readonly out: Output;
  /** Progress, notes and errors, for people. */
  readonly err: Output;
  readonly input: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C or a request to end. */
  readonly signal: AbortSignal;
}

/**
 * The same outputs, with every given secret masked: a server may echo the header it was sent.
 * JSON writes some characters of a secret escaped, so that spelling is masked too.
 */
export function withoutSecrets(io: Io, secrets: readonly string[]): Io {
  const spellings = secrets
    .filter(secret => secret !== '')
    .flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1)]);
  if (spellings.length === 0) return io;
  const mask = (output: Output): Output => ({
    write: text =>
      output.write(
        typeof text === 'string' ? spellings.reduce((masked, secret) => masked.replaceAll(secret, '***'), text) : text,
      ),
    ...(output.isTTY === undefined ? {} : { isTTY: output.isTTY }),
    ...(output.columns === undefined ? {} : { columns: output.columns }),
  });
  return { ...io, out: mask(io.out), err: mask(io.err) };
}
