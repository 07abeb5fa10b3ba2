/** A JSON object of the wire. */
export type JsonObject = { [key: string]: unknown };

/** Says that a reader had to guess or to ignore something. The text holds pointers and member names, never values. */
export type Note = (message: string) => void;

/** Name and value, in the order given: an HTTP header or a form field. */
export type NamedValue = readonly [name: string, value: string];

/** What a server says about the files extension. */
export interface ServerFilesCapability {
  readonly advertised: boolean;
  /** Largest total decoded size, in bytes, of all inline data of one request; 0: nothing inline, not even empty files. */
  readonly maxInlineBytes?: number;
  /** The same id with the members of an older draft: the server speaks SEP-2631 and not the upload round. */
  readonly olderDraft: boolean;
  /** Older draft only: false where it has no `files/completeUpload`. */
  readonly completesUploads?: boolean;
}

/** What a file argument says about a file. */
export interface FileValue {
  readonly name: string;
  readonly mimeType: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Standard base64 with padding; absent when the file goes out of band. */
  readonly data?: string;
}

/** One entry of `inputRequests` that is no upload: elicitation, sampling, roots or another extension's. */
export interface InputRequest {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface SplitInputRequests {
  /** The upload entry, as the server sent it, and the key its response goes under. */
  readonly upload?: { readonly key: string; readonly entry: JsonObject };
  /** In the order of the server's object. */
  readonly others: InputRequest[];
}

/** What the target reader must know of a file of the call. */
export interface PendingFile {
  /** JSON Pointer (RFC 6901) into `arguments`. */
  readonly pointer: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Its data went along with the call. */
  readonly inline: boolean;
}

/** Where one file is to be sent, as the server said it. Its shape is checked, its destination is not. */
export interface UploadTarget {
  /** Exactly one of `url` and `path` is set, each exactly as received. */
  readonly url?: string;
  readonly path?: string;
  /** Upper-case. `PUT` or `POST` are the draft's; others are handed on for the target policy to refuse. */
  readonly method: string;
  readonly headers: readonly NamedValue[];
  readonly credentials: 'omit' | 'include';
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Multipart form: the fields in order, then the file as the part `fileField`. */
  readonly form?: { readonly fields: readonly NamedValue[]; readonly fileField: string };
}

/** Where one returned file is to be fetched. */
export interface DownloadTarget {
  /** As received; may hold a relative folder (`out/report.pdf`). Not cleaned. */
  readonly name?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  /** Exactly one of `url` and `path` is set, each exactly as received. */
  readonly url?: string;
  readonly path?: string;
  readonly headers: readonly NamedValue[];
  readonly credentials: 'omit' | 'include';
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly digest?: { readonly algorithm: string; readonly value: string };
  /** As the server wrote it, where it cannot be read: kept so that what it says is shown to nobody. */
  readonly malformed?: JsonObject;
}

/** A tool definition, by the members read here. */
export interface Tool {
  name: string;
  inputSchema?: JsonObject | undefined;
  _meta?: JsonObject | undefined;
  [key: string]: unknown;
}

/** How the value of a file argument is written. */
export type FileDialect = 'extension' | 'data-uri' | 'file-object' | 'openai-file-params' | 'base64' | (string & {});

/** SEP-2631: inside the call, or to a target that `files/authorizeUpload` gives. */
export type TransferMode = 'inline' | 'upload';

/** A file argument that a tool declares. */
export interface FileArgument {
  /** JSON Pointer (RFC 6901) into `arguments`, where a segment `*` stands for any array index or map key. */
  readonly pointer: string;
  /** It, and everything above it, must be present in every call. */
  readonly required: boolean;
  /** Media types, `type/*` and `.ext` patterns; absent: anything. */
  readonly accept?: readonly string[];
  /** Bytes per file, however it travels. */
  readonly maxSize?: number;
  readonly dialect: FileDialect;
}

/** A file argument with what is needed to write its value. */
export interface FileDeclaration extends FileArgument {
  /** Members that a closed object schema lists; absent: any member may be written. */
  readonly allowedMembers?: ReadonlySet<string>;
  /** SEP-2631: the ways the file may travel; absent where the schema names none. */
  readonly transferModes?: readonly TransferMode[];
}
