import type { RemoteFile } from '../call/remote-file.js';
import type { FileSource } from '../source/index.js';
import type { ProgressEvent } from '../transfer/progress.js';

/** What the connected server does with resources. */
export interface ResourceSupport {
  /** `resources/create` (SEP-2571). */
  readonly create: boolean;
  /** `resources/delete` (SEP-2571). */
  readonly delete: boolean;
  /** It tells when one resource changes. */
  readonly subscribe: boolean;
  /** It tells when the list of resources changes. */
  readonly listChanged: boolean;
}

/** Options of one request, all optional. */
export interface ResourceRequestOptions {
  /** Ends it with `aborted`; its reason becomes the error's `cause`. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each request; default: the SDK's (60,000). */
  readonly timeout?: number;
}

/** Hints for the server about a new resource (SEP-2571). A server ignores what it does not know. */
export interface ResourceMetadata {
  /** Life in seconds; the server may delete the resource after it. */
  readonly ttl?: number;
  readonly tags?: readonly string[];
  readonly [key: string]: unknown;
}

/** A resource to put on the server. */
export interface NewResource {
  /** For people; sent as it is. Default: the name of the `FileSource`, `Blob` or `RemoteFile` in `content`. */
  readonly name?: string;
  /**
   * Text, bytes (copied when `create` is called), or a file: `fromPath`, `fromBytes`, `fromBlob`, `fromStream`, a `Blob`, a
   * `File`, a file that a tool returned.
   */
  readonly content: string | Uint8Array | FileSource | Blob | RemoteFile;
  /**
   * Media type by RFC 9110 grammar. Default: the file's own, else the one of the name's extension, else `text/plain` for
   * text and `application/octet-stream` for bytes.
   */
  readonly mimeType?: string;
  readonly metadata?: ResourceMetadata;
  /**
   * How the content travels. Default: `text` under a text type (SEP-2571), `base64` under any other. `text` may be asked for
   * under a type that is not known as one; `base64` under a text type is `argument_invalid`: the server would take it for
   * the text itself.
   */
  readonly encoding?: 'text' | 'base64';
}

/** Options of `resources.create`, all optional. */
export interface CreateResourceOptions extends ResourceRequestOptions {
  /**
   * Larger content (decoded bytes) is `file_too_large` before it is read. Default: the client's `inlineLimit`, else
   * 134,217,728 (128 MiB); never over 7 MiB on stdio, where both SDKs close the connection at a line of 10 MiB.
   */
  readonly maxBytes?: number;
  /** Called as the content is read (`reading`), sent (`calling`) and stored; an error it throws is ignored. */
  readonly onProgress?: (progress: ProgressEvent) => void;
}

/** A resource that the server has stored. */
export interface CreatedResource {
  /** Works wherever a resource's URI does, for other clients too where the server lets them. */
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /** RFC 3339, as the server said; absent where it gave no date. */
  readonly createdAt?: string;
}

/** Hints of the server about a resource. What is malformed is left out, never the resource. */
export interface ResourceAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
  readonly [key: string]: unknown;
}

/** One resource of a list, with every member the server sent. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes before any encoding. */
  readonly size?: number;
  readonly annotations?: ResourceAnnotations;
  readonly [key: string]: unknown;
}

/** One template of a list, with every member the server sent. */
export interface ResourceTemplate {
  /** RFC 6570; see `resources.expand`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
  readonly [key: string]: unknown;
}

interface ContentBase {
  /** As the server said: it may differ from the one asked for. */
  readonly uri: string;
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotations;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** One content of a resource: text as the server sent it, or bytes. Which of the two decides the content, not its type. */
export type ResourceContent =
  | (ContentBase & { readonly text: string; readonly bytes?: never })
  | (ContentBase & { readonly bytes: Uint8Array; readonly text?: never });

/** Options of `resources.read`, all optional. */
export interface ReadResourceOptions extends ResourceRequestOptions {
  /** Larger contents (decoded bytes, together) are `download_too_large`. Default: any size; 128 MiB with `fetchHttps`. */
  readonly maxBytes?: number;
  /**
   * An `https:` resource is fetched from the web by this client, without any credential and under `policy`, instead of
   * being asked of the server. Default `false`; other URIs are always asked of the server.
   */
  readonly fetchHttps?: boolean;
}

/** A resource has changed: read it again. */
export interface ResourceUpdate {
  /** The resource that changed: the one subscribed to, or one below it. */
  readonly uri: string;
}

/** Called for each change; what it throws or rejects with is ignored. */
export type ResourceListener = (update: ResourceUpdate) => void;

/** Options of `resources.subscribe`, all optional. `signal` also ends the subscription later. */
export interface SubscribeOptions extends ResourceRequestOptions {}

/** One listener for one resource. */
export interface Subscription extends AsyncDisposable {
  readonly uri: string;
  /** Settles when the server was told, if this was the last listener for the resource. Never rejects; safe to call twice. */
  unsubscribe(): Promise<void>;
}

/** A notification, as a host's own handler gets it. */
export interface ResourceNotification {
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown } | undefined;
}

/** Values for a template: text, numbers, lists and maps of them (RFC 6570, section 2.3). */
export type TemplateVariables = {
  readonly [name: string]:
    | string
    | number
    | boolean
    | null
    | undefined
    | readonly (string | number | boolean)[]
    | { readonly [key: string]: string | number | boolean };
};
