import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Json } from './options.js';

/** What a request state carries from one round to the next. */
export interface RoundState {
  /** Ids of the staged files, by JSON Pointer. */
  readonly uploads: Readonly<Record<string, string>>;
  /** The upload request stood in the round this state ends. */
  readonly uploadAsked: boolean;
  /** The question stood in it. */
  readonly confirmationAsked: boolean;
}

interface Sealed extends RoundState {
  readonly id: string;
  readonly expires: number;
}

export type OpenedState =
  | { readonly kind: 'valid'; readonly id: string; readonly state: RoundState }
  | { readonly kind: 'consumed' }
  | { readonly kind: 'invalid' };

const PREFIX = 'r1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Request states: opaque to the client, readable by this process alone, good for one retry of the same call.
 *
 * AES-256-GCM, with the tool's name and a digest of its arguments as associated data: a state that was altered, or that
 * comes back with another tool or other arguments, does not open. (The SDK's own codec signs but does not encrypt.)
 */
export class RequestStates {
  readonly #key = randomBytes(32);
  readonly #consumed = new Map<string, number>();
  readonly #ttl: number;
  readonly #now: () => number;

  constructor(options: { readonly ttlSeconds: number; readonly now: () => number }) {
    this.#ttl = options.ttlSeconds * 1000;
    this.#now = options.now;
  }

  seal(tool: string, args: Json, state: RoundState): string {
    const sealed: Sealed = { ...state, id: randomUUID(), expires: this.#now() + this.#ttl };
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(binding(tool, args));
    const body = Buffer.concat([cipher.update(JSON.stringify(sealed), 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(tool: string, args: Json, text: unknown): OpenedState {
    const sealed = typeof text === 'string' ? this.#decrypt(tool, args, text) : undefined;
    if (sealed === undefined || sealed.expires <= this.#now()) return { kind: 'invalid' };
    if (this.#consumed.has(sealed.id)) return { kind: 'consumed' };
    return { kind: 'valid', id: sealed.id, state: sealed };
  }

  consume(id: string): void {
    const now = this.#now();
    // An expired state no longer opens, so there is no need to remember it.
    for (const [old, expires] of this.#consumed) if (expires <= now) this.#consumed.delete(old);
    this.#consumed.set(id, now + this.#ttl);
  }

  /** For a retry that was refused before anything was done with it. */
  restore(id: string): void {
    this.#consumed.delete(id);
  }

  #decrypt(tool: string, args: Json, text: string): Sealed | undefined {
    if (!text.startsWith(PREFIX)) return undefined;
    const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(binding(tool, args)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(body.toString('utf8')) as Sealed;
    } catch {
      return undefined;
    }
  }
}

function binding(tool: string, args: Json): Buffer {
  return createHash('sha256')
    .update(canonical([tool, args]))
    .digest();
}

/** JSON with sorted keys: equal for deep-equal values, whatever their key order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
