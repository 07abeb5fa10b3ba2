import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { StorageRefusal } from './storage.js';

export type Route = 'uploads' | 'downloads';

/** Signs and checks the paths of targets: `<route>/<id>?expires=<ms>&signature=<HMAC-SHA256>`. */
export class PathSigner {
  readonly #key = randomBytes(32);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  sign(method: string, route: Route, id: string, expires: number): string {
    return `${route}/${id}?expires=${expires}&signature=${this.#signature(method, route, id, String(expires))}`;
  }

  /** The route and id of a path as it arrived, without its leading slash. Throws a refusal for anything not signed. */
  verify(method: string, path: string): { route: Route; id: string } {
    const match = /^(uploads|downloads)\/([\w-]+)\?expires=(\d+)&signature=([\w-]+)$/.exec(path);
    if (match === null) throw new StorageRefusal(403, 'AccessDenied');
    const [, route, id, expires, signature] = match as unknown as [string, Route, string, string, string];
    const given = Buffer.from(signature);
    const right = Buffer.from(this.#signature(method, route, id, expires));
    if (given.length !== right.length || !timingSafeEqual(given, right)) {
      throw new StorageRefusal(403, 'SignatureDoesNotMatch');
    }
    if (Number(expires) <= this.#now()) throw new StorageRefusal(410, 'Expired');
    return { route, id };
  }

  #signature(...parts: string[]): string {
    return createHmac('sha256', this.#key).update(parts.join('\n')).digest('base64url');
  }
}
