import { CommanderError } from 'commander';
import type { CallReport } from './call.js';
import { EXIT, exitCodeOf, UsageError } from './exit-code.js';
import { describeFailure, failureOf } from './failure.js';
import { columnsOf, type Io, withoutSecrets } from './io.js';
import { buildProgram } from './program.js';
import { lazyResourceCommands } from './resources-program.js';
import { readServer, type ServerAccess, type ServerFlags } from './server-flags.js';

/** Runs one command line; resolves to the exit code and writes everything there is to say. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { words, command } = cutStdioCommand(argv);
  const asJson = (words.includes('--') ? words.slice(0, words.indexOf('--')) : words).includes('--json');
  const report: CallReport & { error?: object } = { result: undefined, files: [], transfers: [] };
  let shown: object = words[0] === 'call' ? report : {};
  let output = io;
  let code: number = EXIT.ok;
  const access = (server: string | undefined, flags: ServerFlags): ServerAccess => {
    const read = readServer(server, command, flags, io.env);
    output = withoutSecrets(io, read.secrets);
    return read;
  };
  const program = buildProgram(io, {
    async tools(server, flags) {
      const { listTools } = await import('./tools.js');
      const read = access(server, flags);
      code = await listTools(output, read, flags, shown);
    },
    async call(server, tool, flags) {
      const { callTool } = await import('./call.js');
      const read = access(server, flags);
      code = await callTool(output, read, tool, flags, report);
    },
    resources: lazyResourceCommands({
      io: () => output,
      access,
      report: shown as { [key: string]: unknown },
      exit: ended => {
        code = ended;
      },
    }),
    async download(server, uris, flags) {
      const { downloadFiles } = await import('./download.js');
      const saved = { files: [] };
      shown = saved;
      const read = access(server, flags);
      await downloadFiles(output, read, uris, flags, saved);
    },
    async demo(files, flags) {
      const { demo } = await import('./demo.js');
      code = await demo(io, files, flags, shown);
    },
    async demoServer() {
      const { serveDemo } = await import('./demo-server.js');
      await serveDemo();
    },
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    // Help and version are no failures, and have been printed.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    let failure = failureOf(error instanceof CommanderError ? usageError(error) : error);
    // Whatever broke off first when the signal came: nothing had been sent that could run the tool.
    if (io.signal.aborted && failure.outcome === 'not_run')
      failure = { ...failure, code: 'aborted', message: 'Stopped.' };
    if (words.length === 0) output.err.write(`${program.helpInformation()}\n`);
    code = exitCodeOf(failure);
    const { transfers, ...rest } = failure;
    shown = { ...shown, ...(transfers === undefined ? {} : { transfers }), error: rest };
    const name = program.commands.map(command => command.name()).find(each => each === words[0]);
    if (!asJson) output.err.write(describeFailure(failure, columnsOf(output.err), name));
  }
  // `resources watch` has written a document for each change; what is left to say is a failure.
  const streamed = words[0] === 'resources' && words[1] === 'watch';
  if (asJson && !streamed) output.out.write(`${JSON.stringify(shown, null, 2)}\n`);
  else if (asJson && 'error' in shown) output.out.write(`${JSON.stringify(shown)}\n`);
  return code;
}

/** With `--stdio` everything after `--` is the server's command, not ours to read. */
function cutStdioCommand(argv: readonly string[]): { words: readonly string[]; command: readonly string[] } {
  const cut = argv.indexOf('--');
  const words = cut < 0 ? argv : argv.slice(0, cut);
  return cut >= 0 && words.includes('--stdio') ? { words, command: argv.slice(cut + 1) } : { words: argv, command: [] };
}

function usageError(error: CommanderError): UsageError {
  return new UsageError(error.code === 'commander.help' ? 'No command given.' : error.message.replace(/^error: /, ''));
}
