import { FilesError, isFilesError, orAborted, safeCause, throwIfAborted } from '../errors/index.js';
import { type HandleContext, isHandle, type RegisteredFile, unknownHandle } from '../model/index.js';
import { declarationAt, type FileDeclaration, type Tool } from '../protocol/index.js';
import { type FileSource, toFileSource } from '../source/index.js';
import type { CopiedArguments, FileInArguments } from './arguments.js';
import type { CallContext } from './context.js';
import type { DescribedAt } from './described.js';
import { isRemoteFile } from './remote-file.js';
import type { RemoteSources } from './remote-source.js';

/** Who uses the handles of a call, and for what. */
interface HandlesOfCall {
  readonly tool: Tool | undefined;
  readonly describedAt: DescribedAt;
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
  readonly remotes: RemoteSources;
}

/**
 * All files of a call, in the order of its arguments: those that stand there, and those behind its handles. A handle counts
 * where a file is declared, and elsewhere if the host wants that; otherwise it is a text like any other. Each is asked for
 * once: one that expires during the call has done its part.
 */
export async function withHandles(
  { files, texts }: CopiedArguments,
  { tool, describedAt, scope, signal, remotes }: HandlesOfCall,
  context: CallContext,
): Promise<FileInArguments[]> {
  const server = context.targetContext.serverUrl;
  const asking: HandleContext = { ...(scope !== undefined && { scope }), ...(server !== undefined && { server }) };
  const known = new Map<string, RegisteredFile | undefined>();
  const all: FileInArguments[] = [];
  let taken = 0;
  for (const { text, pointer, put, after } of texts) {
    const declared =
      tool !== undefined && (describedAt(pointer) !== undefined || declarationAt(tool, pointer) !== undefined);
    if (!declared && context.resolveHandles === 'declared') continue;
    if (!known.has(text)) known.set(text, await ask(text, pointer, asking, signal, context));
    const source = sourceOf(known.get(text), pointer, remotes, context);
    all.push(...files.slice(taken, after), {
      pointer,
      put,
      source,
      ...(!declared && { undeclared: undeclaredAt(pointer) }),
    });
    taken = after;
  }
  return [...all, ...files.slice(taken)];
}

async function ask(
  handle: string,
  pointer: string,
  asking: HandleContext,
  signal: AbortSignal,
  { registry }: CallContext,
): Promise<RegisteredFile | undefined> {
  throwIfAborted(signal);
  if (!isHandle(handle)) return undefined;
  try {
    return await orAborted((async () => registry.resolve(handle, asking))(), signal);
  } catch (error) {
    throwIfAborted(signal);
    if (isFilesError(error) && error.code === 'argument_invalid') return undefined;
    throw new FilesError('file_unreadable', `The file registry failed to resolve the handle at "${pointer}".`, {
      pointer,
      cause: safeCause(error),
    });
  }
}

function sourceOf(
  file: RegisteredFile | undefined,
  pointer: string,
  remotes: RemoteSources,
  { returned }: CallContext,
): FileSource {
  // A returned file can be fetched by the client that got it, and is foreign to every other.
  const source = isRemoteFile(file) ? (returned.has(file) ? remotes.of(file, pointer) : undefined) : toFileSource(file);
  if (source === undefined) throw unknownHandle(pointer);
  return source;
}

/** No schema says how it is to be written, and the extension's way is the one that a server of today is made for. */
function undeclaredAt(pointer: string): FileDeclaration {
  return { pointer, required: false, dialect: 'extension' };
}
