import type { Dialect } from './dialect.js';

/**
 * Plain base64 in a string, the commonest home-made form (`content_base64` beside `filename` and `mime_type`). No schema
 * tells it from any other text, so it is never found here: only the host's `describeArguments` says where it stands.
 */
export const base64Texts: Dialect = {
  name: 'base64',
  reason: 'the argument takes base64',
  marks: () => [],
  routes: () => ['inline'],
  lookedFor: () => 'base64',
  inlineMode: 'inline',
  write: ({ data = '' }) => data,
};
