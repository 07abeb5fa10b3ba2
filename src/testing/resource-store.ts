import { randomBytes } from 'node:crypto';
import type { Json } from './options.js';

/** A resource that a client has created. */
export interface StoredResource {
  readonly uri: string;
  readonly owner: string;
  readonly name: string;
  readonly mimeType: string;
  /** As it was sent: text, or base64. */
  content: string;
  readonly isText: boolean;
  /** Decoded bytes. */
  size: number;
  readonly createdAt: string;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
  readonly metadata: Json;
}

type NewStored = Pick<StoredResource, 'owner' | 'name' | 'mimeType' | 'content' | 'isText' | 'size' | 'metadata'>;

/** What clients have created, in memory. What has outlived its ttl is gone for everybody. */
export class ResourceStore {
  readonly #resources = new Map<string, StoredResource>();
  readonly #quota: number;
  readonly #now: () => number;

  /** @param quota bytes for each owner */
  constructor(quota: number, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /** `undefined` where the owner's quota does not have room for it. */
  add(resource: NewStored): StoredResource | undefined {
    const used = this.ownedBy(resource.owner).reduce((sum, { size }) => sum + size, 0);
    if (used + resource.size > this.#quota) return undefined;
    const now = this.#now();
    const { ttl } = resource.metadata;
    // 128 bits that nobody can guess (SEP-2571): who knows the URI may read.
    const uri = `resource://created/${encodeURIComponent(resource.name)}/${randomBytes(16).toString('base64url')}`;
    const stored = {
      ...resource,
      uri,
      createdAt: new Date(now).toISOString(),
      expires: typeof ttl === 'number' ? now + ttl * 1000 : undefined,
    };
    this.#resources.set(uri, stored);
    return stored;
  }

  get(uri: string): StoredResource | undefined {
    const stored = this.#resources.get(uri);
    if (stored?.expires === undefined || stored.expires > this.#now()) return stored;
    this.#resources.delete(uri);
    return undefined;
  }

  delete(uri: string): void {
    this.#resources.delete(uri);
  }

  ownedBy(owner: string): StoredResource[] {
    return [...this.#resources.keys()].flatMap(uri => {
      const stored = this.get(uri);
      return stored?.owner === owner ? [stored] : [];
    });
  }
}
