import { change } from './change.js';
import { type ResourceEnvironment, run } from './environment.js';
import { checkUri } from './read.js';
import type { Supports } from './support.js';
import type { ResourceRequestOptions } from './types.js';

/** `resources/delete` (SEP-2571). */
export function deleteResource(
  uri: string,
  options: ResourceRequestOptions,
  environment: ResourceEnvironment,
  supports: Supports,
): Promise<void> {
  return run(environment, options.signal, async signal => {
    checkUri(uri);
    await supports.require('delete', options, signal);
    await change('delete', { uri }, { options, signal, uri }, environment);
  });
}
