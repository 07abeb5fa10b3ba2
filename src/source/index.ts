export type { FileSource, PlannedFile } from './file-source.js';
export { fromBlob } from './from-blob.js';
export { fromBytes } from './from-bytes.js';
export { fromStream } from './from-stream.js';
export { allOf, joined } from './joined.js';
export { extensionOfType, typeOfName } from './media-type.js';
export { cleanName, portableName, WINDOWS_DEVICE } from './name.js';
export { planFile, toFileSource } from './plan-file.js';
