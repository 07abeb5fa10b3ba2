import type { Command } from 'commander';
import type { DownloadFlags } from './download.js';

const HELP = `
A resource (also one that a tool linked to), a SEP-2631 file or an address on the web:
  mcp-files download https://mcp.example.com/mcp report:///2026/q1.pdf mcp-file://reports/17 --out reports
  mcp-files download --stdio reference:///welcome --to welcome.txt -- node server.js

Exit codes: 0 all saved, 2 the command line is wrong, 3 not all were saved.
`;

/** `mcp-files download`, as commander reads it. */
export function addDownloadCommand(
  program: Command,
  withServerFlags: (command: Command) => Command,
  download: (server: string | undefined, uris: readonly string[], flags: DownloadFlags) => Promise<void>,
): void {
  withServerFlags(program.command('download').description('Save files that a server has under a URI.'))
    .usage('[options] <server> <uri...>')
    .argument('[server]', 'URL of the server; none with --stdio')
    .argument('[uris...]', 'the URIs of the files')
    .option('--out <folder>', 'save them here, each under the end of its URI; default: this folder')
    .option('--to <file>', 'save the one file as this')
    .option('--overwrite', 'replace files that are there already')
    .option('--max-bytes <number>', 'take no larger file')
    .option('--verbose', 'show each step')
    .addHelpText('after', HELP)
    .action((first: string | undefined, rest: string[], flags: DownloadFlags) => {
      const all = first === undefined ? [] : [first, ...rest];
      return download(flags.stdio ? undefined : first, flags.stdio ? all : rest, flags);
    });
}
