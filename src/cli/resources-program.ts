import type { Command } from 'commander';
import { UsageError } from './exit-code.js';
import type { ResourceCommands, ResourceLine } from './resources.js';

const EXAMPLES = `
A server that runs as a command is named after --:
  mcp-files resources list --stdio -- node server.js
  mcp-files resources read --stdio reference:///welcome -- node server.js > welcome.txt
`;

type WithServerFlags = (command: Command) => Command;

/** What each command takes after the server. */
interface Words {
  readonly least: number;
  readonly most: number;
  /** For the message, where one is missing. */
  readonly missing: string;
}

/** `mcp-files resources …`, as commander reads it. */
export function addResourceCommands(
  program: Command,
  withServerFlags: WithServerFlags,
  commands: ResourceCommands,
): void {
  const resources = program.command('resources').description('List, read, create, delete and watch resources.');
  const add = (name: string, operand: string | undefined, about: string, says = ''): Command => {
    const command = withServerFlags(resources.command(name).description(about))
      .usage(`[options] <server>${operand === undefined ? '' : ` ${operand}`}`)
      .argument('[server]', 'URL of the server; none with --stdio')
      // What is too much is named below, as it depends on --stdio what is.
      .allowExcessArguments()
      .addHelpText('after', EXAMPLES);
    return operand === undefined ? command : command.argument(operand.replace(/^<(.*)>$/, '[$1]'), says);
  };
  const on = <F extends { stdio?: boolean }>(
    command: Command,
    words: Words,
    run: (server: string | undefined, given: string[], flags: F) => Promise<void>,
  ): void => {
    command.action(() => {
      const flags = command.opts<F>();
      const [server, given] = flags.stdio ? [undefined, command.args] : [command.args[0], command.args.slice(1)];
      if (server === undefined && !flags.stdio)
        throw new UsageError('No server: give its URL, or --stdio and its command after --');
      if (given.length < words.least) throw new UsageError(`Missing: ${words.missing}.`);
      if (given.length > words.most) throw new UsageError(`Unexpected: "${given[words.most]}".`);
      return run(server, given, flags);
    });
  };
  const none = { least: 0, most: 0, missing: '' };
  const uri = { least: 1, most: 1, missing: '<uri>' };

  on(add('list', undefined, 'List the resources of a server.'), none, (server, _, flags) =>
    commands.list(server, flags),
  );
  on(add('templates', undefined, 'List the templates of URIs that a server has.'), none, (server, _, flags) =>
    commands.templates(server, flags),
  );
  on(
    add(
      'read',
      '<uri>',
      'Write the content of a resource to standard output or a file.',
      'of the resource, or a template',
    )
      .option('--out <path>', 'the file to write; for a resource of several contents the folder')
      .option('--overwrite', 'replace files that are there already')
      .option('--var <name=value>', 'take <uri> for a template (RFC 6570) and expand it; repeat for a list', collect)
      .option('--fetch-https', 'fetch an https: resource from the web instead of asking the server for it'),
    uri,
    (server, [first = ''], flags) => commands.read(server, first, flags),
  );
  on(
    add(
      'create',
      '<file>',
      'Put a file, or standard input by "-", on the server (SEP-2571) and print its URI.',
      'path, or "-"',
    )
      .option('--name <name>', "name of the resource; the file's own by default")
      .option('--type <media type>', "media type; by the file's name by default")
      .option('--encoding <encoding>', 'text or base64; by the media type by default')
      .option('--ttl <seconds>', 'how long the server should keep it')
      .option('--tag <tag>', 'a tag; repeat for more', collect)
      .option('--metadata <json>', 'further metadata, as one JSON object')
      .option('--max-bytes <bytes>', 'the most that is sent; 128 MiB by default, 7 MiB with --stdio'),
    { least: 1, most: 1, missing: '<file>' },
    (server, [file = ''], flags) => commands.create(server, file, flags),
  );
  on(
    add('delete', '<uri>', 'Delete a resource that was created (SEP-2571).', 'of the resource'),
    uri,
    (server, [first = ''], flags) => commands.delete(server, first, flags),
  );
  on(
    add(
      'watch',
      '[uri...]',
      'Print a line for each change of these resources, or of the list without any.',
      'of resources',
    ).option('--count <number>', 'end after so many changes; by default at Ctrl-C'),
    { least: 0, most: Number.POSITIVE_INFINITY, missing: '' },
    (server, uris, flags) => commands.watch(server, uris, flags),
  );
}

/** The library is loaded when a command runs, not to print the help. */
export function lazyResourceCommands(line: ResourceLine): ResourceCommands {
  const load = async (): Promise<ResourceCommands> => (await import('./resources.js')).resourceCommands(line);
  return {
    list: async (server, flags) => (await load()).list(server, flags),
    templates: async (server, flags) => (await load()).templates(server, flags),
    read: async (server, uri, flags) => (await load()).read(server, uri, flags),
    create: async (server, file, flags) => (await load()).create(server, file, flags),
    delete: async (server, uri, flags) => (await load()).delete(server, uri, flags),
    watch: async (server, uris, flags) => (await load()).watch(server, uris, flags),
  };
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
