import type { FileTool } from '../index.js';
import { clientOptions, type Session, withServer } from './connect.js';
import { EXIT } from './exit-code.js';
import { columnsOf, type Io } from './io.js';
import { isObject } from './schema-types.js';
import type { ServerAccess, ServerFlags } from './server-flags.js';
import { counted, printableLine, shownSize, table, wrapped } from './text.js';

/** `mcp-files tools`: every tool, what files it takes, what else it takes. */
export async function listTools(
  io: Io,
  access: ServerAccess,
  flags: ServerFlags & { json?: boolean },
  report: object,
): Promise<number> {
  return withServer(io, access, clientOptions(io, access, flags), async session => {
    const tools = await session.files.listTools({ signal: io.signal });
    Object.assign(report, { tools });
    if (!flags.json) io.out.write(describeServer(session) + describeTools(tools, columnsOf(io.out)));
    return EXIT.ok;
  });
}

function describeServer({ files, protocolVersion }: Session): string {
  const { extension, maxInlineBytes } = files.capabilities;
  const limit = maxInlineBytes === undefined ? '' : ` (up to ${shownSize(maxInlineBytes)} inside a call)`;
  const support = extension ? `the server takes files${limit}` : 'the server does not advertise the files extension';
  return `MCP ${printableLine(protocolVersion ?? 'of unknown version')}; ${support}.\n`;
}

export function describeTools(tools: readonly FileTool[], columns: number): string {
  if (tools.length === 0) return 'It has no tools.\n';
  const taking = tools.filter(tool => tool.fileArguments.length > 0).length;
  const head = `It has ${counted(tools.length, 'tool')}, ${taking === 0 ? 'none' : taking} with file arguments.\n`;
  return head + tools.map(tool => `\n${describeTool(tool, columns)}`).join('');
}

function describeTool(tool: FileTool, columns: number): string {
  const text = typeof tool.description === 'string' ? printableLine(tool.description) : '';
  const about = text === '' ? '' : `${wrapped(text, columns, '  ')}\n`;
  const files = tool.fileArguments.map(file => [
    `  ${flagName(file.pointer)}`,
    [
      file.required ? 'required file' : 'file',
      accepted(file.accept),
      file.maxSize === undefined ? '' : `up to ${shownSize(file.maxSize)}`,
      dialectShown(file.dialect),
    ]
      .filter(part => part !== '')
      .join(', '),
  ]);
  const rest = otherArguments(tool).map(([name, says]) => [`  ${printableLine(name)}`, says]);
  const rows = [...files, ...rest];
  const lines =
    rows.length === 0 ? '' : table([{ title: '' }, { title: '', gives: true }], rows, columns).replace(/^.*\n/, '');
  return `${printableLine(tool.name)}\n${about}${lines}`;
}

/** How the argument is written, where that is not the files extension (docs/dialects.md). */
function dialectShown(dialect: string): string {
  if (dialect === 'extension') return '';
  return `as ${DIALECTS.get(dialect) ?? printableLine(dialect)}`;
}

const DIALECTS: ReadonlyMap<string, string> = new Map([
  ['data-uri', 'a data URI (SEP-2356)'],
  ['file-object', 'a file URI (SEP-2631)'],
  ['openai-file-params', 'a link (openai/fileParams)'],
]);

/** As `--file` takes it: a plain name where that is enough, the pointer where not. */
function flagName(pointer: string): string {
  const name = /^\/([^/~]+)(\/\*)?$/.exec(pointer);
  return printableLine(name === null ? pointer : `${name[1]}${name[2] === undefined ? '' : ' (list)'}`);
}

function accepted(accept: readonly string[] | undefined): string {
  return printableLine((accept ?? []).join(' or '));
}

function otherArguments(tool: FileTool): [string, string][] {
  const { properties, required } = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const taken = new Set(tool.fileArguments.map(file => file.pointer.split('/')[1]));
  return Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => !taken.has(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    .map(([name, schema]) => {
      const type = isObject(schema) && schema.type !== undefined ? [schema.type].flat().join(' or ') : 'value';
      return [name, printableLine(Array.isArray(required) && required.includes(name) ? `required ${type}` : type)];
    });
}
