// axios/axios#3770: where the server answered without reading the body, the file's stream was left open: descriptors ran out.
import { expect, onTestFinished, test } from 'vitest';
import { fromPath } from '../../src/source/from-path.js';
import { temporaryFolder } from '../transfer/support/open-files.js';
import { answer, builtInEngine, send, tcpServer, transferFailure } from './support/transfer.js';

test('no descriptor is left when a storage refuses without reading', async () => {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const file = fromPath(await folder.write('a.bin', Buffer.alloc(30_000_000)));
  const server = await tcpServer(socket => socket.once('data', () => socket.pause().write(answer(400))));
  const engine = builtInEngine();
  for (let i = 0; i < 8; i++) {
    expect(await transferFailure(send(engine, server.origin, { file }))).toMatchObject({ status: 400 });
    expect(await folder.openFiles()).toEqual([]);
  }
});
