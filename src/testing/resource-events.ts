/** One way to tell clients: a session, a connection, or all open streams of an endpoint. */
export interface EventSink {
  updated(uri: string): void;
  listChanged(): void;
}

/** Tells every client that wants to know. */
export class ResourceEvents implements EventSink {
  readonly #sinks = new Set<EventSink>();

  /** Returns how to take it off. */
  add(sink: EventSink): () => void {
    this.#sinks.add(sink);
    return () => void this.#sinks.delete(sink);
  }

  updated(uri: string): void {
    for (const sink of this.#sinks) sink.updated(uri);
  }

  listChanged(): void {
    for (const sink of this.#sinks) sink.listChanged();
  }
}
