// Storage that throws everything away, in a process of its own: it has to be faster than every client measured. Plain
// sockets, read into one buffer that all connections share (nothing is kept), no HTTP library. It reads what the clients
// send: one request head, then as many bytes as Content-Length says. `GET /get/SIZE` is answered with so many bytes.
//
// Parent's messages: { reset: { delay } } starts to count anew, and answers each request that many milliseconds late;
// { report: true } is answered with the counts.
import { createServer, Socket } from 'node:net';

const READ_BYTES = 256 * 1024;
const HEAD_BYTES = 64 * 1024;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

const served = Buffer.alloc(1024 * 1024, 'file');
const shared = Buffer.allocUnsafeSlow(READ_BYTES);
let delay = 0;
let counts = newCounts();

function newCounts() {
  return { connections: 0, requests: 0, bytes: 0, firstConnect: undefined, lastAnswer: undefined };
}

/** One connection: what of the present request is still to come. */
class Connection {
  #socket;
  #head = Buffer.alloc(0);
  #missing = -1;

  constructor(socket) {
    this.#socket = socket;
  }

  take(chunk) {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#missing < 0) rest = this.#takeHead(rest);
      const body = Math.min(Math.max(this.#missing, 0), rest.length);
      counts.bytes += body;
      this.#missing -= body;
      rest = rest.subarray(body);
      if (this.#missing === 0) this.#answer();
    }
  }

  #takeHead(chunk) {
    this.#head = Buffer.concat([this.#head, chunk]); // also copies what stands in the shared buffer
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#head.length > HEAD_BYTES) this.#socket.destroy();
      return Buffer.alloc(0);
    }
    const head = this.#head.toString('latin1', 0, end);
    const asked = /^GET \/get\/(\d+) /.exec(head)?.[1];
    if (asked !== undefined) {
      this.#head = Buffer.alloc(0);
      void this.#serve(Number(asked));
      return Buffer.alloc(0);
    }
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) throw new Error(`a request without a length: ${head.split('\r\n')[0]}`);
    if (/^expect: *100-continue/im.test(head)) this.#socket.write(CONTINUE);
    const rest = this.#head.subarray(end + 4);
    this.#head = Buffer.alloc(0);
    this.#missing = Number(length);
    if (this.#missing === 0) this.#answer();
    return rest;
  }

  /** Counts a byte as sent when the kernel has taken it: a few MiB ahead of the client, as with every other. */
  async #serve(size) {
    this.#socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\nETag: "one"\r\n\r\n`);
    for (let at = 0; at < size; at += served.length) {
      const piece = served.subarray(0, size - at);
      await new Promise(resolve => this.#socket.write(piece, resolve));
      counts.bytes += piece.length;
    }
    counts.requests += 1;
    counts.lastAnswer = performance.now();
  }

  #answer() {
    this.#missing = -1;
    const send = () => {
      this.#socket.write(OK);
      counts.requests += 1;
      counts.lastAnswer = performance.now();
    };
    if (delay > 0) setTimeout(send, delay);
    else send();
  }
}

const server = createServer({ pauseOnConnect: true }, accepted => {
  counts.connections += 1;
  counts.firstConnect ??= performance.now();
  // Node offers `onread` (read into a given buffer) for outgoing sockets only; this is how an accepted one gets it. With
  // the plain 'data' event the sink was slower than curl.
  const handle = accepted._handle;
  accepted._handle = null;
  const onread = {
    buffer: shared,
    callback: (size, buffer) => {
      connection.take(buffer.subarray(0, size));
      return true;
    },
  };
  const socket = new Socket({ handle, onread });
  const connection = new Connection(socket);
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.resume();
  socket.read(0);
});

process.on('message', message => {
  if (message.reset !== undefined) {
    delay = message.reset.delay ?? 0;
    counts = newCounts();
    process.send({ done: true });
  } else if (message.report) {
    process.send(counts);
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
