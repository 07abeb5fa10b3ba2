import { isByteCount, isObject, member, objectMember } from './json.js';
import { FILES_EXTENSION } from './names.js';
import type { FileValue, JsonObject, Note, ServerFilesCapability } from './types.js';

// An older draft declared these under the same identifier; its methods are SEP-2631's.
const OLDER_MEMBERS = ['prepareUpload', 'completeUpload', 'getDownload'];
const INVALID_PARAMS = -32602;

/** What the client declares under the extension's identifier. `include`: it can send the host's credential along. */
export function clientCapability(options: { include: boolean }): JsonObject {
  return { upload: options.include ? { include: true } : {}, download: {} };
}

/**
 * Reads the extension from the `extensions` member of the server's capabilities. An older draft under the same id gives
 * `olderDraft` and not `advertised`: that server knows no upload round.
 */
export function readServerCapability(extensions: JsonObject | undefined, note: Note): ServerFilesCapability {
  const declared = member(extensions, FILES_EXTENSION) ?? olderUnderShortName(extensions);
  if (declared === undefined || declared === false) return { advertised: false, olderDraft: false };
  if (!isObject(declared)) {
    const advertised = declared === true;
    note(`the server declares ${FILES_EXTENSION} as no object: ${advertised ? 'read as {}' : 'ignored'}`);
    return { advertised, olderDraft: false };
  }
  const maxInlineBytes = member(declared, 'maxInlineBytes');
  if (maxInlineBytes === undefined && OLDER_MEMBERS.some(name => Object.hasOwn(declared, name))) {
    note(`the server declares an older draft of ${FILES_EXTENSION}: spoken to as SEP-2631`);
    const completesUploads = member(declared, 'completeUpload') !== false;
    return { advertised: false, olderDraft: true, ...(!completesUploads && { completesUploads }) };
  }
  if (isByteCount(maxInlineBytes)) return { advertised: true, maxInlineBytes, olderDraft: false };
  if (maxInlineBytes !== undefined) note('the server declares a maxInlineBytes that is no count of bytes: ignored');
  return { advertised: true, olderDraft: false };
}

/** The older draft is also met under the bare `files`, which another extension may use as well. */
function olderUnderShortName(extensions: JsonObject | undefined): JsonObject | undefined {
  const declared = objectMember(extensions, 'files');
  return declared && OLDER_MEMBERS.some(name => Object.hasOwn(declared, name)) ? declared : undefined;
}

/**
 * The value of a file argument. Where the argument's schema is closed, `allowed` holds the members it lists and the
 * others are left out: a server that validates strictly would refuse the whole call for them.
 */
export function fileArgumentValue(value: FileValue, allowed: ReadonlySet<string> | undefined): JsonObject {
  const { name, mimeType, size, data } = value;
  const members: JsonObject = { name, mimeType, size, ...(data !== undefined && { data }) };
  if (allowed === undefined) return members;
  return Object.fromEntries(Object.entries(members).filter(([member]) => allowed.has(member)));
}

/** The response to an upload request: the retry itself says that every transfer got a 2xx. */
export function uploadResponse(): JsonObject {
  return {};
}

/** Is this JSON-RPC error the server's "too much inline data", which the client answers by sending out of band? */
export function isInlineTooLarge(code: number, data: unknown): boolean {
  return code === INVALID_PARAMS && hasReason(data, 'inline_too_large');
}

/** Is this JSON-RPC error the refusal of a request state by the codec of the v2 server SDK? */
export function isInvalidRequestState(code: number, data: unknown): boolean {
  return code === INVALID_PARAMS && hasReason(data, 'invalid_request_state');
}

/** The reason stands in `data` or under the extension's identifier in it, bare or with a namespace before it. */
function hasReason(data: unknown, reason: string): boolean {
  return [member(data, FILES_EXTENSION), data].some(holder => {
    const given = member(holder, 'reason');
    return typeof given === 'string' && (given === reason || given.endsWith(`/${reason}`));
  });
}
