export { isAccepted } from './accept.js';
export { base64 } from './base64.js';
export type {
  Dialect,
  DialectFacts,
  PublishedLink,
  RoundMessages,
} from './dialect.js';
export { DIALECTS, type FileOption, type FileOptions, optionsOf } from './dialects.js';
export { readDownloads } from './downloads.js';
export { declarationAt, declarationsAt, fileArguments, fileArgumentsOfAll } from './file-arguments.js';
export {
  type AuthorizedUpload,
  authorizeUploadParams,
  type FileDigest,
  type FileObject,
  fileObjectMethods,
  olderCapabilities,
  readAuthorizedDownload,
  readAuthorizedUpload,
  readFileObject,
  readUploadRefusal,
  type UploadRefusal,
} from './file-objects.js';
export {
  clientCapability,
  fileArgumentValue,
  isInlineTooLarge,
  isInvalidRequestState,
  readServerCapability,
  uploadResponse,
} from './files-extension.js';
export { type InlineContent, inlineBytes, inlineSize, utf8Length } from './inline-content.js';
export { isObject } from './json.js';
export { pointerOf, segmentsOf, valueAt } from './json-pointer.js';
export { FILES_EXTENSION } from './names.js';
export { readResourceFile } from './resource-content.js';
export {
  type FilePlace,
  fileOfUri,
  findReturnedFiles,
  placesOf,
  RETURNED_PLACES,
  type ReturnedFile,
  type ReturnedSource,
} from './returned-files.js';
export type * from './types.js';
export { splitInputRequests } from './upload-request.js';
export { readTargets } from './upload-targets.js';
