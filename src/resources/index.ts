export { ResourcesClient } from './resources-client.js';
export type * from './types.js';
