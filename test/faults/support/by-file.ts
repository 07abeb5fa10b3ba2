import type { Socket } from 'node:net';
import { fromBytes } from '../../../src/index.js';
import { answer, tcpServer } from '../../transfer/support/server.js';

/** Each request is given to the action of the file whose target it names; the last one takes all others. */
export const byFile = (...actions: ((socket: Socket, index: number) => void)[]) =>
  tcpServer(socket => {
    socket.on('data', chunk => {
      const index = /^(?:PUT|POST) \/put\/(\d+)/.exec(chunk.toString('latin1', 0, 100))?.[1];
      if (index !== undefined) actions[Math.min(Number(index), actions.length - 1)]!(socket, Number(index));
    });
  });
/** Answers a request, and keeps the connection. */
export const says =
  (status: number, body = '') =>
  (socket: Socket) =>
    void socket.write(answer(status, body));

/** A file that has its own name as content. */
export const small = (name: string) => fromBytes(name, { name });
