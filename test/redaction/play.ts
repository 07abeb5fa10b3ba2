import { type FilesClientOptions, isFilesError } from '../../src/index.js';
import { type Connected, connect, type Flavour } from '../support/clients.js';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';
import { publish, saveImage } from '../support/tools.js';
import { textsOf, watchOutput } from './everything.js';
import { asks, type EngineKind, type Scenario, World } from './world.js';

export interface Played {
  readonly ended: string;
  readonly reason: unknown;
  readonly error: any;
  /** Places whose secret came out, in whatever form. */
  readonly leaks: string[];
}

/** Plays a scenario and searches all that came out of it. */
export async function play(scenario: Scenario, flavour: Flavour, engine: EngineKind): Promise<Played> {
  const w = new World();
  const output = watchOutput();
  const texts = output.texts;
  const keep = (value: unknown): void => void texts.push(...textsOf(value));
  const shownToHooks: string[] = [];
  const held: AsyncDisposable[] = [];
  let ended = 'completes';
  let error: any;
  try {
    const server = await startServer(scenario, w);
    held.unshift(server);
    const client = await connect(flavour, server.url, {
      ...(engine === 'fetch' ? { fetch: globalThis.fetch } : {}),
      logger: keep,
      ...watched((await scenario.options?.(w)) ?? {}, value => shownToHooks.push(...textsOf(value))),
    });
    held.unshift(client);
    keep(client.files);
    keep(await (scenario.act?.(client, w) ?? call(client, scenario, w, keep)));
    keep(client.files);
  } catch (thrown) {
    error = thrown;
    ended = isFilesError(thrown) ? thrown.code : "server's own";
    // The text of an error that the server raised is the server's.
    if (isFilesError(thrown)) keep(thrown);
  } finally {
    for (const each of held) await each[Symbol.asyncDispose]();
    // A rejection that nobody waited for shows a turn later.
    await new Promise(resolve => setImmediate(resolve));
    output.end();
    w.end();
  }
  const reason = error?.details?.reason ?? error?.failures?.[0]?.reason;
  const toHooks = w.secrets.foundIn(shownToHooks).filter(place => place !== scenario.shownToHooks);
  return { ended, reason, error, leaks: [...w.secrets.foundIn(texts), ...toHooks] };
}

async function startServer(scenario: Scenario, w: World): Promise<ScriptedServer> {
  const server = await startScriptedServer({
    tools: [publish, saveImage],
    capability: { maxInlineBytes: 0 },
    ...asks(w, () => w.target()),
    ...scenario.script?.(w),
  });
  w.origin = server.origin;
  return server;
}

function call(client: Connected, scenario: Scenario, w: World, keep: (value: unknown) => void): Promise<unknown> {
  const file = w.file();
  keep(file);
  return client.files.callToolWithFiles(
    { name: 'publish', arguments: { site: 's', deck: file }, ...scenario.call?.(w) },
    { onProgress: keep, ...scenario.callOptions?.(w) },
  );
}

/** What the library shows a hook is looked at too. The server's question is for the host to read, so not that. */
function watched(options: FilesClientOptions, keep: (value: unknown) => void): FilesClientOptions {
  const { approve, credentials } = options;
  return {
    ...options,
    approve: (transfer, context) => {
      keep(transfer);
      return approve?.(transfer, context) ?? true;
    },
    ...(credentials && {
      credentials: request => {
        keep(request);
        return credentials(request);
      },
    }),
  };
}
