import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type FileRegistry,
  type FileSource,
  type FilesClient,
  fromBytes,
  fromPath,
  fromStream,
  type HandleContext,
  type HandleOptions,
  isRemoteFile,
  newHandle,
  type RegisteredFile,
  resultForModel,
} from '../../src/index.js';
import { connect } from '../support/clients.js';
import { done, startScriptedServer } from '../support/scripted-server.js';
import { publish } from '../support/tools.js';

/** What several hosts share: texts under keys. */
class KeyValueStore {
  readonly texts = new Map<string, string>();
  set = async (key: string, text: string, _milliseconds?: number) => void this.texts.set(key, text);
  get = async (key: string) => this.texts.get(key);
  delete = async (key: string) => void this.texts.delete(key);
}

/** The one of docs/model.md. */
class FleetRegistry implements FileRegistry {
  readonly #recipes = new WeakMap<object, { path: string }>();
  readonly #db: KeyValueStore;
  readonly #root: string;
  client: FilesClient | undefined;

  constructor(db: KeyValueStore, root: string) {
    this.#db = db;
    this.#root = root;
  }

  file(path: string): FileSource {
    const source = fromPath(path, { root: this.#root });
    this.#recipes.set(source, { path });
    return source;
  }

  async add(file: RegisteredFile | Blob, { scope, expiresIn, servers }: HandleOptions = {}): Promise<string> {
    const recipe = this.#recipes.get(file) ?? (await this.#fetched(file));
    const handle = newHandle();
    await this.#db.set(handle, JSON.stringify({ ...recipe, scope, servers }), expiresIn);
    return handle;
  }

  async #fetched(file: unknown): Promise<{ path: string }> {
    if (!isRemoteFile(file)) throw new TypeError('Only files of file() and files that tools returned can be kept.');
    const { path } = await this.client!.download(file, { dir: join(this.#root, randomUUID()) });
    return { path: path! };
  }

  async resolve(handle: string, { scope, server }: HandleContext = {}) {
    const stored = await this.#db.get(handle);
    if (stored === undefined) return undefined;
    const entry = JSON.parse(stored);
    if (entry.scope !== scope || (entry.servers && !entry.servers.includes(server))) return undefined;
    return fromPath(entry.path, { root: this.#root });
  }

  async remove(handle: string): Promise<void> {
    await this.#db.delete(handle);
  }
}

const downloads = [{ name: 'out/report.txt', size: 7, path: 'files/1?sig=abc' }];

it('lets one host of a fleet use the handles of another', async () => {
  const root = await mkdtemp(join(tmpdir(), 'fleet-'));
  await using server = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', { _meta: { 'io.modelcontextprotocol/files': { downloads } } }),
    onStore: (_, response) => void response.end('content'),
  });
  try {
    const db = new KeyValueStore();
    const [here, there] = [new FleetRegistry(db, root), new FleetRegistry(db, root)];
    await using first = await connect('v2 modern', server.url, { registry: here });
    await using second = await connect('v1', server.url, { registry: there });
    here.client = first.files;
    there.client = second.files;

    await writeFile(join(root, 'deck.txt'), 'the deck');
    const deck = await here.add(here.file(join(root, 'deck.txt')), { scope: 'chat' });
    const result = await first.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
    const shown = await resultForModel(result, { registry: here, scope: 'chat' });
    const [report] = /mcpfile_\w+/.exec(JSON.stringify(shown))!;

    const call = { name: 'publish', arguments: { site: 's', deck, assets: [report] } };
    await second.files.callToolWithFiles(call, { scope: 'chat' });
    const sent = server.calls.at(-1)!.params.arguments as any;
    expect([sent.deck, ...sent.assets].map(({ name, data }) => [name, atob(data)])).toEqual([
      ['deck.txt', 'the deck'],
      ['report.txt', 'content'],
    ]);
    await expect(here.add(fromBytes('x', { name: 'x' }))).rejects.toBeInstanceOf(TypeError);
    await expect(second.files.callToolWithFiles(call, { scope: 'other' })).rejects.toMatchObject({
      code: 'argument_invalid',
    });
    await there.remove(deck);
    await expect(first.files.callToolWithFiles(call, { scope: 'chat' })).rejects.toMatchObject({ pointer: '/deck' });
  } finally {
    await rm(root, { recursive: true });
  }
});

it('passes a file that one server returned on to another', async () => {
  await using from = await startScriptedServer({
    tools: [publish],
    onCall: () => done('made', { _meta: { 'io.modelcontextprotocol/files': { downloads } } }),
    onStore: (_, response) => void response.end('content'),
  });
  await using to = await startScriptedServer({ tools: [publish], onCall: () => done() });
  await using first = await connect('v2 modern', from.url);
  await using second = await connect('v2 modern', to.url);
  const { files } = await first.files.callToolWithFiles({ name: 'publish', arguments: { site: 's' } });
  const file = await first.files.download(files[0]!);
  const source = fromStream(() => file.stream(), { name: file.name, size: file.size! });
  const deck = await second.files.registry.add(source, { servers: [to.url] });
  await second.files.callToolWithFiles({ name: 'publish', arguments: { site: 's', deck } });
  expect(to.calls[0]!.params.arguments).toMatchObject({ deck: { name: 'report.txt', size: 7, data: btoa('content') } });
});
