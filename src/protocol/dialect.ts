import type { FileKeyword } from './file-keyword.js';
import type { AuthorizedUpload, FileDigest, UploadRefusal } from './file-objects.js';
import type { Applied } from './schema-walk.js';
import type {
  FileDeclaration,
  FileDialect,
  JsonObject,
  Note,
  PendingFile,
  ServerFilesCapability,
  SplitInputRequests,
  UploadTarget,
} from './types.js';

/** A schema that marks its place in the arguments as a file. */
export type Mark = Applied & { readonly keyword: FileKeyword };

/**
 * How the bytes of a file get to the server.
 *
 * - `inline`: in the arguments of the call;
 * - `round`: to a target that the server names in answer to the call;
 * - `authorize`: to a target that is asked for before the call;
 * - `publish`: the host puts the file somewhere, and the server fetches it.
 */
export type Route = 'inline' | 'round' | 'authorize' | 'publish';

/** What the choice of a dialect rests on, beside the tool's declaration. */
export interface DialectFacts {
  readonly server: ServerFilesCapability;
  /** The host gave `publish`. */
  readonly publishes: boolean;
  /** The server has answered a request of these dialects with -32601. */
  readonly unknownToServer: ReadonlySet<string>;
}

/** One file as its argument is written. Of the last three members that of the route is set. */
interface FileToWrite {
  readonly name: string;
  readonly mimeType: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Standard base64 with padding; absent where the bytes are still to come. */
  readonly data?: string;
  /** The server's own URI of an authorised upload. */
  readonly uri?: string;
  readonly link?: PublishedLink;
}

/** Where a host has put a file for a server to fetch. */
export interface PublishedLink {
  /** Absolute URL. */
  readonly url: string;
  readonly id: string;
}

/** The messages of the `round` route. */
export interface RoundMessages {
  split(inputRequests: JsonObject, uploadPossible: boolean, note: Note): SplitInputRequests;
  readTargets(entry: JsonObject, files: readonly PendingFile[], note: Note): Map<string, UploadTarget>;
  response(): JsonObject;
}

/** The messages of the `authorize` route. */
interface AuthorizeMessages {
  /** The request before the transfer, and the one after it where the server wants one. */
  methods(server: ServerFilesCapability): { readonly ask: string; readonly complete?: string };
  params(file: Omit<FileToWrite, 'data'> & { readonly digest?: FileDigest | undefined }): JsonObject;
  /** Throws `server_violation`. */
  read(result: JsonObject, pointer: string, note: Note): AuthorizedUpload;
  /** The URI after the transfer, where the answer to `complete` gives another. */
  readCompletion(result: JsonObject): string | undefined;
  readRefusal(data: unknown): UploadRefusal | undefined;
}

/**
 * One way in which servers take files. Pure: it says how a file is declared, which routes it may take and how it is
 * written; src/call does what a route needs. All of them, in order, are in dialects.ts.
 */
export interface Dialect {
  readonly name: FileDialect;
  /** Why it is used, as the transfer report says it. */
  readonly reason: string;
  /** Of the marks at one place those that declare a file in this dialect. */
  marks(all: readonly Mark[]): readonly Mark[];
  /** The argument is an object, so a closed schema decides which members may be written. */
  readonly writesObject?: boolean;
  /** In order of preference; none where server or host lack something. */
  routes(declaration: FileDeclaration, facts: DialectFacts): readonly Route[];
  /** What it needs of server or host, for the error where no dialect can be used. */
  lookedFor(facts: DialectFacts): string;
  /** A dialect to try for a file that does not fit inline, though the tool does not declare it. */
  beyondInline?(declaration: FileDeclaration): Dialect | undefined;
  /** `mode` of the transfer report on the `inline` route. */
  readonly inlineMode?: 'inline' | 'data-uri';
  /** The value of the argument. */
  write(file: FileToWrite, declaration: FileDeclaration): unknown;
  readonly round?: RoundMessages;
  readonly authorize?: AuthorizeMessages;
}
