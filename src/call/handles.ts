import { FilesError, isFilesError, orAborted, safeCause, throwIfAborted } from '../errors/index.js';
import { type HandleContext, isHandle, looksLikeHandle, type RegisteredFile, unknownHandle } from '../model/index.js';
import { declarationAt, type FileDeclaration, type Tool } from '../protocol/index.js';
import { type FileSource, toFileSource } from '../source/index.js';
import type { CopiedArguments, FileInArguments, TextInArguments } from './arguments.js';
import type { CallContext } from './context.js';
import type { DescribedAt } from './described.js';
import { isRemoteFile } from './remote-file.js';
import type { RemoteSources } from './remote-source.js';
import { filesInText, type NamedFiles } from './text-files.js';

type Answer = RegisteredFile | undefined;
type Ask = () => Promise<Answer> | undefined;

/** Who uses the handles of a call, and for what. */
interface HandlesOfCall {
  readonly tool: Tool | undefined;
  readonly describedAt: DescribedAt;
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
  readonly remotes: RemoteSources;
}

/**
 * All files of a call, in the order of its arguments: those that stand there, those behind its handles, and, if the host wants
 * that, those that its texts name. A handle counts where a file is declared, and elsewhere if the host wants that; otherwise
 * it is a text like any other. Each is asked for once: one that expires during the call has done its part.
 */
export async function withHandles(
  { files, texts }: CopiedArguments,
  { tool, describedAt, scope, signal, remotes }: HandlesOfCall,
  context: CallContext,
): Promise<FileInArguments[]> {
  const server = context.targetContext.serverUrl;
  const asking: HandleContext = { ...(scope !== undefined && { scope }), ...(server !== undefined && { server }) };
  const [byHandle, byName] = [new Map<string, Answer>(), new Map<string, Answer>()];
  const asked = async (known: Map<string, Answer>, what: string, pointer: string, ask: Ask) => {
    if (!known.has(what)) known.set(what, await askRegistry(pointer, signal, ask));
    return known.get(what);
  };
  const named: NamedFiles = {
    find: async (name, pointer) => {
      const file = await asked(byName, name, pointer, () => context.registry.findByName?.(name, asking));
      // Nobody asked for this file by a handle: a text that names one which cannot be sent stays what it is.
      return canBeSent(file, context) ? file : undefined;
    },
    sourceOf: (file, pointer) => sourceOf(file, pointer, remotes, context),
  };
  const filesOf = async (text: TextInArguments): Promise<FileInArguments[]> => {
    const { text: handle, pointer, put } = text;
    const declared =
      tool !== undefined && (describedAt(pointer) !== undefined || declarationAt(tool, pointer) !== undefined);
    if (!looksLikeHandle(handle)) return declared || tool === undefined ? [] : filesInText(text, named);
    if (!declared && context.resolveHandles === 'declared') return [];
    const file = await asked(byHandle, handle, pointer, () =>
      isHandle(handle) ? context.registry.resolve(handle, asking) : undefined,
    );
    const source = sourceOf(file, pointer, remotes, context);
    return [{ pointer, put, source, ...(!declared && { undeclared: undeclaredAt(pointer) }) }];
  };
  const all: FileInArguments[] = [];
  let taken = 0;
  for (const text of texts) {
    all.push(...files.slice(taken, text.after), ...(await filesOf(text)));
    taken = text.after;
  }
  return [...all, ...files.slice(taken)];
}

async function askRegistry(pointer: string, signal: AbortSignal, ask: Ask): Promise<Answer> {
  throwIfAborted(signal);
  try {
    return await orAborted((async () => ask())(), signal);
  } catch (error) {
    throwIfAborted(signal);
    if (isFilesError(error) && error.code === 'argument_invalid') return undefined;
    throw new FilesError('file_unreadable', `The file registry failed to resolve the file at "${pointer}".`, {
      pointer,
      cause: safeCause(error),
    });
  }
}

/** A returned file can be fetched by the client that got it, and is foreign to every other. */
function canBeSent(file: Answer, { returned }: CallContext): boolean {
  return isRemoteFile(file) ? returned.has(file) : toFileSource(file) !== undefined;
}

function sourceOf(file: Answer, pointer: string, remotes: RemoteSources, context: CallContext): FileSource {
  if (!canBeSent(file, context)) throw unknownHandle(pointer);
  return isRemoteFile(file) ? remotes.of(file, pointer) : toFileSource(file)!;
}

/** No schema says how it is to be written, and the extension's way is the one that a server of today is made for. */
function undeclaredAt(pointer: string): FileDeclaration {
  return { pointer, required: false, dialect: 'extension' };
}
