import type { JsonObject } from '../connection/index.js';
import { FilesError, shownName } from '../errors/index.js';
import {
  type FileObject,
  fileObjectMethods,
  type Note,
  type ReturnedSource,
  readAuthorizedDownload,
  readResourceFile,
  readServerCapability,
} from '../protocol/index.js';
import type { CallContext } from './context.js';
import { type ExpectedFile, expectedSha256, type FileContent } from './fetch-file.js';
import { askForFile, isUnsupported } from './file-request.js';
import { decodedContent } from './inline-content.js';
import { loggedContent } from './logged-content.js';
import { READ, readInRounds } from './read-rounds.js';
import { checkedTarget, targetContent, webTarget } from './target-file.js';

type ByUri = Extract<ReturnedSource, { readonly kind: 'uri' }>;

/** Is it on the web: for the client to fetch by itself, as the specification has it of `https:` resources? */
export function isWebUri(uri: string): boolean {
  return /^https?:\/\//i.test(uri);
}

/**
 * The content of a file that only the server can say the way to. A SEP-2631 file is asked for with
 * `files/authorizeDownload`, a linked resource with `resources/read`; where the server knows no such thing, the other way
 * is tried (of a web URI the web itself). Asked anew each time, since an authorisation expires.
 */
export function requestedContent({ uri, by }: ByUri, expected: ExpectedFile, context: CallContext): FileContent {
  const other = isWebUri(uri) ? fromWeb : readResource;
  const [first, second] = by === 'authorize' ? [authorized, other] : [readResource, authorized];
  return async function* (signal, progress) {
    progress?.phase('downloading');
    let refusal: unknown;
    try {
      yield* first(uri, expected, context)(signal, progress);
      return;
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      refusal = error;
    }
    try {
      yield* second(uri, expected, context)(signal, progress);
    } catch (error) {
      throw isUnsupported(error) ? refusal : error;
    }
  };
}

/** SEP-2631: the server answers with a target for the moment. The older spelling is tried where the newer is unknown. */
function authorized(uri: string, expected: ExpectedFile, context: CallContext): FileContent {
  return async function* (signal, progress) {
    const { olderDraft } = readServerCapability(context.port.serverExtensions(), () => {});
    const methods = [olderDraft, !olderDraft].map(older => fileObjectMethods({ olderDraft: older }).authorizeDownload);
    const answered = await askForFile(methods, { uri }, expected, signal, context);
    if (answered.kind !== 'complete')
      throw noContent(expected.name, 'asks a question before it authorises', 'input_required');
    const answer = answered.result;
    const note: Note = message => context.log?.({ type: 'note', message });
    const target = readAuthorizedDownload(answer, {}, note);
    const { size, digest } = target;
    // What the result said of the file is what the host has seen of it: that counts where both say something.
    const all = { ...(size !== undefined && { size }), ...expectedSha256(digest, context), ...expected };
    const usable = await checkedTarget(target, all, signal, context);
    yield* targetContent(usable, all, context)(signal, progress);
  };
}

function readResource(uri: string, expected: ExpectedFile, context: CallContext): FileContent {
  return async function* (signal, progress) {
    const send = (params: JsonObject) => askForFile([READ], params, expected, signal, context);
    const answer = await readInRounds(uri, send, context, signal);
    const read = readResourceFile(answer, uri, message => context.log?.({ type: 'note', message }));
    if (read === undefined) throw noContent(expected.name, 'gave no single content for', 'content_ambiguous');
    if (isFileObject(read)) {
      yield* authorized(read.uri, expected, context)(signal, progress);
      return;
    }
    const content = decodedContent(read, expected, signal, progress);
    yield* loggedContent(content, expected, { via: 'message' }, context.log);
  };
}

function fromWeb(uri: string, expected: ExpectedFile, context: CallContext): FileContent {
  return async function* (signal, progress) {
    const usable = await checkedTarget(webTarget(uri), expected, signal, context);
    yield* targetContent(usable, expected, context)(signal, progress);
  };
}

function isFileObject(read: object): read is FileObject {
  return 'uri' in read;
}

function noContent(name: string, what: string, reason: string): FilesError {
  return new FilesError('download_failed', `The server ${what} the file "${shownName(name)}".`, {
    details: { reason },
  });
}
