import { FilesError } from '../errors/index.js';
import { type FileFacts, readFileFacts } from './file-facts.js';
import { isByteCount, isObject, member, objectMember } from './json.js';
import { type Place, readAccess } from './target-members.js';
import type { DownloadTarget, JsonObject, Note, ServerFilesCapability, UploadTarget } from './types.js';
import { readUploadTarget } from './upload-target.js';

// SEP-2631, "File Objects and Transfer". Its descriptors say where bytes go; everything of them is read here.

/** A file that a server knows by a URI of its own: SEP-2631 `FileValue`. The URI is opaque. */
export interface FileObject extends FileFacts {
  readonly uri: string;
}

/** The requests of SEP-2631, in one of its two spellings. */
export interface FileObjectMethods {
  readonly authorizeUpload: string;
  /** Called once the bytes have arrived; only the older spelling has it. */
  readonly completeUpload?: string;
  readonly authorizeDownload: string;
}

const METHODS: FileObjectMethods = {
  authorizeUpload: 'files/authorizeUpload',
  authorizeDownload: 'files/authorizeDownload',
};

/**
 * The names to ask by. The older spelling is told by the members of its capability (`prepareUpload`, `completeUpload`,
 * `getDownload`); one that is `false` there is not offered.
 */
export function fileObjectMethods({
  olderDraft,
  completesUploads = true,
}: Pick<ServerFilesCapability, 'olderDraft' | 'completesUploads'>): FileObjectMethods {
  if (!olderDraft) return METHODS;
  return {
    authorizeUpload: 'files/prepareUpload',
    ...(completesUploads && { completeUpload: 'files/completeUpload' }),
    authorizeDownload: 'files/getDownload',
  };
}

/**
 * What the client declares beside the extension. `files` for SEP-2631, with the booleans that servers in the field read.
 * `fileInputs` for SEP-2356, without which such a server leaves `x-mcp-file` out of its schemas.
 */
export function olderCapabilities(): JsonObject {
  return { files: { upload: true, download: true, transports: ['https'] }, fileInputs: {} };
}

/** SHA-256 as SEP-2631 writes it. `value`: base64url without padding, 43 characters. */
export interface FileDigest {
  readonly algorithm: 'sha-256';
  readonly value: string;
}

/** Parameters of `files/authorizeUpload` and of the older `files/prepareUpload`. `size` in bytes. */
export function authorizeUploadParams(file: {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly digest?: FileDigest | undefined;
}): JsonObject {
  const { name, mimeType, size, digest } = file;
  return { name, mimeType, size, ...(digest && { digest: { ...digest } }) };
}

/** An upload that a server has authorised. */
export interface AuthorizedUpload {
  /** The argument's value, once the bytes have arrived, is its `uri`. */
  readonly file: FileObject;
  readonly target: UploadTarget;
  /** Parameters of `files/completeUpload`. */
  readonly completion: JsonObject;
}

/** Reads the answer to an upload request: `{ file, upload }`, older `{ file, transfer }`. Throws `server_violation`. */
export function readAuthorizedUpload(result: JsonObject, pointer: string, note: Note): AuthorizedUpload {
  const broken = (rule: string) =>
    new FilesError('server_violation', `The server's upload authorisation is malformed: ${rule}.`, { pointer });
  const file = readFileObject(member(result, 'file'), note);
  if (!file) throw broken('its "file" has no "uri"');
  const descriptor = objectMember(result, 'upload') ?? objectMember(result, 'transfer');
  if (!descriptor) throw broken('it has no "upload"');
  const place: Place = { broken: rule => broken(`in its descriptor, ${rule}`), note };
  checkTransport(descriptor, place);
  const uploadId = member(result, 'uploadId');
  return {
    file,
    target: readUploadTarget(withForm(descriptor), pointer, note),
    completion: { uri: file.uri, ...(typeof uploadId === 'string' && { uploadId }) },
  };
}

/**
 * Reads the answer to a download request: `{ file, download }`, older `{ file, transfer }`. What it does not say of the
 * file is taken from `known`. Throws `download_failed`, reason `malformed_descriptor`.
 */
export function readAuthorizedDownload(result: JsonObject, known: FileFacts, note: Note): DownloadTarget {
  const broken = (rule: string) =>
    new FilesError('download_failed', `The server's download authorisation is malformed: ${rule}.`, {
      details: { reason: 'malformed_descriptor' },
    });
  const descriptor = objectMember(result, 'download') ?? objectMember(result, 'transfer');
  if (!descriptor) throw broken('it has no "download"');
  const place: Place = { broken: rule => broken(`in its descriptor, ${rule}`), note };
  checkTransport(descriptor, place);
  const method = member(descriptor, 'method') ?? 'GET';
  if (typeof method !== 'string' || method.toUpperCase() !== 'GET') throw place.broken('its "method" is not GET');
  const file = objectMember(result, 'file');
  return { ...known, ...(file && readFileFacts(file, note)), ...readAccess(descriptor, place) };
}

/** A `FileValue` wherever it stands; `undefined` for what has no `uri`. `displayName` is an earlier draft's `name`. */
export function readFileObject(value: unknown, note: Note): FileObject | undefined {
  const uri = member(value, 'uri');
  if (!isObject(value) || typeof uri !== 'string' || uri === '') return undefined;
  const facts = readFileFacts(value, note);
  const displayName = member(value, 'displayName');
  return { uri, ...(typeof displayName === 'string' && { name: displayName }), ...facts };
}

/** Why a server does not authorise an upload, from the `data` of its JSON-RPC error. */
export interface UploadRefusal {
  readonly kind: 'too_large' | 'type_not_accepted' | 'digest_required' | 'other';
  /** The server's own word for it. */
  readonly reason: string;
  /** Bytes, where the server said. */
  readonly maxSize?: number;
  readonly accept?: readonly string[];
}

/**
 * Reads a refusal, or `undefined` where the error gives no reason. `maxSizeExceeded` is of SEP-2631, `mimeTypeNotAccepted`
 * is met in servers; both are met in other ways of joining words, and under `error`.
 */
export function readUploadRefusal(data: unknown): UploadRefusal | undefined {
  const given = member(data, 'reason') ?? member(data, 'error');
  if (typeof given !== 'string') return undefined;
  const reason = given.toLowerCase().replace(/[^a-z]/g, '');
  const maxSize = member(data, 'maxSize');
  const accept = member(data, 'accept');
  if (reason === 'maxsizeexceeded' || reason === 'toolarge' || reason === 'filetoolarge') {
    return { kind: 'too_large', reason: given, ...(isByteCount(maxSize) && { maxSize }) };
  }
  if (reason === 'mimetypenotaccepted' || reason === 'typenotaccepted' || reason === 'unsupportedmediatype') {
    const patterns = Array.isArray(accept) ? accept.filter(pattern => typeof pattern === 'string') : [];
    return { kind: 'type_not_accepted', reason: given, ...(patterns.length > 0 && { accept: patterns }) };
  }
  const isDigest = reason === 'digestrequired' || reason === 'missingdigest' || reason === 'digestmissing';
  return { kind: isDigest ? 'digest_required' : 'other', reason: given };
}

/** `http` is met with servers that are themselves reached over http; whether such a URL may be used is for the policy. */
function checkTransport(descriptor: JsonObject, place: Place): void {
  const transport = member(descriptor, 'transport') ?? 'https';
  if (transport === 'https' || transport === 'http') return;
  throw place.broken('its "transport" is not "https", and no other is known here');
}

/** SEP-2631 gives form fields as an object: the order is that of its members, and no guess. */
function withForm(descriptor: JsonObject): JsonObject {
  const multipart = objectMember(descriptor, 'multipart');
  const fields = objectMember(multipart, 'fields');
  return fields ? { ...descriptor, multipart: { ...multipart, fields: Object.entries(fields) } } : descriptor;
}
