import type { FileSource } from '../source/index.js';
import type { RemoteFileShape } from './remote-file.js';

/** A file that a handle can stand for: one to send, or one that a tool returned. */
export type RegisteredFile = FileSource | RemoteFileShape;

/** For whom and how long a handle is good. */
export interface HandleOptions {
  /** A conversation or an owner: the handle resolves in calls of an equal `scope` only. Default: only in calls without. */
  readonly scope?: string;
  /** Milliseconds until the handle resolves no more. Default: the registry's own rule. */
  readonly expiresIn?: number;
  /** `serverUrl`s of the clients it resolves for. Default: any. */
  readonly servers?: readonly string[];
}

/** Who asks for the file of a handle. */
export interface HandleContext {
  /** `scope` of the call. */
  readonly scope?: string;
  /** `serverUrl` of the client. */
  readonly server?: string;
}

/**
 * Keeps files under handles, which the model passes in place of them. {@link memoryRegistry} is the default; a fleet of
 * hosts puts its own store behind this (docs/model.md has one). Every client of one host can share a registry.
 */
export interface FileRegistry {
  /** The new handle of a file: `mcpfile_…`, at most 200 characters, unguessable ({@link newHandle} makes one). */
  add(file: RegisteredFile | Blob, options?: HandleOptions): Promise<string>;
  /**
   * The file of a handle. For one that is unknown, has expired, is of another scope or for other servers: `undefined`, or a
   * rejection with the FilesError `argument_invalid`. The client makes the same error of all of them. Asked once for each
   * handle of a call, before anything is sent; what else it rejects with ends the call with `file_unreadable`.
   */
  resolve(handle: string, context?: HandleContext): Promise<RegisteredFile | undefined>;
  /** Forgets a handle. One that is not known is no error. */
  remove(handle: string): Promise<void>;
  /** The newest file of exactly this name for this scope and server: needed for `textFiles: 'registered'` only. */
  findByName?(name: string, context?: HandleContext): Promise<RegisteredFile | undefined>;
}
