import { createRequire } from 'node:module';

/** A file that a fake target took. */
export interface FakeTransfer {
  readonly method: string;
  /** Request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Forms only: the file part's name, and the fields in order. */
  readonly filename?: string;
  readonly fields?: ReadonlyArray<readonly [name: string, value: string]>;
}

/** A target as it stands in an upload request (or among a result's downloads), and what to answer there. */
export interface FakeTarget {
  /** Absolute URL, query included: a request with another query is answered 403. */
  readonly url: string;
  /** Default: POST with `form`, else PUT; GET for a download. */
  readonly method?: 'PUT' | 'POST' | 'GET';
  /** Headers that must arrive as they are, else 403. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields that must stand before the file in this order, else 400. `fileField` defaults to `file`. */
  readonly form?: {
    readonly fields?: ReadonlyArray<{ readonly name: string; readonly value: string }>;
    readonly fileField?: string;
  };
  /** Status of the answer to a good request. Default 200. */
  readonly status?: number;
  /** Body of a download. */
  readonly content?: Uint8Array | string;
  /** Called with each transfer that was taken. */
  readonly onTransfer?: (transfer: FakeTransfer) => void;
}

/**
 * Handlers for [msw](https://mswjs.io) (2.x, a peer that this function alone needs) that play the storage behind
 * targets. They sit on `fetch`, so the client under test must make its transfers with `fetch`.
 *
 * ```ts
 * const storage = setupServer(
 *   ...transferHandlers([{ url: 'https://bucket.example/k?sig=abc', method: 'PUT', onTransfer: t => sent.push(t) }]),
 * );
 * ```
 *
 * Throws where msw is not installed.
 *
 * @typeParam Handler taken from where the handlers go. msw's own class has private members, so no type of ours could stand
 *   for it, and its name in these typings would ask every user of this entry point for msw.
 */
// biome-ignore lint/suspicious/noExplicitAny: what has no place yet, as in `const handlers = …`, must fit msw as well.
export function transferHandlers<Handler = any>(targets: readonly FakeTarget[]): Handler[] {
  // Not a static import: the rest of this entry point works without msw. Handlers of msw's CommonJS build work in a
  // server of its ESM build.
  const { http, HttpResponse } = createRequire(import.meta.url)('msw') as typeof import('msw');
  const paths = new Map<string, FakeTarget[]>();
  for (const target of targets) {
    const { origin, pathname } = new URL(target.url);
    paths.set(origin + pathname, [...(paths.get(origin + pathname) ?? []), target]);
  }
  const refusal = (status: number, code: string): Response =>
    new HttpResponse(`<Error><Code>${code}</Code></Error>`, {
      status,
      headers: { 'content-type': 'application/xml', 'access-control-allow-origin': '*' },
    });
  const handlers = [...paths].map(([path, candidates]) =>
    // A pattern without its metacharacters: msw would read `:` and `*` in a path as its own.
    http.all(new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`), async ({ request }) => {
      const target = candidates.find(({ url }) => new URL(url).href === request.url);
      if (target === undefined) return refusal(403, 'SignatureDoesNotMatch');
      if (request.method !== methodOf(target)) return refusal(405, 'MethodNotAllowed');
      for (const [name, value] of Object.entries(target.headers ?? {})) {
        if (request.headers.get(name) !== value) return refusal(403, 'SignedHeaderMismatch');
      }
      const transfer = await read(request, target);
      if (transfer === undefined) return refusal(400, 'PolicyMismatch');
      target.onTransfer?.(transfer);
      const content = typeof target.content === 'string' ? target.content : target.content?.slice().buffer;
      const status = target.status ?? 200;
      const bodyless = status === 204 || status === 304;
      return new HttpResponse(bodyless ? null : (content ?? ''), {
        status,
        headers: { 'access-control-allow-origin': '*' },
      });
    }),
  );
  return handlers as Handler[];
}

function methodOf({ method, form, content }: FakeTarget): string {
  return method ?? (form !== undefined ? 'POST' : content !== undefined ? 'GET' : 'PUT');
}

/** The file of a request; `undefined` for a form that is not the target's. */
async function read(request: Request, { form }: FakeTarget): Promise<FakeTransfer | undefined> {
  const head = { method: request.method, headers: Object.fromEntries(request.headers) };
  if (form === undefined) return { ...head, bytes: new Uint8Array(await request.arrayBuffer()) };
  let entries: [string, FormDataEntryValue][];
  try {
    entries = [...(await request.formData())];
  } catch {
    return undefined;
  }
  const last = entries.pop();
  const fields = entries.map(([name, value]) => [name, String(value)] as const);
  const expected = (form.fields ?? []).map(({ name, value }) => [name, value] as const);
  if (last === undefined || typeof last[1] === 'string' || last[0] !== (form.fileField ?? 'file')) return undefined;
  if (JSON.stringify(fields) !== JSON.stringify(expected)) return undefined;
  return { ...head, bytes: new Uint8Array(await last[1].arrayBuffer()), filename: last[1].name, fields };
}
