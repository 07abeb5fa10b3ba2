import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type FileSource, type FilesToolResult, fromPath, isFilesError, type LogEvent } from '../index.js';
import { buildArguments, parseJson, splitFlag, type ToolShape } from './arguments.js';
import { clientOptions, type Session, withServer } from './connect.js';
import { CommandError, EXIT, type Outcome, UsageError } from './exit-code.js';
import { withOutcome } from './failure.js';
import type { Io } from './io.js';
import { progressView } from './progress.js';
import { describeContent, describeEvent, describeTransfer } from './result-text.js';
import { checkFolder, type ReturnedFile, type SaveFlags, takeFiles } from './save.js';
import { isObject, type Json } from './schema-types.js';
import type { ServerAccess, ServerFlags } from './server-flags.js';
import { spool, withTemporaryFolder } from './temporary.js';
import { printableLine } from './text.js';

export interface CallFlags extends ServerFlags, SaveFlags {
  readonly file?: readonly string[];
  readonly arg?: readonly string[];
  readonly argJson?: readonly string[];
  readonly argsJson?: string;
  readonly stdinName?: string;
}

/** What `--json` prints, filled as the call goes on, so that a failure leaves what had been reached. */
export interface CallReport {
  result: object | undefined;
  files: ReturnedFile[];
  transfers: readonly object[];
}

/** `mcp-files call`: one tool call with files. */
export async function callTool(
  io: Io,
  access: ServerAccess,
  name: string,
  flags: CallFlags,
  report: CallReport,
): Promise<number> {
  if (flags.overwrite && flags.out === undefined) throw new UsageError('--overwrite needs --out.');
  if (flags.out !== undefined) await checkFolder('--out', flags.out, true);
  const stdinFlags = [...(flags.file ?? []).map(text => splitFlag('--file', text).value), flags.argsJson];
  const stdinUses = stdinFlags.filter(value => value === '-').length;
  if (stdinUses > 1) throw new UsageError('Standard input can be used once only.');
  const base = await readBase(io, flags.argsJson);
  const work = (stdin?: string) => {
    const open = (path: string): FileSource =>
      path === '-' && stdin !== undefined ? fromPath(stdin, { name: flags.stdinName ?? 'stdin' }) : fromPath(path);
    return callConnected(io, access, { name, base, open }, flags, report);
  };
  if (flags.argsJson === '-' || !stdinFlags.includes('-')) return work();
  return withTemporaryFolder(async folder => work(await spool(io.input, folder, io.signal)));
}

interface Wanted {
  readonly name: string;
  readonly base: Json | undefined;
  readonly open: (path: string) => FileSource;
}

async function callConnected(
  io: Io,
  access: ServerAccess,
  { name, base, open }: Wanted,
  flags: CallFlags,
  report: CallReport,
): Promise<number> {
  // Until the library says otherwise nothing was sent that could run the tool.
  let outcome: Outcome = 'not_run';
  const logger = (event: LogEvent) => {
    if (event.type === 'call_failed') outcome = event.outcome as Outcome;
    if (flags.verbose) io.err.write(`${describeEvent(event)}\n`);
  };
  return withServer(io, access, { ...clientOptions(io, access, flags), logger }, async session => {
    const tool = await findTool(session, name, io.signal);
    const { arg = [], argJson = [], file = [] } = flags;
    const args = buildArguments(tool, { base, arg, argJson, file }, open);
    const progress = progressView(io.err, flags);
    let result: FilesToolResult;
    try {
      const onProgress = progress.show;
      result = await session.files.callToolWithFiles({ name, arguments: args }, { signal: io.signal, onProgress });
    } catch (error) {
      throw isFilesError(error) ? error : withOutcome(error, outcome);
    } finally {
      progress.end();
    }
    const { files, transfers, ...rest } = result;
    Object.assign(report, { result: rest, transfers });
    if (!flags.json) {
      for (const transfer of transfers) io.err.write(describeTransfer(transfer));
      io.out.write(describeContent(rest));
    }
    await takeFiles(io, (file, how) => session.files.download(file, how), files, flags, report);
    return result.isError === true ? EXIT.toolError : EXIT.ok;
  });
}

async function findTool(session: Session, name: string, signal: AbortSignal): Promise<ToolShape> {
  const tools = await session.files.listTools({ signal });
  const tool = tools.find(each => each.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map(each => printableLine(each.name));
  const has =
    names.length === 0 ? 'It has none.' : `It has: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : '.'}`;
  throw new CommandError('unknown_tool', `The server has no tool "${name}". ${has}`);
}

async function readBase(io: Io, path: string | undefined): Promise<Json | undefined> {
  if (path === undefined) return undefined;
  const text = await (path === '-' ? readAll(io.input) : readFile(path, 'utf8')).catch(() => {
    throw new UsageError(`The file of --args-json, "${path}", cannot be read.`);
  });
  const value = parseJson('The file of --args-json', text);
  if (!isObject(value)) throw new UsageError('The file of --args-json must hold one JSON object.');
  return value;
}
