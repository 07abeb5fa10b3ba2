export { isHandle, looksLikeHandle, newHandle, unknownHandle } from './handle.js';
export { linksIn, mayHaveLinks } from './markdown-links.js';
export { type MemoryRegistryOptions, memoryRegistry } from './memory-registry.js';
export type { FileRegistry, HandleContext, HandleOptions, RegisteredFile } from './registry.js';
export { type CallToolResult, type ResultForModelOptions, resultForModel } from './result-for-model.js';
export { toolForModel } from './tool-for-model.js';
