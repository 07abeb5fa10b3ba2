import {
  type FilesClient,
  fromPath,
  type NewResource,
  type Resource,
  type ResourceTemplate,
  type TemplateVariables,
} from '../index.js';
import { parseJson, splitFlag } from './arguments.js';
import { clientOptions, withServer } from './connect.js';
import { EXIT, UsageError } from './exit-code.js';
import { columnsOf, type Io } from './io.js';
import { progressView } from './progress.js';
import { type ContentFlags, writeContents } from './resource-output.js';
import { isObject } from './schema-types.js';
import type { ServerAccess, ServerFlags } from './server-flags.js';
import { spool, withTemporaryFolder } from './temporary.js';
import { counted, printableLine, shownSize, table } from './text.js';

type JsonFlag = { readonly json?: boolean };
type ListFlags = ServerFlags & JsonFlag;

interface ReadFlags extends ServerFlags, ContentFlags {
  readonly var?: readonly string[];
  readonly fetchHttps?: boolean;
}

interface CreateFlags extends ServerFlags, JsonFlag {
  readonly name?: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly ttl?: string;
  readonly tag?: readonly string[];
  readonly metadata?: string;
  readonly maxBytes?: string;
}

interface WatchFlags extends ServerFlags, JsonFlag {
  readonly count?: string;
}

/** What each command of `mcp-files resources` does; given the parts of its line. */
export interface ResourceCommands {
  list(server: string | undefined, flags: ListFlags): Promise<void>;
  templates(server: string | undefined, flags: ListFlags): Promise<void>;
  read(server: string | undefined, uri: string, flags: ReadFlags): Promise<void>;
  create(server: string | undefined, file: string, flags: CreateFlags): Promise<void>;
  delete(server: string | undefined, uri: string, flags: ListFlags): Promise<void>;
  watch(server: string | undefined, uris: readonly string[], flags: WatchFlags): Promise<void>;
}

/** What the commands need of the line they stand on. */
export interface ResourceLine {
  readonly io: () => Io;
  /** Reads who the server is; from then on secrets are masked in what `io` writes. */
  readonly access: (server: string | undefined, flags: ServerFlags) => ServerAccess;
  /** What `--json` prints. */
  readonly report: { [key: string]: unknown };
  readonly exit: (code: number) => void;
}

export function resourceCommands({ io: currentIo, access, report, exit }: ResourceLine): ResourceCommands {
  const work = async (
    server: string | undefined,
    flags: ServerFlags,
    task: (files: FilesClient, io: Io) => Promise<number | undefined>,
  ): Promise<void> => {
    const read = access(server, flags);
    const io = currentIo();
    exit((await withServer(io, read, clientOptions(io, read, flags), ({ files }) => task(files, io))) ?? EXIT.ok);
  };
  return {
    list: (server, flags) =>
      work(server, flags, async ({ resources }, io) => {
        const found = await collect(resources.list({ signal: io.signal }));
        report.resources = found;
        if (!flags.json) io.out.write(describeList(found, columnsOf(io.out)));
        return EXIT.ok;
      }),
    templates: (server, flags) =>
      work(server, flags, async ({ resources }, io) => {
        const found = await collect(resources.templates({ signal: io.signal }));
        report.templates = found;
        if (!flags.json) io.out.write(describeTemplates(found, columnsOf(io.out)));
        return EXIT.ok;
      }),
    read: (server, uri, flags) => {
      const variables = flags.var === undefined ? undefined : variablesOf(flags.var);
      return work(server, flags, async ({ resources }, io) => {
        const expanded = variables === undefined ? uri : await resources.expand(uri, variables);
        const options = { signal: io.signal, fetchHttps: flags.fetchHttps === true };
        report.contents = await writeContents(io, await resources.read(expanded, options), flags);
        return EXIT.ok;
      });
    },
    create: async (server, file, flags) => {
      const resource = await newResource(flags);
      const maxBytes = flags.maxBytes === undefined ? {} : { maxBytes: numberOf('--max-bytes', flags.maxBytes) };
      const send = (path: string, name: string | undefined) =>
        work(server, flags, async ({ resources }, io) => {
          const progress = progressView(io.err, flags);
          const content = fromPath(path, name === undefined ? {} : { name });
          try {
            const options = { signal: io.signal, onProgress: progress.show, ...maxBytes };
            const created = await resources.create({ ...resource, content }, options);
            progress.end();
            report.resource = created;
            if (!flags.json) io.out.write(`${printableLine(created.uri)}\n`);
          } finally {
            progress.end();
          }
          return EXIT.ok;
        });
      if (file !== '-') return await send(file, undefined);
      const { input, signal } = currentIo();
      await withTemporaryFolder(async folder => send(await spool(input, folder, signal), flags.name ?? 'stdin'));
    },
    delete: (server, uri, flags) =>
      work(server, flags, async ({ resources }, io) => {
        await resources.delete(uri, { signal: io.signal });
        report.deleted = uri;
        if (!flags.json) io.err.write('Deleted.\n');
        return EXIT.ok;
      }),
    watch: (server, uris, flags) => {
      const most = flags.count === undefined ? Number.POSITIVE_INFINITY : numberOf('--count', flags.count);
      return work(server, flags, (files, io) => watch(files, io, uris, most, flags));
    },
  };
}

/** One line for each change, until there were enough or somebody stops it; with `--json` one document a line. */
async function watch(
  { resources }: FilesClient,
  io: Io,
  uris: readonly string[],
  most: number,
  { json }: JsonFlag,
): Promise<number> {
  let seen = 0;
  let enough = (): void => {};
  const done = new Promise<void>(resolve => {
    enough = resolve;
  });
  const tell = (uri: string | undefined): void => {
    if (seen >= most) return;
    const time = new Date().toISOString();
    const change = uri === undefined ? 'the list of resources' : printableLine(uri);
    io.out.write(
      json ? `${JSON.stringify({ time, ...(uri === undefined ? { list: true } : { uri }) })}\n` : `${time} ${change}\n`,
    );
    if (++seen >= most) enough();
  };
  if (io.signal.aborted || most === 0) enough();
  else io.signal.addEventListener('abort', enough, { once: true });
  if (uris.length === 0) resources.onListChanged(() => tell(undefined));
  for (const uri of uris) await resources.subscribe(uri, update => tell(update.uri), { signal: io.signal });
  if (!json)
    io.err.write(`Watching ${uris.length === 0 ? 'the list' : counted(uris.length, 'resource')}; Ctrl-C ends it.\n`);
  await done;
  io.signal.removeEventListener('abort', enough);
  return io.signal.aborted ? EXIT.interrupted : EXIT.ok;
}

async function newResource(flags: CreateFlags): Promise<Omit<NewResource, 'content'>> {
  const { name, type, encoding, ttl, tag, metadata } = flags;
  if (encoding !== undefined && encoding !== 'text' && encoding !== 'base64') {
    throw new UsageError('--encoding is text or base64.');
  }
  const further = metadata === undefined ? {} : parseJson('--metadata', metadata);
  if (!isObject(further)) throw new UsageError('--metadata must be one JSON object.');
  const all = {
    ...further,
    ...(ttl === undefined ? {} : { ttl: numberOf('--ttl', ttl) }),
    ...(tag === undefined ? {} : { tags: [...tag] }),
  };
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { mimeType: type }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(Object.keys(all).length === 0 ? {} : { metadata: all }),
  };
}

/** A variable that is given more than once is a list. */
function variablesOf(texts: readonly string[]): TemplateVariables {
  const values: { [name: string]: string | string[] } = Object.create(null);
  for (const text of texts) {
    const { name, value } = splitFlag('--var', text);
    const before = values[name];
    values[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return values;
}

function numberOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new UsageError(`${flag} takes a number, 0 or more.`);
  return value;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function describeList(resources: readonly Resource[], columns: number): string {
  if (resources.length === 0) return 'It has no resources.\n';
  const rows = resources.map(({ uri, title, name, mimeType, size }) => [
    printableLine(uri),
    printableLine(title ?? name),
    printableLine(mimeType ?? ''),
    typeof size === 'number' ? shownSize(size) : '',
  ]);
  return table(
    [{ title: 'URI' }, { title: 'Name', gives: true }, { title: 'Type' }, { title: 'Size', right: true }],
    rows,
    columns,
  );
}

function describeTemplates(templates: readonly ResourceTemplate[], columns: number): string {
  if (templates.length === 0) return 'It has no templates.\n';
  const rows = templates.map(({ uriTemplate, title, name, mimeType }) => [
    printableLine(uriTemplate),
    printableLine(title ?? name),
    printableLine(mimeType ?? ''),
  ]);
  return table([{ title: 'Template' }, { title: 'Name', gives: true }, { title: 'Type' }], rows, columns);
}
