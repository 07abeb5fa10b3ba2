export type { CredentialHeaders, CredentialRequest } from './call/context.js';
export type { DescribedArgument } from './call/described.js';
export type { RemoteFileFacts } from './call/host-file.js';
export type { FileToPublish } from './call/publish-source.js';
export { isRemoteFile, type RemoteFile } from './call/remote-file.js';
export type {
  CallOptions,
  ContentItem,
  FilesToolResult,
  FileTool,
  InputRequestForHost,
  LogEvent,
  PlannedTransfer,
  ToolCall,
} from './call/types.js';
export type { RequestOptions, ServerFileCapabilities } from './client.js';
export { type DownloadedFile, type DownloadOptions, FilesClient } from './client-node.js';
export type { FilesClientOptions, TlsOptions } from './client-options.js';
export type { McpClientLike } from './connection/index.js';
export {
  FilesError,
  type FilesErrorCode,
  isFilesError,
  type Outcome,
  OutcomeUnknownError,
  TransferError,
  type TransferFailure,
  type TransferReport,
} from './errors/index.js';
export { fileArguments } from './file-arguments.js';
export {
  type CallToolResult,
  type FileRegistry,
  type HandleContext,
  type HandleOptions,
  type MemoryRegistryOptions,
  memoryRegistry,
  newHandle,
  type RegisteredFile,
  type ResultForModelOptions,
  resultForModel,
  toolForModel,
} from './model/index.js';
export type { FileArgument, PublishedLink, Tool } from './protocol/index.js';
export type * from './resources/index.js';
export { fromPath } from './source/from-path.js';
export { type FileSource, fromBlob, fromBytes, fromStream } from './source/index.js';
export type { ProgressEvent } from './transfer/progress.js';
export type { TargetPolicyOptions } from './transfer/target-policy.js';
export type { Timeouts } from './transfer/upload.js';
