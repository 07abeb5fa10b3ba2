// Runs in a real browser: a host with the library's browser entry around an MCP client, and what came of it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesClient, fromBlob, fromStream, isFilesError } from '../../src/browser.js';

async function run(): Promise<unknown> {
  const url = new URL('/mcp', location.href);
  const mcp = new Client(
    { name: 'browser-host', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const events: number[] = [];
  const files = new FilesClient(mcp, { serverUrl: url.href });
  await mcp.connect(new StreamableHTTPClientTransport(url));

  const inline = await files.callToolWithFiles({
    name: 'publish',
    arguments: { site: 'inline', deck: new File(['hello'], 'hi.txt', { type: 'text/plain' }) },
  });
  const large = new Blob([new Uint8Array(3_000_000).fill(7)]);
  const moved = await files.callToolWithFiles(
    {
      name: 'publish',
      arguments: {
        site: 'moved',
        deck: fromBlob(large, { name: 'deck.pdf' }),
        assets: [
          new File(['post'], 'naïve "q".png', { type: 'image/png' }),
          fromStream(() => new Blob(['streamed']).stream(), { name: 's.txt', size: 8 }),
        ],
      },
    },
    { onProgress: p => void events.push(p.sentBytes) },
  );
  const redirected = await files
    .callToolWithFiles({ name: 'publish', arguments: { site: 'redirected', deck: fromBlob(large, { name: 'd' }) } })
    .catch((error: unknown) => (isFilesError(error) ? { code: error.code, outcome: error.outcome } : String(error)));
  const returned = await files.callToolWithFiles({ name: 'publish', arguments: { site: 'returned' } });
  const [whole, wrong, elsewhere] = returned.files;
  const reading = async (file = whole!) => (await files.download(file)).bytes();
  const codeOf = (error: unknown) => (isFilesError(error) ? error.code : String(error));
  const downloads = {
    bytes: (await reading()).length,
    streamed: await new Response((await files.download(whole!)).stream()).text().then(text => text.length),
    wrong: await reading(wrong!).catch(codeOf),
    redirected: await reading(elsewhere!).catch(codeOf),
    passedOn: (
      await files.callToolWithFiles({ name: 'publish', arguments: { site: 'passed-on', deck: whole! } })
    ).transfers.map(({ mode, status, bytes }) => [mode, status, bytes]),
  };
  await files.close();
  return {
    inline: inline.transfers.map(({ mode }) => mode),
    moved: moved.transfers.map(({ mode, status, bytes }) => [mode, status, bytes]),
    progress: [events.every((bytes, index) => index === 0 || bytes >= events[index - 1]!), events.at(-1)],
    redirected,
    downloads,
  };
}

run()
  .catch((error: unknown) => ({ failed: String((error as Error)?.stack ?? error) }))
  .then(result => fetch('/result', { method: 'POST', body: JSON.stringify(result) }));
