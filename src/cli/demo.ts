import { basename } from 'node:path';
import { fromPath } from '../index.js';
import type { ReceivedFile } from '../testing/index.js';
import { type Session, withServer } from './connect.js';
import { type DemoServer, withDemoServer } from './demo-child.js';
import { type DemoFile, makeDemoFiles, sha256Of } from './demo-files.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Io } from './io.js';
import { progressView } from './progress.js';
import { withTemporaryFolder } from './temporary.js';
import { counted, printableLine, shownSize, shownTime, table } from './text.js';

export interface DemoFlags {
  readonly json?: boolean;
}

/** One file, as it went and as it arrived. */
interface DemoResult {
  readonly name: string;
  readonly size: number;
  /** `inline`, `put`, `post` or `form`. */
  readonly mode: string;
  /** SHA-256 of the bytes that arrived, taken by the server side. */
  readonly sha256: string;
  /** It equals the SHA-256 of the source file, taken here. */
  readonly verified: boolean;
  readonly origin: string | undefined;
  readonly milliseconds: number;
}

/** `mcp-files demo`: the whole flow against a server and a storage on this computer, and the proof that it worked. */
export async function demo(io: Io, paths: readonly string[], flags: DemoFlags, report: object): Promise<number> {
  return withTemporaryFolder(folder =>
    withDemoServer(async server => {
      const files = paths.length === 0 ? await makeDemoFiles(folder) : paths.map(path => ({ path }));
      if (!flags.json) {
        io.out.write(
          `An MCP server and its file storage run at ${new URL(server.url).host}, in a process of their own.\n`,
        );
        io.out.write(`Sending ${counted(files.length, 'file')}, one call of its tool save_file for each.\n\n`);
      }
      const started = performance.now();
      const results = await sendAll(io, server, files, flags);
      const milliseconds = Math.round(performance.now() - started);
      const shown = results.map(({ name, size, mode, sha256, verified }) => ({ name, size, mode, sha256, verified }));
      const maxRssBytes = process.resourceUsage().maxRSS * 1024;
      Object.assign(report, { server: server.url, files: shown, milliseconds, maxRssBytes });
      if (!flags.json) io.out.write(describe(results, milliseconds, maxRssBytes, io.out.columns ?? 80));
      return results.every(result => result.verified) ? EXIT.ok : EXIT.afterwards;
    }),
  );
}

function sendAll(io: Io, server: DemoServer, files: readonly DemoFile[], flags: DemoFlags): Promise<DemoResult[]> {
  const access = { address: { kind: 'http', url: server.url }, headers: {}, secrets: [], secretVariables: [] } as const;
  return withServer(io, access, { serverUrl: server.url }, async session => {
    const results: DemoResult[] = [];
    for (const file of files) results.push(await sendOne(io, server, session, file, flags));
    return results;
  });
}

async function sendOne(
  io: Io,
  server: DemoServer,
  session: Session,
  { path, name }: DemoFile,
  flags: DemoFlags,
): Promise<DemoResult> {
  const progress = progressView(io.err, flags.json === true);
  try {
    const document = fromPath(path, name === undefined ? {} : { name });
    const result = await session.files.callToolWithFiles(
      { name: 'save_file', arguments: { folder: 'demo', document } },
      { signal: io.signal, onProgress: progress.show },
    );
    const [transfer] = result.transfers;
    const arrived = (await server.received()).at(-1);
    if (transfer === undefined || arrived === undefined) {
      throw new CommandError('demo_server', `The demo's server has nothing of ${name ?? basename(path)}.`, 'completed');
    }
    const { origin, milliseconds, mode, size } = transfer;
    const verified = !result.isError && arrived.size === size && arrived.sha256 === (await sha256Of(path, io.signal));
    return { name: transfer.name, size, mode, sha256: arrived.sha256, verified, origin, milliseconds };
  } finally {
    progress.end();
  }
}

const COLUMNS = [
  { title: 'file', gives: true },
  { title: 'size', right: true },
  { title: 'way' },
  { title: 'storage' },
  { title: 'time', right: true },
  { title: 'sha-256' },
  { title: 'arrived' },
];

function describe(results: readonly DemoResult[], milliseconds: number, maxRssBytes: number, columns: number): string {
  const rows = results.map(result => [
    printableLine(result.name),
    shownSize(result.size),
    result.mode === 'inline' ? 'inline' : result.mode.toUpperCase(),
    result.origin === undefined ? '-' : new URL(result.origin).host,
    shownTime(result.milliseconds),
    result.sha256.slice(0, 8),
    result.verified ? 'as sent' : 'CHANGED',
  ]);
  const whole = results.filter(result => result.verified).length;
  const verdict =
    whole === results.length
      ? `Verified: what arrived has the same SHA-256 as what was sent, ${whole} of ${results.length}.`
      : `NOT verified: only ${whole} of ${results.length} arrived as they were sent.`;
  const cost = `It took ${shownTime(milliseconds)}; this process used ${shownSize(maxRssBytes)} of memory at most.`;
  return `${table(COLUMNS, rows, columns)}\n${verdict}\n${cost}\n`;
}
