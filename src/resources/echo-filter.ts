/**
 * A notification comes to us by the transport, and a host with a handler of its own may hand the same one to `notify`: then
 * it counts once. The two come within one turn of the event loop, as both SDKs call a handler in a microtask; what comes
 * later by the other way is a notification of its own.
 */
export class EchoFilter {
  /** By notification: how many more came by the transport than by `notify`; negative the other way round. */
  readonly #ahead = new Map<string, number>();

  /** Was it told already, by the other way? */
  isEcho(key: string, way: 'transport' | 'notify'): boolean {
    const step = way === 'transport' ? 1 : -1;
    const ahead = this.#ahead.get(key) ?? 0;
    if (this.#ahead.size === 0) setTimeout(() => this.#ahead.clear());
    this.#ahead.set(key, ahead + step);
    return ahead * step < 0;
  }
}
