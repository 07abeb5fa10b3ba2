import { createInterface } from 'node:readline/promises';

/** What the person sees and is asked. On standard error, so that standard output is the transcript alone. */
export class Terminal {
  #questions =
    process.stdin.isTTY && process.stderr.isTTY
      ? createInterface({ input: process.stdin, output: process.stderr })
      : undefined;
  #shown = '';

  /** Without a terminal nobody can be asked: files may then go into the call, or to this computer, and nowhere else. */
  async approve({ tool, name, size, via, origin }) {
    const where = via === 'inline' ? 'inside the call' : `to ${origin}`;
    if (this.#questions === undefined) {
      const isAllowed = via === 'inline' || new URL(origin).hostname === '127.0.0.1';
      this.print(`${isAllowed ? 'allowed' : 'refused'} without asking: ${name} for ${tool}, ${where}`);
      return isAllowed;
    }
    const answer = await this.#questions.question(`Send ${name} (${size} bytes) for ${tool}, ${where}? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  }

  /** A line for each tenth of the way. */
  progress(tool, { phase, sentBytes, totalBytes }) {
    if (phase !== 'uploading' || totalBytes === 0) return;
    const line = `${tool}: ${Math.floor((sentBytes / totalBytes) * 10) * 10} % of ${totalBytes} bytes`;
    if (line !== this.#shown) this.print(line);
    this.#shown = line;
  }

  print(line) {
    process.stderr.write(`${line}\n`);
  }

  close() {
    this.#questions?.close();
  }
}
