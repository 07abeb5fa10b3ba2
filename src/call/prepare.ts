import { atPointer, FilesError, throwIfAborted } from '../errors/index.js';
import {
  type Dialect,
  type DialectFacts,
  declarationsAt,
  type FileDeclaration,
  isAccepted,
  optionsOf,
  type Tool,
} from '../protocol/index.js';
import { type FileSource, type PlannedFile, planFile, typeOfName } from '../source/index.js';
import type { FileInArguments } from './arguments.js';
import type { Described, DescribedAt } from './described.js';

/** Files opened and measured at once: enough to hide disk latency, few enough to stay far from descriptor limits. */
const FILES_AT_ONCE = 32;
/** Of a server's patterns, so many and so much of each are named in an error: it may list as much as it likes. */
const PATTERNS_IN_MESSAGE = 5;
const PATTERNS_IN_DETAILS = 32;
const PATTERN_CHARACTERS = 100;

/** A file of the call, bound to its declarations and measured. Nothing of it has been read. */
export interface PreparedFile extends FileInArguments, Pick<Described, 'nameAt' | 'typeAt'> {
  readonly file: PlannedFile;
  /** One for each dialect its argument speaks. */
  readonly declarations: readonly FileDeclaration[];
  /** They are the host's and not the tool's. */
  readonly described: boolean;
}

interface Declarations extends Pick<PreparedFile, 'declarations' | 'described' | 'nameAt' | 'typeAt'> {}

/** What a file may be bound to, and what server and host can do. */
interface Binding {
  readonly tool: Tool;
  readonly describedAt: DescribedAt;
  readonly dialects: readonly Dialect[];
  readonly facts: DialectFacts;
}

/** Binds every file to the argument that declares it, then measures it and checks `maxSize` and `accept`. */
export async function prepareFiles(
  files: readonly FileInArguments[],
  binding: Binding,
  signal: AbortSignal,
): Promise<PreparedFile[]> {
  const bound = files.map(file => bind(file, binding));
  // What is checked is the declaration of the dialect that will be spoken, as far as that is known.
  const meant = bound.map(({ declarations }) => {
    if (declarations.length === 1) return declarations[0]!;
    const { inline, outOfBand } = optionsOf(declarations, binding.facts, binding.dialects);
    return (inline ?? outOfBand)?.declaration ?? declarations[0]!;
  });
  const planned = await planAll(files, meant, signal);
  const typesByExtension = meant.some(({ accept }) => accept) ? await extensionTypes(meant) : NO_TYPES;
  return files.map((found, index) => {
    const file = planned[index]!;
    checkDeclared(found.pointer, file, meant[index]!, typesByExtension);
    return { ...found, ...bound[index]!, file };
  });
}

/** What was found in a tool's schema, by pointer: most calls of a listed tool have their file at the same place. */
const foundIn = new WeakMap<Tool, Map<string, readonly FileDeclaration[]>>();
const MOST_FOUND = 64;

function declarationsOf(pointer: string, { tool, dialects }: Binding): readonly FileDeclaration[] {
  const known = foundIn.get(tool) ?? new Map<string, readonly FileDeclaration[]>();
  foundIn.set(tool, known);
  const declarations = known.get(pointer) ?? declarationsAt(tool, pointer, undefined, dialects);
  if (known.size < MOST_FOUND) known.set(pointer, declarations);
  return declarations;
}

function bind({ pointer, undeclared }: FileInArguments, binding: Binding): Declarations {
  const { tool, describedAt } = binding;
  const described = describedAt(pointer);
  if (described) {
    const { declaration, ...places } = described;
    return { ...places, declarations: [declaration], described: true };
  }
  const declarations = declarationsOf(pointer, binding);
  if (declarations.length > 0) return { declarations, described: false };
  if (undeclared) return { declarations: [undeclared], described: false };
  throw new FilesError(
    'argument_invalid',
    `A file stands at "${pointer}", where the tool "${tool.name}" declares no file argument.`,
    { pointer },
  );
}

/** A file that stands at several places may be as large as the strictest of them allows. */
function mostBytes(
  files: readonly FileInArguments[],
  declarations: readonly FileDeclaration[],
): Map<FileSource, number | undefined> {
  const most = new Map<FileSource, number | undefined>();
  for (const [index, { source }] of files.entries()) {
    const here = declarations[index]!.maxSize ?? Number.POSITIVE_INFINITY;
    const smallest = Math.min(most.get(source) ?? Number.POSITIVE_INFINITY, here);
    most.set(source, smallest === Number.POSITIVE_INFINITY ? undefined : smallest);
  }
  return most;
}

async function planAll(
  files: readonly FileInArguments[],
  declarations: readonly FileDeclaration[],
  signal: AbortSignal,
): Promise<PlannedFile[]> {
  const [only] = files;
  if (only !== undefined && files.length === 1) {
    return [await named(only, planFile(only.source, signal, declarations[0]!.maxSize))];
  }
  const most = mostBytes(files, declarations);
  const limit =
    files.length > FILES_AT_ONCE
      ? (await import('p-limit')).default(FILES_AT_ONCE)
      : async (plan: () => Promise<PlannedFile>) => plan();
  const bySource = new Map<FileSource, Promise<PlannedFile>>();
  const outcomes = await Promise.allSettled(
    files.map(file => {
      const { source } = file;
      let plan = bySource.get(source);
      if (plan === undefined) {
        plan = limit(() => {
          throwIfAborted(signal);
          return planFile(source, signal, most.get(source));
        });
        bySource.set(source, plan);
      }
      return named(file, plan);
    }),
  );
  return outcomes.map(outcome => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

function named({ pointer }: FileInArguments, plan: Promise<PlannedFile>): Promise<PlannedFile> {
  return plan.catch(error => {
    throw atPointer(error, pointer);
  });
}

async function extensionTypes(declarations: readonly FileDeclaration[]): Promise<Map<string, string | undefined>> {
  const types = new Map<string, string | undefined>();
  for (const { accept } of declarations) {
    for (const entry of accept ?? []) {
      const [, extension] = /^\.(.+)$/.exec(entry.trim().toLowerCase()) ?? [];
      if (extension !== undefined && !types.has(extension)) types.set(extension, await typeOfName(`x.${extension}`));
    }
  }
  return types;
}

const NO_TYPES: ReadonlyMap<string, string | undefined> = new Map();

function shownPattern(pattern: string): string {
  return pattern.length > PATTERN_CHARACTERS ? `${pattern.slice(0, PATTERN_CHARACTERS)}…` : pattern;
}

function checkDeclared(
  pointer: string,
  file: PlannedFile,
  { accept, maxSize }: FileDeclaration,
  typesByExtension: ReadonlyMap<string, string | undefined>,
): void {
  if (maxSize !== undefined && file.size > maxSize) {
    throw new FilesError(
      'file_too_large',
      `The file at "${pointer}" has ${file.size} bytes; the tool takes at most ${maxSize}.`,
      { pointer, details: { size: file.size, maxSize } },
    );
  }
  if (accept && !isAccepted(accept, file, extension => typesByExtension.get(extension))) {
    const named = accept.slice(0, PATTERNS_IN_DETAILS).map(shownPattern);
    const unnamed = accept.length - named.length;
    const others = accept.length - PATTERNS_IN_MESSAGE;
    const more = others > 0 ? ` and ${others} more` : '';
    throw new FilesError(
      'file_type_not_accepted',
      `The file at "${pointer}" is ${file.type}; the tool accepts ${named.slice(0, PATTERNS_IN_MESSAGE).join(', ')}${more}.`,
      { pointer, details: { type: file.type, accept: named, ...(unnamed > 0 && { patterns: accept.length }) } },
    );
  }
}
