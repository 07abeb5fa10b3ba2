// An assertion in undici's parser (client-h1.js, Parser.finish) ended the host's process where a storage closed the
// connection behind an answer that nobody had read yet: undici is told to pause, and not asked whether it does.
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CheckedTarget } from '../../src/transfer/target.js';
import { builtInEngine, send, tcpServer, undiciEngine } from './support/transfer.js';
import { watchUncaught } from './support/uncaught.js';

const size = 12_000_000;
const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  'FIN at once': socket => void socket.end(),
  'FIN later': socket => void setTimeout(() => socket.end(), 20),
  'RST at once': socket => void socket.resetAndDestroy(),
  'RST later': socket => void setTimeout(() => socket.resetAndDestroy(), 20),
};
const LENGTHS: Readonly<Record<string, (body: string) => string>> = {
  'its length': body => `Content-Length: ${body.length}\r\n\r\n${body}`,
  'in chunks': body =>
    `Transfer-Encoding: chunked\r\n\r\n${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
  'until the end': body => `\r\n${body}`,
  'cut short': body => `Content-Length: ${body.length + 10}\r\n\r\n${body}`,
};
const RAW: Partial<CheckedTarget> = {};
const FORM: Partial<CheckedTarget> = { method: 'POST', form: { fields: [], fileField: 'file' } };

describe.each([
  ['Node', builtInEngine],
  ['undici', undiciEngine],
] as const)('by the client of %s', (_, make) => {
  for (const [how, end] of Object.entries(ENDS)) {
    for (const [framing, write] of Object.entries(LENGTHS)) {
      test(`an answer before the whole file, ${framing}, then ${how}, fails one transfer at most`, async () => {
        const uncaught = watchUncaught();
        const seen: string[] = [];
        for (const status of [200, 403]) {
          for (const length of [0, 300]) {
            for (const close of ['Connection: close\r\n', '']) {
              const server = await tcpServer(socket => {
                socket.on('error', () => {});
                // Takes no more, so that no socket's buffer could hold the file.
                socket.once('data', () => {
                  socket.pause();
                  socket.write(`HTTP/1.1 ${status} X\r\n${close}${write('e'.repeat(length))}`, () => end(socket));
                });
              });
              for (const target of length === 300 ? [RAW, FORM] : [RAW]) {
                const file = Buffer.alloc(size);
                seen.push(
                  await send(make(), server.origin, { file, target, timeouts: { stall: 200 } }).then(
                    receipt => String(receipt.status),
                    error => error.code,
                  ),
                );
              }
            }
          }
        }
        // Behind an answer with a body the end shows only when that is read: then the stall limit is what ends it.
        expect(seen.filter(code => !/^transfer_(failed|stalled)$/.test(code))).toEqual([]);
        expect(uncaught).toEqual([]);
      });
    }
  }

  test('an answer that says close, then more reading, is a success', async () => {
    const server = await tcpServer(socket => {
      let received = 0;
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'));
      socket.on('data', data => {
        received += data.length;
        if (received > size) socket.end();
      });
    });
    expect(await send(make(), server.origin, { file: Buffer.alloc(size) })).toMatchObject({ status: 200 });
  });

  for (const [how, end] of Object.entries(ENDS)) {
    for (const [framing, write] of Object.entries(LENGTHS)) {
      test(`a file that is read slowly, ${framing}, then ${how}, ends nothing but its download`, async () => {
        const uncaught = watchUncaught();
        for (const length of [0, 300, 300_000]) {
          for (const close of ['Connection: close\r\n', '']) {
            const server = await tcpServer(socket => {
              socket.on('error', () => {});
              socket.once('data', () => {
                socket.write(`HTTP/1.1 200 OK\r\n${close}${write('e'.repeat(length))}`, () => end(socket));
              });
            });
            const engine = make();
            const signal = new AbortController().signal;
            const request = { method: 'GET' as const, origin: server.origin, path: '/f', headers: [], signal };
            const got = await engine.send(request).catch(() => undefined);
            await wait(40);
            let received = 0;
            const whole = await (async () => {
              if (got === undefined) return false;
              for await (const piece of got.body) {
                received += piece.byteLength;
                await wait(1);
              }
              return true;
            })().catch(() => false);
            await got?.discard();
            // How much of an answer that was cut short is still read is the kernel's affair; that it is no whole one is not.
            if (framing === 'cut short') expect(whole).toBe(false);
            else if (how.startsWith('FIN')) expect([whole, received]).toEqual([true, length]);
          }
        }
        expect(uncaught).toEqual([]);
      });
    }
  }
});
