import { EXTENSION, type Json, type Settings, type TransferMode } from './options.js';
import type { PathSigner } from './signed-path.js';
import type { DownloadSlot, Storage, UploadSlot } from './storage.js';
import type { FoundFile } from './tools.js';

const TURNS: readonly TransferMode[] = ['put', 'post', 'form'];

/** Where bodies can go, in the two spellings of the draft. */
export interface Addresses {
  /** Origin of the storage; signed paths hang under it. */
  readonly storageUrl: string;
}

/** Makes the targets that go to the client, and the slots behind them. */
export class Targets {
  readonly #settings: Settings;
  readonly #storage: Storage;
  readonly #signer: PathSigner;
  readonly #addresses: Addresses;

  constructor(settings: Settings, storage: Storage, signer: PathSigner, addresses: Addresses) {
    this.#settings = settings;
    this.#storage = storage;
    this.#signer = signer;
    this.#addresses = addresses;
  }

  /** One upload entry for all pending files: targets by JSON Pointer, and the slot ids for the request state. */
  uploadRequest(tool: string, files: readonly FoundFile[], clientIncludes: boolean) {
    const targets: Json = {};
    const uploads: Record<string, string> = {};
    for (const [index, { pointer, value }] of files.entries()) {
      const mode = this.#settings.mode === 'auto' ? (TURNS[index % TURNS.length] as TransferMode) : this.#settings.mode;
      const { name, mimeType, size } = value;
      const slot = this.#storage.addUpload({
        tool,
        pointer,
        name,
        mimeType,
        size,
        mode,
        credentials: this.#credentials(clientIncludes),
        // As with pre-signed URLs: what the target names must arrive, or the signature is said not to match.
        headers: mode === 'form' ? {} : { 'content-type': mode === 'put' ? mimeType : 'application/octet-stream' },
        fields: mode === 'form' ? formFields(pointer, mimeType, size) : [],
        expires: this.#expires(),
      });
      targets[pointer] = this.#uploadTarget(slot);
      uploads[pointer] = slot.id;
    }
    const entry = { method: `${EXTENSION}/upload`, params: { targets } };
    return { entry: this.#settings.hooks.onUploadRequest?.(entry) ?? entry, uploads };
  }

  /** Stores a file and returns the target it can be downloaded from. */
  async download(
    file: Pick<DownloadSlot, 'name' | 'mimeType' | 'size'>,
    content: Iterable<Uint8Array>,
    clientIncludes: boolean,
  ): Promise<Json> {
    const credentials = this.#credentials(clientIncludes);
    const slot = await this.#storage.addDownload({ ...file, credentials, expires: this.#expires() }, content);
    return {
      ...file,
      ...this.#address(this.#signer.sign('GET', 'downloads', slot.id, slot.expires)),
      credentials,
      expiresAt: new Date(slot.expires).toISOString(),
      digest: { algorithm: 'sha-256', value: slot.sha256.toString('base64url') },
    };
  }

  #uploadTarget(slot: UploadSlot): Json {
    const method = slot.mode === 'put' ? 'PUT' : 'POST';
    const fields = slot.fields.map(([name, value]) => ({ name, value }));
    return {
      ...this.#address(this.#signer.sign(method, 'uploads', slot.id, slot.expires)),
      method,
      headers: slot.headers,
      credentials: slot.credentials,
      expiresAt: new Date(slot.expires).toISOString(),
      ...(slot.mode === 'form' ? { form: { fields, fileField: FILE_FIELD } } : {}),
    };
  }

  #address(signedPath: string): Json {
    return this.#settings.targets === 'path'
      ? { path: signedPath }
      : { url: `${this.#addresses.storageUrl}/${signedPath}` };
  }

  #credentials(clientIncludes: boolean): 'omit' | 'include' {
    const demand = this.#settings.targets === 'path' && this.#settings.bearer !== undefined;
    return demand && clientIncludes ? 'include' : 'omit';
  }

  #expires(): number {
    return Math.round(this.#settings.now() + this.#settings.ttlSeconds * 1000);
  }
}

export const FILE_FIELD = 'file';

/** Fields of the kind that policy-based form uploads have; their order is checked as such services check it. */
function formFields(pointer: string, mimeType: string, size: number): ReadonlyArray<readonly [string, string]> {
  const policy = Buffer.from(JSON.stringify({ pointer, size })).toString('base64url');
  return [
    ['key', `staged${pointer}`],
    ['Content-Type', mimeType],
    ['success_action_status', '201'],
    ['policy', policy],
  ];
}
