import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';

/** Targets as a server makes them with the Azure SDK. */
export function azureSigner({ endpoint, account, key }) {
  const credential = new StorageSharedKeyCredential(account, key);
  const service = new BlobServiceClient(`${endpoint}/${account}`, credential);
  return {
    async createContainer(name) {
      await service.createContainer(name);
    },
    read(container, blob) {
      return service.getContainerClient(container).getBlobClient(blob).downloadToBuffer();
    },
    async contentType(container, blob) {
      return (await service.getContainerClient(container).getBlobClient(blob).getProperties()).contentType;
    },
    signPut({ container, blob, permissions = 'cw', expiresOn = new Date(Date.now() + 600_000) }) {
      const sas = generateBlobSASQueryParameters(
        { containerName: container, blobName: blob, permissions: BlobSASPermissions.parse(permissions), expiresOn },
        credential,
      );
      return `${service.getContainerClient(container).getBlobClient(blob).url}?${sas}`;
    },
  };
}
