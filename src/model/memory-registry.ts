import { FilesError } from '../errors/index.js';
import { toFileSource } from '../source/index.js';
import { newHandle, unknownHandle } from './handle.js';
import type { FileRegistry, HandleContext, RegisteredFile } from './registry.js';
import { isRemoteFile } from './remote-file.js';

/** Options of {@link memoryRegistry}. */
export interface MemoryRegistryOptions {
  /** Milliseconds that a handle lives which was added without `expiresIn`. Default: as long as the registry. */
  readonly expiresIn?: number;
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

interface Entry {
  readonly file: RegisteredFile;
  readonly scope: string | undefined;
  readonly servers: ReadonlySet<string> | undefined;
  readonly expiresAt: number;
}

/**
 * A registry in the memory of this process. It keeps the sources, not the bytes: a file from a path is opened when it is
 * sent. One from memory, or that came within a result, stays in memory as long as its handle: a host that runs for long
 * gives `expiresIn`, or removes what it needs no more. What has expired is let go of with the next `add`.
 */
export function memoryRegistry({ expiresIn, now = Date.now }: MemoryRegistryOptions = {}): FileRegistry {
  checkLife(expiresIn);
  const entries = new Map<string, Entry>();

  const isOpen = ({ scope, servers, expiresAt }: Entry, asking: HandleContext): boolean =>
    now() < expiresAt &&
    scope === asking.scope &&
    (servers === undefined || (asking.server !== undefined && servers.has(sameUrl(asking.server))));

  return {
    async add(file, options = {}) {
      const entry: Entry = {
        file: registrable(file),
        scope: checkedScope(options.scope),
        servers: checkedServers(options.servers),
        expiresAt: now() + (checkLife(options.expiresIn) ?? expiresIn ?? Number.POSITIVE_INFINITY),
      };
      for (const [handle, { expiresAt }] of entries) if (expiresAt <= now()) entries.delete(handle);
      const handle = newHandle();
      entries.set(handle, entry);
      return handle;
    },
    async resolve(handle, asking = {}) {
      const entry = entries.get(handle);
      if (entry === undefined || !isOpen(entry, asking)) throw unknownHandle();
      return entry.file;
    },
    async remove(handle) {
      entries.delete(handle);
    },
    async findByName(name, asking = {}) {
      let newest: RegisteredFile | undefined;
      for (const entry of entries.values()) if (entry.file.name === name && isOpen(entry, asking)) newest = entry.file;
      return newest;
    },
  };
}

function registrable(file: unknown): RegisteredFile {
  const source = isRemoteFile(file) ? file : toFileSource(file);
  if (source !== undefined) return source;
  throw invalid('takes a file of fromPath, fromBytes, fromBlob or fromStream, a Blob, or a file that a tool returned');
}

function checkLife(expiresIn: number | undefined): number | undefined {
  if (expiresIn === undefined || expiresIn >= 0) return expiresIn;
  throw invalid('takes as "expiresIn" a number of milliseconds, 0 or more');
}

function checkedScope(scope: unknown): string | undefined {
  if (scope === undefined || typeof scope === 'string') return scope;
  throw invalid('takes as "scope" a string');
}

function checkedServers(servers: unknown): ReadonlySet<string> | undefined {
  if (servers === undefined) return undefined;
  if (Array.isArray(servers) && servers.every(server => typeof server === 'string')) {
    return new Set(servers.map(sameUrl));
  }
  throw invalid('takes as "servers" a list of server URLs');
}

/** One spelling for each URL: a host in capitals, or a default port, is no other server. */
function sameUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function invalid(rule: string): FilesError {
  return new FilesError('argument_invalid', `The file registry ${rule}.`);
}
