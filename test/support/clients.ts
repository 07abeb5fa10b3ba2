import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { FilesClient, type FilesClientOptions } from '../../src/index.js';

/** The three ways a host can speak MCP; every flow test runs on each. */
export const FLAVOURS = ['v2 modern', 'v2 legacy', 'v1'] as const;
export type Flavour = (typeof FLAVOURS)[number];

export interface Connected extends AsyncDisposable {
  readonly files: FilesClient;
  readonly mcp: ClientV1 | ClientV2;
  /** The same client, once it is closed, over a new transport. */
  connectAgain(): Promise<void>;
}

/** The MCP side is never mocked: msw's copy of a response would leave SDK v1 waiting for its body to be cancelled. */
const { fetch } = globalThis;

/** A connected host of one flavour with the library around its client. */
export async function connect(flavour: Flavour, url: string, options: FilesClientOptions = {}): Promise<Connected> {
  const info = { name: 'test-host', version: '1.0.0' };
  const capabilities = { elicitation: {} };
  const mcp =
    flavour === 'v1'
      ? new ClientV1(info, { capabilities })
      : new ClientV2(info, {
          capabilities,
          versionNegotiation: flavour === 'v2 modern' ? { mode: { pin: '2026-07-28' } } : { mode: 'legacy' },
        });
  const newTransport = () =>
    flavour === 'v1' ? new TransportV1(new URL(url), { fetch }) : new TransportV2(new URL(url), { fetch });
  const transport = newTransport();
  const files = new FilesClient(mcp, { serverUrl: url, transport, ...options });
  await mcp.connect(transport as never);
  return {
    files,
    mcp,
    connectAgain: () => mcp.connect(newTransport() as never),
    [Symbol.asyncDispose]: async () => {
      await files.close();
      await mcp.close();
    },
  };
}
