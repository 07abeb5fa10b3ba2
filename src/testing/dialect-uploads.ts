import { invalidParams } from './checks.js';
import type { Json, ReceivedFile, Settings, TransferMode } from './options.js';
import type { PathSigner } from './signed-path.js';
import type { Storage } from './storage.js';
import { FILE_FIELD } from './targets.js';

const URI = 'mcp-file://reference/';
const TURNS: readonly TransferMode[] = ['put', 'post', 'form'];

/** Uploads that are authorised before the call: SEP-2631, and its older spelling. */
export class DialectUploads {
  readonly #settings: Settings;
  readonly #storage: Storage;
  readonly #signer: PathSigner;
  readonly #storageUrl: string;
  /** What was announced, by slot. */
  readonly #announced = new Map<string, { readonly digest: string | undefined; completed: boolean }>();
  #turn = 0;

  constructor(settings: Settings, storage: Storage, signer: PathSigner, storageUrl: string) {
    this.#settings = settings;
    this.#storage = storage;
    this.#signer = signer;
    this.#storageUrl = storageUrl;
  }

  /** Answers a request of the dialect, or `undefined` where it is none. */
  answer(method: string, params: Json): Json | undefined {
    const { dialect } = this.#settings;
    if (dialect === 'file-object' && method === 'files/authorizeUpload') {
      const { file, descriptor } = this.#authorize(params);
      return { file, upload: descriptor };
    }
    if (dialect !== 'file-object-older') return undefined;
    if (method === 'files/prepareUpload') {
      const { file, descriptor } = this.#authorize(params);
      return { file, transfer: descriptor };
    }
    return method === 'files/completeUpload' ? this.#complete(params) : undefined;
  }

  /** The file behind a URI, as it lies in storage. Each is good for one call. Throws a -32602. */
  async take(uri: string): Promise<ReceivedFile> {
    const id = idOf(uri);
    const announced = this.#announced.get(id);
    const file = announced?.completed ? await this.#storage.confirm(id) : undefined;
    // The same for what never was and what did not arrive.
    if (file === undefined) throw invalidParams('No such file', 'fileUnavailable');
    if (announced?.digest !== undefined && announced.digest !== base64url(file.sha256)) {
      throw invalidParams('Another file arrived than was announced', 'digestMismatch');
    }
    this.#announced.delete(id);
    this.#storage.discard(id);
    return file;
  }

  #authorize(params: Json) {
    const {
      name = 'file',
      mimeType = 'application/octet-stream',
      size,
    } = params as {
      name?: string;
      mimeType?: string;
      size?: number;
    };
    const digest = (params.digest as { value?: string } | undefined)?.value;
    const { maxSize, requireDigest, mode: wanted, now, ttlSeconds } = this.#settings;
    if (!Number.isInteger(size)) throw invalidParams('size is missing', 'invalidSize');
    if (maxSize !== undefined && (size as number) > maxSize) {
      throw invalidParams('The file is too large', 'maxSizeExceeded', { maxSize, actualSize: size });
    }
    if (requireDigest && digest === undefined) throw invalidParams('A digest is needed', 'digestRequired');
    if (digest !== undefined && !/^[\w-]{43}$/.test(digest)) throw invalidParams('No digest', 'invalidDigest');
    const mode = wanted === 'auto' ? (TURNS[this.#turn++ % TURNS.length] as TransferMode) : wanted;
    const fields: [string, string][] = mode === 'form' ? [['token', 'one-time']] : [];
    const slot = this.#storage.addUpload({
      tool: '',
      pointer: '',
      name,
      mimeType,
      size: size as number,
      mode,
      credentials: 'omit',
      headers: mode === 'form' ? {} : { 'x-transfer-credential': 'one-time' },
      fields,
      expires: Math.round(now() + ttlSeconds * 1000),
    });
    this.#announced.set(slot.id, { digest, completed: this.#settings.dialect === 'file-object' });
    const method = mode === 'put' ? 'PUT' : 'POST';
    return {
      file: { uri: URI + slot.id, name, mimeType, size },
      descriptor: {
        transport: 'https',
        method,
        url: `${this.#storageUrl}/${this.#signer.sign(method, 'uploads', slot.id, slot.expires)}`,
        // As in the example of the proposal: the type of a form without its boundary.
        headers: mode === 'form' ? { 'Content-Type': 'multipart/form-data' } : slot.headers,
        ...(mode === 'form' ? { multipart: { fileField: FILE_FIELD, fields: Object.fromEntries(fields) } } : {}),
        expiresAt: new Date(slot.expires).toISOString(),
      },
    };
  }

  #complete({ uri }: Json): Json {
    const announced = this.#announced.get(idOf(String(uri)));
    if (announced === undefined) throw invalidParams('No such upload', 'fileUnavailable');
    announced.completed = true;
    return { file: { uri } };
  }
}

function idOf(uri: string): string {
  return uri.startsWith(URI) ? uri.slice(URI.length) : '';
}

function base64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
