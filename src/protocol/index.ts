import type {
  DownloadTarget,
  FileArgument,
  FileDeclaration,
  FileValue,
  JsonObject,
  Note,
  PendingFile,
  ServerFilesCapability,
  SplitInputRequests,
  Tool,
  UploadTarget,
} from './types.js';

export type * from './types.js';

export declare const FILES_EXTENSION: 'io.modelcontextprotocol/files';
export declare function clientCapability(options: { include: boolean }): JsonObject;
export declare function readServerCapability(extensions: JsonObject | undefined, note: Note): ServerFilesCapability;
export declare function fileArgumentValue(value: FileValue, allowed: ReadonlySet<string> | undefined): JsonObject;
export declare function splitInputRequests(
  inputRequests: JsonObject,
  uploadPossible: boolean,
  note: Note,
): SplitInputRequests;
export declare function readTargets(
  entry: JsonObject,
  files: readonly PendingFile[],
  note: Note,
): Map<string, UploadTarget>;
export declare function uploadResponse(): JsonObject;
export declare function isInlineTooLarge(code: number, data: unknown): boolean;
export declare function isInvalidRequestState(code: number, data: unknown): boolean;
export declare function readDownloads(
  result: JsonObject,
  note: Note,
): { downloads: DownloadTarget[]; result: JsonObject };
export declare function fileArguments(tool: Tool): FileArgument[];
export declare function declarationAt(tool: Tool, pointer: string): FileDeclaration | undefined;
export declare function isAccepted(
  accept: readonly string[] | undefined,
  file: { name: string; type: string; typeIsFallback: boolean },
  typeOfExtension: (extension: string) => string | undefined,
): boolean;
export declare function pointerOf(segments: readonly (string | number)[]): string;
export declare function segmentsOf(pointer: string): string[];
export declare function valueAt(root: unknown, pointer: string): unknown;
