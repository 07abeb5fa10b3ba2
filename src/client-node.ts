import {
  checkDownloadOptions,
  DOWNLOAD_OPTIONS,
  invalidDownload,
  type DownloadedFile as ReadableFile,
  type DownloadOptions as ReadOptions,
  readable,
} from './call/download.js';
import type { RemoteFile } from './call/remote-file.js';
import { type Platform, PortableFilesClient } from './client.js';
import type { FilesClientOptions } from './client-options.js';
import type { McpClientLike } from './connection/index.js';
import { ANY, type Rule } from './errors/index.js';
import { spoolToDisk } from './source/spool.js';
import type { BuiltInEngineOptions } from './transfer/built-in-engine.js';
import { createFetchEngine } from './transfer/fetch-engine.js';
import { destinationAt, destinationIn, saveFile } from './transfer/save-file.js';
import { savedContent } from './transfer/saved-content.js';

/** The HTTP client is loaded with the first transfer. */
const node: Platform = {
  async createEngine({ fetch, tls, proxy }, target, { connect }) {
    if (fetch !== undefined) return createFetchEngine(fetch, {});
    const [{ createBuiltInEngine }, { makeGuardedLookup }] = await Promise.all([
      import('./transfer/built-in-engine.js'),
      import('./transfer/address-guard.js'),
    ]);
    return createBuiltInEngine({
      lookup: makeGuardedLookup(target),
      connectTimeout: connect,
      // Each member by name, also where it is undefined: what is missing would be looked up on Object.prototype.
      // Node reads DER bytes from any Uint8Array; its types name Buffer.
      tls: tls as BuiltInEngineOptions['tls'],
      proxy,
    });
  },
  // node:crypto takes longer to load than all other modules of Node that are used here.
  async sha256() {
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    return { update: bytes => void hash.update(bytes), digest: () => hash.digest('base64url') };
  },
  spool: spoolToDisk,
};

/**
 * Options of one download, all optional. Without `to` and `dir` the file is read through the result. An unknown one, and one
 * of the wrong kind, is `argument_invalid`.
 */
export interface DownloadOptions extends ReadOptions {
  /** Path to save the file at, in a folder that exists; one that ends like a folder's is `argument_invalid`. */
  readonly to?: string;
  /** Folder to save the file in, under its own relative name (`out/report.pdf`). Missing folders are made. `.` is this one. */
  readonly dir?: string;
  /** `true`, and nothing else, replaces a file that is there already. Default `false`: `destination_exists`. */
  readonly overwrite?: boolean;
}

const SAVING_OPTIONS: Record<keyof DownloadOptions, Rule> = {
  ...DOWNLOAD_OPTIONS,
  dir: [value => typeof value === 'string' && value !== '', 'be the path of a folder; "." is this one'],
  overwrite: ANY,
  // With a separator or dots at its end it means a folder, and would become a file of the folder's name.
  to: [
    value => typeof value === 'string' && !/(^|[/\\])\.{0,2}$/.test(value),
    'be the path of the file; a folder goes with dir',
  ],
};

/** A returned file that may be read; once saved, from its place on disk. */
export interface DownloadedFile extends ReadableFile {
  /** Absolute path, when it was saved. */
  readonly path?: string;
}

/** Sends files into the tools of one MCP client, on Node. */
export class FilesClient extends PortableFilesClient {
  constructor(client: McpClientLike, options: FilesClientOptions = {}) {
    super(client, options, node);
  }

  /**
   * Saves a file that a tool returned, with `to` or `dir`; the promise settles when it is verified and in place. It is
   * written to a temporary file beside its place and moved there in one step; on any failure nothing of it is left.
   *
   * Without either, makes it readable: `bytes()` and `stream()` fetch it, anew each time, within `concurrency`. Nothing
   * is fetched before, so a file that is never read costs nothing; whether the storage still has it shows when it is
   * read.
   *
   * Throws {@link FilesError}, always with the outcome `completed`: `argument_invalid` for a file of another client and for
   * options that cannot be meant, `target_refused`, `download_too_large`, `destination_exists`, `aborted`,
   * `download_failed` (`details.reason`, among them `unsafe_destination` for a folder below `dir` that is none or a link),
   * `transfer_stalled`, `transfer_timeout`, `size_mismatch`, `digest_mismatch`.
   */
  override async download(file: RemoteFile, options: DownloadOptions = {}): Promise<DownloadedFile> {
    checkDownloadOptions(options, SAVING_OPTIONS);
    const { to, dir, overwrite: asked, ...reading } = options;
    if (to !== undefined && dir !== undefined)
      throw invalidDownload('A download is saved with "to" or with "dir", not with both.');
    // Nothing but true: a word that is meant as "no" must not cost a file.
    const overwrite = asked === true;
    if (to === undefined && dir === undefined) return readable(await this.openDownload(file, reading));
    const { fetch, stream: _, patience, ...described } = await this.openDownload(file, reading);
    const path = await fetch((chunks, signal) => {
      const { name } = described;
      const destination = to === undefined ? destinationIn(dir!, name, overwrite) : destinationAt(to, name, overwrite);
      return saveFile(destination, chunks, signal);
    });
    return { ...described, path, ...savedContent(path, patience) };
  }
}
