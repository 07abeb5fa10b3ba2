export type { ReferenceDialect } from './dialect-tools.js';
export type {
  Json,
  ReceivedFile,
  ReferenceServer,
  ReferenceServerOptions,
  ReferenceServerRecord,
  ToolRun,
  TransferMode,
} from './options.js';
export { serveReferenceStdio, startReferenceServer } from './reference-server.js';
export { type FakeTarget, type FakeTransfer, transferHandlers } from './transfer-handlers.js';
