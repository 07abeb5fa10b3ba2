import type { LegOptions, McpPort } from '../connection/index.js';
import { FilesError, linkSignals } from '../errors/index.js';
import { fileArgumentsOfAll, type Tool } from '../protocol/index.js';
import type { FileTool } from './types.js';

/** A list that goes on for longer has no end. */
const MOST_PAGES = 1000;

/** Tool definitions of the current connection; dropped when the server says they changed or the client reconnects. */
export class ToolCatalog {
  readonly #port: McpPort;
  readonly #stopListening: () => void;
  #tools: Map<string, Tool> | undefined;
  #connection: object | undefined;
  /** Counts the changes the server announced: a list that was being read meanwhile is not kept. */
  #changes = 0;

  constructor(port: McpPort) {
    this.#port = port;
    this.#stopListening = port.onToolListChanged(() => {
      this.#changes++;
      this.#tools = undefined;
    });
  }

  /** The tool's definition. A name that a cached list does not hold is looked up on the server once more. */
  async find(name: string, signal: AbortSignal): Promise<Tool | undefined> {
    return this.known(name) ?? (await this.#read(signal)).get(name);
  }

  /** The tool's definition, if the present connection's list has been read and holds it. */
  known(name: string): Tool | undefined {
    return this.#connection === this.#port.connectionKey ? this.#tools?.get(name) : undefined;
  }

  /** Reads the list anew. */
  async refresh(signal: AbortSignal, timeout?: number): Promise<FileTool[]> {
    const tools = [...(await this.#read(signal, timeout)).values()];
    const declared = fileArgumentsOfAll(tools);
    return tools.map((tool, index) => ({ ...tool, fileArguments: declared[index] ?? [] }));
  }

  /** Every page of `tools/list`. Throws `server_violation` where a cursor comes back. */
  async #read(signal: AbortSignal, timeout?: number): Promise<Map<string, Tool>> {
    const connection = this.#port.connectionKey;
    const changes = this.#changes;
    const tools = new Map<string, Tool>();
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.#page(cursor, signal, timeout);
      for (const tool of page.tools) tools.set(String(tool.name), tool as Tool);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      if (cursors.has(cursor)) {
        throw new FilesError('server_violation', 'The server gave the same cursor twice for tools/list.');
      }
      if (cursors.add(cursor).size >= MOST_PAGES) {
        throw new FilesError('server_violation', `The server's tools/list goes on after ${MOST_PAGES} pages.`);
      }
    } while (cursor !== undefined);
    if (changes === this.#changes) {
      this.#tools = tools;
      this.#connection = connection;
    }
    return tools;
  }

  /** With a signal of its own: the SDKs leave their listeners on the one they are given. */
  async #page(cursor: string | undefined, signal: AbortSignal, timeout: number | undefined) {
    const own = linkSignals(signal);
    try {
      const options: LegOptions = { signal: own.signal, ...(timeout === undefined ? {} : { timeout }) };
      return await this.#port.listToolsPage(cursor, options);
    } finally {
      own.release();
    }
  }

  close(): void {
    this.#stopListening();
    this.#tools = undefined;
  }
}
