export interface GoogleSigner {
  /** PEM. */
  readonly publicKey: string;
  signPut(options: {
    bucket: string;
    name: string;
    contentType?: string;
    /** Signed, so they must be sent as they are. */
    headers?: Record<string, string>;
    /** Milliseconds since the epoch. */
    expires?: number;
  }): Promise<string>;
  signPost(options: {
    bucket: string;
    name: string;
    fields?: Record<string, string>;
    conditions?: unknown[];
    expires?: number;
  }): Promise<{ url: string; fields: { name: string; value: string }[] }>;
}
export function googleSigner(options: { endpoint: string }): GoogleSigner;
