import { isFilesError, resultForModel, toolForModel } from 'mcp-files-client';

const MOST_STEPS = 10;

/** The loop of a host: what the model may see goes through `toolForModel` and `resultForModel`, and nowhere else. */
export class Agent {
  /** Every message to and from the model, and the tools it was told of. */
  transcript = { tools: [], messages: [] };
  #files;
  #model;
  #scope;
  #terminal;

  constructor({ files, model, scope, terminal }) {
    this.#files = files;
    this.#model = model;
    this.#scope = scope;
    this.#terminal = terminal;
  }

  async run({ text, files, saveTo }) {
    const tools = (await this.#files.listTools()).map(toolForModel);
    this.transcript.tools = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    this.#say({ role: 'user', text: [text, ...(await this.#handles(files))].join('\n') });

    for (let step = 0; step < MOST_STEPS; step++) {
      const { text: answer, call } = await this.#model(this.transcript);
      this.#say({ role: 'assistant', ...(answer && { text: answer }), ...(call && { call }) });
      if (!call) return answer;
      this.#say({ role: 'tool', name: call.name, ...(await this.#call(call, saveTo)) });
    }
    throw new Error(`The model wants more than ${MOST_STEPS} steps.`);
  }

  /** The model gets a handle for each file of the person: good for this conversation, one hour, and no other. */
  async #handles(files) {
    const lines = [];
    for (const file of files) {
      const handle = await this.#files.registry.add(file, { scope: this.#scope, expiresIn: 3_600_000 });
      lines.push(`Attached: ${file.name}, handle ${handle}`);
    }
    return lines;
  }

  async #call(call, saveTo) {
    try {
      const result = await this.#files.callToolWithFiles(call, {
        scope: this.#scope,
        onProgress: progress => this.#terminal.progress(call.name, progress),
      });
      for (const file of result.files) {
        const { path } = await this.#files.download(file, { dir: saveTo, overwrite: true, maxBytes: 100_000_000 });
        this.#terminal.print(`saved ${path}`);
      }
      return resultForModel(result, { registry: this.#files.registry, scope: this.#scope });
    } catch (error) {
      if (!isFilesError(error)) throw error;
      // Its message has no secret in it, and says whether the tool may have run.
      return { isError: true, content: [{ type: 'text', text: `${error.message} (${error.code}, ${error.outcome})` }] };
    }
  }

  #say(message) {
    this.transcript.messages.push(message);
  }
}
