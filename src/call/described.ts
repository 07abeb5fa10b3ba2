import { FilesError } from '../errors/index.js';
import { type FileDeclaration, pointerOf, segmentsOf, type Tool } from '../protocol/index.js';
import type { HostHooks } from './context.js';
import { askHost } from './hook.js';

/** A file argument that the host knows of and no schema shows. */
export interface DescribedArgument {
  /** JSON Pointer (RFC 6901) into `arguments`; a segment `*` stands for any array index or map key. */
  readonly pointer: string;
  /** Media types, `type/*` and `.ext` patterns; default: anything. */
  readonly accept?: readonly string[];
  /** Bytes; default: any size. */
  readonly maxSize?: number;
  /** How the value is written. Default `'extension'`, a file object, where the server advertises the files extension. */
  readonly as?: 'extension' | 'data-uri' | 'base64';
  /**
   * JSON Pointers into `arguments` of the places that take the file's name and media type; a `*` is that of `pointer`. What
   * the caller has put there stays.
   */
  readonly nameAt?: string;
  readonly typeAt?: string;
}

/** What the host said of one place. */
export interface Described {
  readonly declaration: FileDeclaration;
  readonly nameAt?: string;
  readonly typeAt?: string;
}

export type DescribedAt = (pointer: string) => Described | undefined;

const WAYS: readonly unknown[] = ['extension', 'data-uri', 'base64'];

/** Asks `describeArguments`, and finds what it said of a place. Throws `argument_invalid` for what cannot be used. */
export async function askDescribed(
  describeArguments: NonNullable<HostHooks['describeArguments']>,
  tool: Tool,
  args: { readonly [key: string]: unknown },
  signal: AbortSignal,
): Promise<DescribedAt> {
  const given = await askHost(
    signal,
    () => describeArguments(tool, args),
    cause => new FilesError('argument_invalid', "The host's describeArguments failed.", { cause }),
  );
  if (given !== undefined && !Array.isArray(given)) throw unusable('it is no list');
  const described = (given ?? []).map(checked);
  return pointer => {
    const segments = segmentsOf(pointer);
    for (const { argument, pattern } of described) {
      const matched = match(pattern, segments);
      if (matched) return describe(argument, pointer, matched);
    }
    return undefined;
  };
}

function checked(argument: DescribedArgument) {
  if (typeof argument !== 'object' || argument === null) throw unusable('an entry is no object');
  const { pointer, as, maxSize, accept, nameAt, typeAt } = argument;
  for (const place of [pointer, nameAt ?? '/', typeAt ?? '/']) {
    if (typeof place !== 'string' || !place.startsWith('/')) throw unusable('a place is no JSON Pointer');
  }
  if (as !== undefined && !WAYS.includes(as)) throw unusable('"as" is none of extension, data-uri and base64');
  if (maxSize !== undefined && !(Number.isInteger(maxSize) && maxSize >= 0)) throw unusable('"maxSize" is no count');
  if (accept !== undefined && !(Array.isArray(accept) && accept.every(entry => typeof entry === 'string'))) {
    throw unusable('"accept" is no list of texts');
  }
  return { argument, pattern: segmentsOf(pointer) };
}

/** What the stars of the pattern stand for here, or `undefined` where it is another place. */
function match(pattern: readonly string[], segments: readonly string[]): string[] | undefined {
  if (pattern.length !== segments.length) return undefined;
  const stars: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (pattern[index] === '*') stars.push(segment);
    else if (pattern[index] !== segment) return undefined;
  }
  return stars;
}

function describe(argument: DescribedArgument, pointer: string, stars: readonly string[]): Described {
  const { accept, maxSize, as = 'extension' } = argument;
  const at = (place: string): string => {
    const left = [...stars];
    return pointerOf(segmentsOf(place).map(segment => (segment === '*' ? (left.shift() ?? segment) : segment)));
  };
  return {
    declaration: {
      pointer,
      required: false,
      ...(accept && { accept }),
      ...(maxSize !== undefined && { maxSize }),
      dialect: as,
      // The host knows how the place is written: nothing else is tried there.
      ...(as === 'data-uri' && { transferModes: ['inline'] as const }),
    },
    ...(argument.nameAt !== undefined && { nameAt: at(argument.nameAt) }),
    ...(argument.typeAt !== undefined && { typeAt: at(argument.typeAt) }),
  };
}

function unusable(rule: string): FilesError {
  return new FilesError('argument_invalid', `What the host's describeArguments returned cannot be used: ${rule}.`);
}
