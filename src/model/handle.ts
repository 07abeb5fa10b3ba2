import { FilesError } from '../errors/index.js';

const PREFIX = 'mcpfile_';
/** A store may make handles of its own; a text longer than this is none, and is not handed to it. */
const MOST_CHARACTERS = 200;
const GRAMMAR = /^mcpfile_[\w.~-]+$/;

/** Lower case and no punctuation: a model copies it letter by letter. 32 letters, so that a byte picks one evenly. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Five bits each: 130 bits. */
const RANDOM_LETTERS = 26;

/**
 * A new handle: `mcpfile_` and 130 random bits from the runtime's cryptographic generator. For a {@link FileRegistry} of
 * your own.
 */
export function newHandle(): string {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS));
  return PREFIX + Array.from(random, byte => LETTERS[byte % LETTERS.length]).join('');
}

/** Could only be meant as a handle: one that is cut off or made up is refused, and goes to no server as a plain text. */
export function looksLikeHandle(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** May be a handle of some registry. */
export function isHandle(text: string): boolean {
  return text.length <= MOST_CHARACTERS && GRAMMAR.test(text);
}

/** The one error for every handle that leads to no file: which of the reasons it was would say that it exists. */
export function unknownHandle(pointer?: string): FilesError {
  const which = pointer === undefined ? 'The handle' : `The handle at "${pointer}"`;
  return new FilesError(
    'argument_invalid',
    `${which} names no file that may be used here: there is none of that name, it has expired, or it belongs to another conversation or server.`,
    pointer === undefined ? {} : { pointer },
  );
}
