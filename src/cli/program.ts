import { Command, Option } from 'commander';
import type { CallFlags } from './call.js';
import type { DemoFlags } from './demo.js';
import type { DownloadFlags } from './download.js';
import { addDownloadCommand } from './download-program.js';
import { UsageError } from './exit-code.js';
import type { Io } from './io.js';
import type { ResourceCommands } from './resources.js';
import { addResourceCommands } from './resources-program.js';
import type { ServerFlags } from './server-flags.js';
import { VERSION } from './version.js';

/** What each command does; given the parts of its line. */
export interface Commands {
  tools(server: string | undefined, flags: ServerFlags & { json?: boolean }): Promise<void>;
  call(server: string | undefined, tool: string, flags: CallFlags): Promise<void>;
  readonly resources: ResourceCommands;
  download(server: string | undefined, uris: readonly string[], flags: DownloadFlags): Promise<void>;
  demo(files: string[], flags: DemoFlags): Promise<void>;
  demoServer(): Promise<void>;
}

const EXIT_CODES = `
Exit codes:
  0    the tool ran
  1    the tool ran and says that it failed
  2    the command line is wrong
  3    the tool was not run: no server, no file, a refusal, a failed transfer
  4    not known whether the tool ran: look before you try again
  5    the tool ran, something after it failed
  130  stopped by Ctrl-C before the tool could run (after that: 4 or 5)
`;

const STDIO_EXAMPLE = `
A server that runs as a command is named after --:
  mcp-files tools --stdio -- node server.js
  mcp-files call --stdio save_file --file document=./deck.pdf -- node server.js
`;

/** The command line, as commander reads it. */
export function buildProgram(io: Io, commands: Commands): Command {
  const program = new Command('mcp-files')
    .description('Send files into the tools of an MCP server.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: text => io.out.write(text),
      // What commander says of an error is written with the other errors, once, by the caller.
      writeErr: () => {},
      getOutHelpWidth: () => io.out.columns ?? 80,
      getOutHasColors: () => false,
    })
    .addHelpText('after', EXIT_CODES);

  withServerFlags(program.command('tools').description('List the tools of a server and the files they take.'))
    .argument('[server]', 'URL of the server')
    .addHelpText('after', STDIO_EXAMPLE)
    .action((server: string | undefined, flags: ServerFlags) => commands.tools(server, flags));

  withServerFlags(program.command('call').description('Call a tool with files.'))
    .usage('[options] <server> <tool>')
    .argument('[server]', 'URL of the server; none with --stdio')
    .argument('[tool]', 'name of the tool')
    .option('--file <name=path>', 'a file for an argument, "-" for standard input; repeat for a list', collect)
    .option('--arg <name=value>', "an argument, typed by the tool's schema; repeat for a list", collect)
    .option('--arg-json <name=json>', 'an argument as JSON', collect)
    .option('--args-json <file>', 'all other arguments, as one JSON object in a file')
    .option('--stdin-name <name>', 'the file name of standard input', 'stdin')
    .option('--out <folder>', 'save the files that the tool returns here, under their own names')
    .option('--overwrite', 'replace files that are there already')
    .option('--verbose', 'show each step')
    .addHelpText(
      'after',
      `\nA name is an argument's, or a JSON Pointer such as /items/0/document.\n${STDIO_EXAMPLE}${EXIT_CODES}`,
    )
    .action((first: string | undefined, second: string | undefined, flags: CallFlags) => {
      const [server, tool, surplus] = flags.stdio ? [undefined, first, second] : [first, second, undefined];
      if (tool === undefined)
        throw new UsageError(`Missing: ${first === undefined && !flags.stdio ? '<server> and ' : ''}<tool>.`);
      if (surplus !== undefined)
        throw new UsageError(`Unexpected: "${surplus}"; with --stdio the server stands after --`);
      return commands.call(server, tool, flags);
    });

  addResourceCommands(program, withServerFlags, commands.resources);
  addDownloadCommand(program, withServerFlags, commands.download);

  program
    .command('demo')
    .description('Send files to a server made for the purpose, on this computer, and check what arrived.')
    .argument('[files...]', 'your own files; without any, some are made')
    .option('--json', 'one JSON document on standard output')
    .action((files: string[], flags: DemoFlags) => commands.demo(files, flags));

  program.command('demo-server', { hidden: true }).action(() => commands.demoServer());
  return program;
}

function withServerFlags(command: Command): Command {
  return command
    .option('--stdio', 'run the server as a command, given after --')
    .option('--timeout <seconds>', 'how long to wait for the server to answer when it is connected; default: 30')
    .option('--legacy', 'use only the handshake of before 2026-07-28, for servers that end at the newer one')
    .option('--bearer-env <variable>', 'environment variable that holds a bearer token')
    .option('--header-env <header=variable>', 'a header whose value an environment variable holds', collect)
    .option('--server-url <url>', "the server's own address, for stdio servers and gateways")
    .option('--allow-host <pattern>', 'hosts that files may be sent to, and no others', collect)
    .option('--allow-loopback', 'files may be sent over http on this computer')
    .option('--allow-private-network', 'files may be sent to private addresses')
    .addOption(new Option('--json', 'one JSON document on standard output'));
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
