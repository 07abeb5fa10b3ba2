import type { ResourceListener, ResourceUpdate } from './types.js';

/** Who listens to which resource. The same function may stand there more than once. */
export class Listeners {
  readonly #byUri = new Map<string, Set<ResourceListener>>();

  get uris(): ReadonlySet<string> {
    return new Set(this.#byUri.keys());
  }

  /** Returns how to take it off. */
  add(uri: string, listener: ResourceListener): () => void {
    const entry: ResourceListener = update => listener(update);
    const entries = this.#byUri.get(uri) ?? new Set();
    this.#byUri.set(uri, entries.add(entry));
    return () => {
      if (!entries.delete(entry) || entries.size > 0) return;
      if (this.#byUri.get(uri) === entries) this.#byUri.delete(uri);
    };
  }

  /** Tells everybody who listens to this resource, or to one it lies below (`file:///a` tells of `file:///a/b`). */
  tell(update: ResourceUpdate): void {
    for (const [uri, entries] of this.#byUri) {
      if (uri !== update.uri && !update.uri.startsWith(uri.endsWith('/') ? uri : `${uri}/`)) continue;
      for (const entry of [...entries]) callQuietly(() => entry(update));
    }
  }

  clear(): void {
    this.#byUri.clear();
  }
}

/** One listener's failure, thrown or rejected, is nobody else's. */
export function callQuietly(listener: () => unknown): void {
  try {
    const result = listener();
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
