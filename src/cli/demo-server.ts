import { once } from 'node:events';
import { type ReceivedFile, startReferenceServer } from '../testing/index.js';

/** What the demo's two processes say to each other, over Node's own channel. */
export type FromDemoServer =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'received'; readonly files: readonly ReceivedFile[] };
export type ToDemoServer = { readonly type: 'received' };

/**
 * The other half of the demo: MCP server and storage, in a process of their own so that the client's memory is the
 * client's. It ends with its parent, however that ends: the channel closes even when the parent is killed.
 */
export async function serveDemo(): Promise<void> {
  const tell = (message: FromDemoServer) => process.send?.(message);
  if (process.send === undefined) throw new Error('The demo server is started by "mcp-files demo".');
  const parentGone = once(process, 'disconnect');
  try {
    const server = await startReferenceServer();
    process.on('message', (message: ToDemoServer) => {
      if (message.type === 'received') tell({ type: 'received', files: server.received() });
    });
    tell({ type: 'ready', url: server.url });
    await parentGone;
    await server.close();
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    await parentGone;
  }
}
