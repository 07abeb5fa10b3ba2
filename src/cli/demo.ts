import { fromPath, type TransferReport } from '../index.js';
import type { ReceivedFile } from '../testing/index.js';
import { type Session, withServer } from './connect.js';
import { type DemoServer, withDemoServer } from './demo-child.js';
import { type DemoFile, makeDemoFiles, sha256Of } from './demo-files.js';
import { CommandError, EXIT } from './exit-code.js';
import { columnsOf, type Io } from './io.js';
import { progressView } from './progress.js';
import { withTemporaryFolder } from './temporary.js';
import { counted, printableLine, shownSize, shownTime, table, wrapped } from './text.js';

export interface DemoFlags {
  readonly json?: boolean;
}

/** One file, as it went and as it arrived. */
export interface DemoResult {
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
      const calls = paths.length === 0 ? await makeDemoFiles(folder) : [paths.map(path => ({ path }))];
      if (!flags.json) io.out.write(introduce(server, calls, columnsOf(io.out)));
      const started = performance.now();
      const results = await sendAll(io, server, calls, flags);
      const milliseconds = Math.round(performance.now() - started);
      const files = results.map(({ name, size, mode, sha256, verified }) => ({ name, size, mode, sha256, verified }));
      const maxRssBytes = process.resourceUsage().maxRSS * 1024;
      Object.assign(report, { server: server.url, files, milliseconds, maxRssBytes });
      if (!flags.json) io.out.write(describeResults(results, milliseconds, maxRssBytes, columnsOf(io.out)));
      return results.every(result => result.verified) ? EXIT.ok : EXIT.afterwards;
    }),
  );
}

type Calls = readonly (readonly DemoFile[])[];

function introduce(server: DemoServer, calls: Calls, columns: number): string {
  const lines = [
    `An MCP server at ${new URL(server.url).host} and its storage run in a process of their own.`,
    `Sending ${counted(calls.flat().length, 'file')} in ${counted(calls.length, 'call')} of its tool save_files.`,
  ];
  return `${lines.map(line => wrapped(line, columns, '')).join('\n')}\n\n`;
}

function sendAll(io: Io, server: DemoServer, calls: Calls, flags: DemoFlags): Promise<DemoResult[]> {
  const access = {
    address: { kind: 'http', url: server.url },
    headers: {},
    secrets: [],
    secretVariables: [],
    timeoutMs: 30_000,
    legacy: false,
    quiet: true,
  } as const;
  return withServer(io, access, { serverUrl: server.url }, async session => {
    const results: DemoResult[] = [];
    for (const files of calls) results.push(...(await sendCall(io, server, session, files, flags)));
    return results;
  });
}

async function sendCall(
  io: Io,
  server: DemoServer,
  session: Session,
  files: readonly DemoFile[],
  flags: DemoFlags,
): Promise<DemoResult[]> {
  const before = (await server.received()).length;
  const progress = progressView(io.err, flags);
  try {
    const documents = files.map(({ path, name }) => fromPath(path, name === undefined ? {} : { name }));
    const { transfers } = await session.files.callToolWithFiles(
      { name: 'save_files', arguments: { folder: 'demo', documents } },
      { signal: io.signal, onProgress: progress.show },
    );
    const arrived = (await server.received()).slice(before);
    if (transfers.length !== files.length || arrived.length !== files.length) {
      const message = `${files.length} files were sent, the server has ${arrived.length} of them.`;
      throw new CommandError('demo_server', message, 'completed');
    }
    return await Promise.all(transfers.map((transfer, i) => verify(files[i]!, transfer, arrived[i]!, io.signal)));
  } finally {
    progress.end();
  }
}

/** Takes the SHA-256 of the source file and compares it with what the server took of the bytes that arrived. */
async function verify(
  { path }: DemoFile,
  { name, size, mode, origin, milliseconds }: TransferReport,
  arrived: ReceivedFile,
  signal: AbortSignal,
): Promise<DemoResult> {
  const verified = arrived.size === size && arrived.sha256 === (await sha256Of(path, signal));
  return { name, size, mode, sha256: arrived.sha256, verified, origin, milliseconds };
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

/** The table of what went and what arrived, and the verdict. */
export function describeResults(
  results: readonly DemoResult[],
  milliseconds: number,
  maxRssBytes: number,
  columns: number,
): string {
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
