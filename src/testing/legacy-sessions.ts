import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

type Fetch = (request: Request) => Promise<Response>;

/**
 * Protocols before 2026-07-28 over HTTP: a session for each client that initializes, since only a session can be told of
 * changes. Who sends a request without one is answered all the same, for tests made by hand.
 */
export class LegacySessions {
  readonly #factory: McpServerFactory;
  readonly #limit: { readonly maxRequestBodySize: number };
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  readonly #stateless: Fetch;

  constructor(factory: McpServerFactory, limit: { readonly maxRequestBodySize: number }) {
    this.#factory = factory;
    this.#limit = limit;
    this.#stateless = legacyStatelessFallback(factory, undefined, limit);
  }

  /** Answers what is of an earlier protocol, and leaves the rest to `modern`. */
  async fetch(request: Request, modern: Fetch): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, this.#limit))) return await modern(request);
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      return session === undefined ? gone() : await session.handleRequest(request);
    }
    if (request.method === 'POST' && (await isInitialize(request, this.#limit))) return await this.#begin(request);
    return await this.#stateless(request);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
    this.#sessions.clear();
  }

  async #begin(request: Request): Promise<Response> {
    const session = new WebStandardStreamableHTTPServerTransport({
      ...this.#limit,
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void this.#sessions.set(id, session),
      onsessionclosed: id => void this.#sessions.delete(id),
    });
    const server = await this.#factory({ era: 'legacy', requestInfo: request });
    await server.connect(session);
    return await session.handleRequest(request);
  }
}

/** A copy is read, so only as much of it as an `initialize` may have. */
async function isInitialize(
  request: Request,
  { maxRequestBodySize }: { maxRequestBodySize: number },
): Promise<boolean> {
  if (Number(request.headers.get('content-length') ?? 0) > Math.min(maxRequestBodySize, 64 * 1024)) return false;
  try {
    return isInitializeRequest(await request.clone().json());
  } catch {
    return false;
  }
}

function gone(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
