// The store of the jobs: the reference server, in a process of its own. It tells its address to the process that started it.
import { startReferenceServer } from 'mcp-files-client/testing';

const server = await startReferenceServer({ resourceQuota: 64 * 1024 * 1024 });
process.send({ url: server.url });
process.once('disconnect', () => void server.close());
