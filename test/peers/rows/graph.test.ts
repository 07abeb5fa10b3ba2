import { expect, onTestFinished, test } from 'vitest';
import { startGraphSession } from '../stand-ins/graph.js';
import { EMPTY, FILES, FIVE_MEGABYTES, ODD_NAME, ONE_BYTE, sha256, type TestFile } from '../support/files.js';
import { row, stores } from '../support/row.js';
import { ENGINES, refusal, send } from '../support/send.js';

row({ name: 'Microsoft Graph upload session', kind: 'stand-in', peer: 'documented rules' }, () => {
  async function session(options: { nameIsTaken?: boolean } = {}) {
    const graph = await startGraphSession(options);
    onTestFinished(() => graph.close());
    return graph;
  }
  const wholeFile = ({ bytes: { byteLength: size } }: TestFile) => ({ 'Content-Range': `bytes 0-${size - 1}/${size}` });

  stores(
    async file => {
      const graph = await session();
      return {
        wire: { url: graph.uploadUrl, headers: wholeFile(file) },
        status: 201,
        async stored() {
          expect(graph.received).toHaveLength(1);
          expect(graph.received[0]?.headerNames).not.toContain('authorization');
          return graph.file() ?? new Uint8Array();
        },
      };
    },
    FILES.filter(file => file !== EMPTY),
  );

  test.each(ENGINES)('an empty file has no range that could be named, and is refused (%s engine)', async kind => {
    const graph = await session();
    const refused = await refusal({ url: graph.uploadUrl, headers: wholeFile(EMPTY) }, EMPTY, kind);
    expect(refused).toEqual({ status: 400, serviceCode: 'invalidRequest', reason: 'http_status' });
  });

  test.each(ENGINES)('202 means that more is expected: a failure, not a success (%s engine)', async kind => {
    const graph = await session();
    const headers = { 'Content-Range': 'bytes 0-2999/5000' };
    expect(await refusal({ url: graph.uploadUrl, headers }, ODD_NAME, kind)).toEqual({
      status: 202,
      reason: 'incomplete',
    });
    expect(graph.received).toHaveLength(1);
  });

  test('is refused without Content-Range, and with an Authorization of the target', async () => {
    const graph = await session();
    const noRange = { status: 400, serviceCode: 'invalidRequest', reason: 'http_status' };
    expect(await refusal({ url: graph.uploadUrl }, ONE_BYTE)).toEqual(noRange);
    const headers = { ...wholeFile(ONE_BYTE), Authorization: 'Bearer of-the-server' };
    const authorised = { status: 401, serviceCode: 'unauthenticated', reason: 'http_status' };
    expect(await refusal({ url: graph.uploadUrl, headers }, ONE_BYTE)).toEqual(authorised);
  });

  test('is refused in a session that is over, or of another token', async () => {
    const graph = await session();
    const wire = { url: graph.uploadUrl, headers: wholeFile(FIVE_MEGABYTES) };
    const gone = { status: 404, serviceCode: 'itemNotFound', reason: 'http_status' };
    expect(await refusal({ ...wire, url: `${wire.url}x` }, FIVE_MEGABYTES)).toEqual(gone);
    await send(wire, FIVE_MEGABYTES);
    expect(await refusal(wire, FIVE_MEGABYTES)).toEqual(gone);
    expect(sha256(graph.file()!)).toBe(sha256(FIVE_MEGABYTES.bytes));
  });

  test('is refused with a range that is not the next one, and where the name is taken', async () => {
    const graph = await session({ nameIsTaken: true });
    const later = { url: graph.uploadUrl, headers: { 'Content-Range': 'bytes 5-5/6' } };
    expect(await refusal(later, ONE_BYTE)).toEqual({ status: 416, serviceCode: 'invalidRange', reason: 'http_status' });
    const taken = { status: 409, serviceCode: 'nameAlreadyExists', reason: 'http_status' };
    expect(await refusal({ url: graph.uploadUrl, headers: wholeFile(ONE_BYTE) }, ONE_BYTE)).toEqual(taken);
  });
});
