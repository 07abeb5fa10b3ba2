export interface AzureSigner {
  createContainer(name: string): Promise<void>;
  read(container: string, blob: string): Promise<Uint8Array>;
  contentType(container: string, blob: string): Promise<string | undefined>;
  /** `permissions`: letters of a SAS, `cw` (create and write) unless told. */
  signPut(options: { container: string; blob: string; permissions?: string; expiresOn?: Date }): string;
}
export function azureSigner(options: { endpoint: string; account: string; key: string }): AzureSigner;
