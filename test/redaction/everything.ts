import { inspect } from 'node:util';

/** Every text that somebody who has this value can see: printed, logged, serialised or looked through by hand. */
export function textsOf(value: unknown): string[] {
  const texts = [String(value), `${jsonOf(value)}`];
  for (const customInspect of [true, false]) {
    texts.push(
      inspect(value, {
        depth: Number.POSITIVE_INFINITY,
        showHidden: true,
        getters: true,
        maxArrayLength: null,
        maxStringLength: null,
        customInspect,
      }),
    );
  }
  collect(value, texts, new Set());
  return texts;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Own members of every kind, at every depth: also those that neither `inspect` nor JSON shows. */
function collect(value: unknown, texts: string[], seen: Set<unknown>): void {
  if (typeof value === 'string') texts.push(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    texts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'));
    return;
  }
  if (value instanceof Map || value instanceof Set) collect([...value], texts, seen);
  for (const name of Reflect.ownKeys(value)) {
    texts.push(String(name));
    collect((value as Record<PropertyKey, unknown>)[name], texts, seen);
  }
}

/** Watches everything that leaves the process by itself, until told to end. */
export function watchOutput(): { readonly texts: string[]; end(): void } {
  const texts: string[] = [];
  const undo: (() => void)[] = [];
  const listen = (event: 'warning' | 'unhandledRejection'): void => {
    const note = (value: unknown): void => {
      texts.push(`${event}:`, ...textsOf(value));
    };
    process.on(event, note);
    undo.push(() => process.off(event, note));
  };
  listen('warning');
  listen('unhandledRejection');
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write;
    stream.write = ((chunk: unknown, ...rest: never[]) => {
      texts.push(String(chunk));
      return write.call(stream, chunk as string, ...rest);
    }) as typeof write;
    undo.push(() => {
      stream.write = write;
    });
  }
  const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;
  for (const method of methods) {
    const original = console[method];
    console[method] = (...given: unknown[]) => {
      texts.push(...given.flatMap(textsOf));
      original.apply(console, given);
    };
    undo.push(() => {
      console[method] = original;
    });
  }
  return {
    texts,
    end() {
      for (const step of undo) step();
    },
  };
}
