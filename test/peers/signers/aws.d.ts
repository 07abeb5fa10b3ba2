export interface AwsSigner {
  createBucket(bucket: string): Promise<void>;
  read(bucket: string, key: string): Promise<Uint8Array>;
  headers(
    bucket: string,
    key: string,
  ): Promise<{ cacheControl?: string; contentType?: string; metadata?: Record<string, string> }>;
  presignPut(options: {
    bucket: string;
    key: string;
    contentType?: string;
    metadata?: Record<string, string>;
    signingDate?: Date;
    /** Seconds. */
    expiresIn?: number;
  }): Promise<string>;
  presignGet(options: { bucket: string; key: string; signingDate?: Date; expiresIn?: number }): Promise<string>;
  presignPost(options: {
    bucket: string;
    key: string;
    fields?: Record<string, string>;
    conditions?: unknown[];
    /** Seconds from now; negative for a policy of the past. */
    expires?: number;
  }): Promise<{ url: string; fields: { name: string; value: string }[] }>;
  close(): void;
}
export function awsSigner(options: {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}): AwsSigner;
