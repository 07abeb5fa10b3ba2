import { createHash } from 'node:crypto';
import {
  type ClientCapabilities,
  checkedFiles,
  checkInline,
  clientSide,
  errorResult,
  invalidParams,
  requireCapability,
  toolError,
} from './checks.js';
import { EXTENSION, type Json, KEPT_CONTENT_BYTES, type ReceivedFile, type Settings, type ToolRun } from './options.js';
import { RequestStates, type RoundState } from './request-state.js';
import { ReturnedFiles } from './returned-files.js';
import { type Storage, withContent } from './storage.js';
import type { Targets } from './targets.js';
import { type FoundFile, type ReferenceTool, toolNamed } from './tools.js';

/** One `tools/call` request, whichever era and transport it came by. */
export interface CallRequest {
  readonly name: unknown;
  readonly arguments: Json;
  readonly requestState: unknown;
  readonly inputResponses: Json;
  readonly client: ClientCapabilities;
}

/** Keys of the input requests. A client must not rely on them. */
const UPLOAD_KEY = 'upload_1';
const CONFIRM_KEY = 'confirm_1';

/** The draft's flow on the server side: metadata, target, bytes, then the tool. */
export class ToolCalls {
  readonly received: ReceivedFile[] = [];
  readonly runs: ToolRun[] = [];
  readonly #settings: Settings;
  readonly #storage: Storage;
  readonly #targets: Targets;
  readonly #states: RequestStates;
  readonly returned: ReturnedFiles;

  constructor(settings: Settings, storage: Storage, targets: Targets) {
    this.#settings = settings;
    this.#storage = storage;
    this.#targets = targets;
    this.returned = new ReturnedFiles(targets);
    this.#states = new RequestStates(settings);
  }

  async answer(call: CallRequest): Promise<Json> {
    const tool = toolNamed(call.name);
    if (tool === undefined) throw invalidParams(`Unknown tool ${String(call.name)}`, 'unknown_tool');
    const files = await checkedFiles(tool, call.arguments);
    return call.requestState === undefined
      ? await this.#firstRound(tool, files, call)
      : await this.#laterRound(tool, files, call);
  }

  async #firstRound(tool: ReferenceTool, files: readonly FoundFile[], call: CallRequest): Promise<Json> {
    checkInline(files, this.#settings);
    const refusal = toolError(tool, files);
    if (refusal !== undefined) return refusal;

    const pending = files.filter(({ value }) => value.data === undefined && value.size > 0);
    const inputRequests: Json = {};
    let uploads: Record<string, string> = {};
    if (pending.length > 0) {
      const side = clientSide(call.client, 'upload');
      requireCapability(side !== undefined, { extensions: { [EXTENSION]: { upload: {} } } });
      const request = this.#targets.uploadRequest(tool.definition.name, pending, side?.include === true);
      inputRequests[UPLOAD_KEY] = request.entry;
      uploads = request.uploads;
    }
    const uploadAsked = pending.length > 0;
    const confirmationAsked = tool.confirms === true && (!uploadAsked || this.#settings.elicitation === 'beside');
    if (confirmationAsked) inputRequests[CONFIRM_KEY] = confirmation(files, call);
    if (!uploadAsked && !confirmationAsked) return await this.#run(tool, files, {}, call);
    return this.#inputRequired(tool, call, inputRequests, { uploads, uploadAsked, confirmationAsked });
  }

  async #laterRound(tool: ReferenceTool, files: readonly FoundFile[], call: CallRequest): Promise<Json> {
    const opened = this.#states.open(tool.definition.name, call.arguments, call.requestState);
    if (opened.kind === 'invalid') throw invalidParams('Invalid request state', 'invalid_request_state');
    // The draft: plain -32602, which the client takes for an unknown outcome.
    if (opened.kind === 'consumed') throw invalidParams('This request state was used before');
    // Before anything is awaited, so that of two retries at once only one gets through.
    this.#states.consume(opened.id);
    const { state } = opened;
    let arrived: ReceivedFile[];
    try {
      arrived = await this.#confirmUploads(state, call);
    } catch (error) {
      this.#states.restore(opened.id);
      throw error;
    }
    if (tool.confirms === true && !state.confirmationAsked) {
      const inputRequests = { [CONFIRM_KEY]: confirmation(files, call) };
      return this.#inputRequired(tool, call, inputRequests, { ...state, uploadAsked: false, confirmationAsked: true });
    }
    try {
      const action = (call.inputResponses[CONFIRM_KEY] as Json | undefined)?.action;
      if (state.confirmationAsked && action !== 'accept') return errorResult('Not confirmed; nothing was saved.');
      const byPointer = Object.fromEntries(arrived.map(file => [file.pointer, file]));
      return await this.#run(tool, files, byPointer, call);
    } finally {
      for (const id of Object.values(state.uploads)) this.#storage.discard(id);
    }
  }

  /** Every answer is there, and every file is in storage with the size and hash that it arrived with. */
  async #confirmUploads({ uploads, uploadAsked, confirmationAsked }: RoundState, call: CallRequest) {
    for (const [key, asked] of Object.entries({ [UPLOAD_KEY]: uploadAsked, [CONFIRM_KEY]: confirmationAsked })) {
      if (asked && call.inputResponses[key] === undefined) {
        throw invalidParams(`No response to the input request ${key}`, 'missing_input_response');
      }
    }
    const arrived: ReceivedFile[] = [];
    for (const [pointer, id] of Object.entries(uploads)) {
      const file = await this.#storage.confirm(id);
      if (file === undefined) throw invalidParams(`File ${pointer} did not arrive`, 'upload_missing', { pointer });
      arrived.push(file);
    }
    return arrived;
  }

  #inputRequired(tool: ReferenceTool, call: CallRequest, inputRequests: Json, state: RoundState): Json {
    const requestState = this.#states.seal(tool.definition.name, call.arguments, state);
    return { resultType: 'input_required', inputRequests, requestState };
  }

  async #run(
    tool: ReferenceTool,
    files: readonly FoundFile[],
    uploaded: Readonly<Record<string, ReceivedFile>>,
    call: CallRequest,
  ): Promise<Json> {
    const { name } = tool.definition;
    const received = files.map(file => uploaded[file.pointer] ?? inlineFile(name, file));
    this.received.push(...received);
    this.runs.push({ tool: name, arguments: call.arguments });
    const result = await this.#resultOf(tool, received, call);
    return this.#settings.hooks.onResult?.(result, name) ?? result;
  }

  async #resultOf(tool: ReferenceTool, received: readonly ReceivedFile[], call: CallRequest): Promise<Json> {
    if (tool.reports) return await this.#report(call);
    if (tool.returnsFiles) {
      return await this.returned.result(call.arguments, clientSide(call.client, 'upload')?.include === true);
    }
    return outputOf(tool.definition.name, call.arguments, received);
  }

  /** A returned file stands in the result's `_meta`; a client that cannot download gets the text alone. */
  async #report({ arguments: args, client }: CallRequest): Promise<Json> {
    const { title = 'Report', size = 2048 } = args as { title?: string; size?: number };
    const content = [{ type: 'text', text: `${title}: a text file of ${size} bytes.` }];
    const side = this.#settings.advertise ? clientSide(client, 'download') : undefined;
    if (side === undefined) return { content };
    const includes = clientSide(client, 'upload')?.include === true;
    const file = { name: 'out/report.txt', mimeType: 'text/plain', size };
    const download = await this.#targets.download(file, lines(title, size), includes);
    return { content, _meta: { [EXTENSION]: { downloads: [download] } } };
  }
}

function confirmation(files: readonly FoundFile[], { client }: CallRequest): Json {
  requireCapability(client === undefined || client.elicitation !== undefined, { elicitation: {} });
  const names = files.map(({ value }) => value.name).join(', ');
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `Save ${names}?`,
      requestedSchema: { type: 'object', properties: { note: { type: 'string', title: 'Note' } } },
    },
  };
}

function inlineFile(tool: string, { pointer, value: { name, mimeType, data = '' } }: FoundFile): ReceivedFile {
  const content = Buffer.from(data, 'base64');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { pointer, tool, name, mimeType, size: content.length, sha256, mode: 'inline' as const };
  return content.length > KEPT_CONTENT_BYTES ? file : withContent(file, content);
}

function outputOf(tool: string, args: Json, received: readonly ReceivedFile[]): Json {
  if (tool === 'echo') return { content: [{ type: 'text', text: args.text }] };
  const files = received.map(({ pointer, name, size, sha256 }) => ({ pointer, name, size, sha256 }));
  const text = files.map(file => `${file.name}: ${file.size} bytes`).join('\n') || 'nothing to save';
  return { content: [{ type: 'text', text }], structuredContent: { files } };
}

/** Numbered lines, cut at exactly `size` bytes, a piece at a time. */
function* lines(title: string, size: number): Generator<Uint8Array> {
  let left = size;
  for (let line = 1; left > 0; ) {
    let piece = '';
    for (; piece.length < 16_384; line += 1) piece += `${title}, line ${line}\n`;
    const bytes = Buffer.from(piece).subarray(0, left);
    left -= bytes.length;
    yield bytes;
  }
}
