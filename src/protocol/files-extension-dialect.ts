import type { Dialect } from './dialect.js';
import { fileArgumentValue, uploadResponse } from './files-extension.js';
import { OBJECT } from './schema-types.js';
import { splitInputRequests } from './upload-request.js';
import { readTargets } from './upload-targets.js';

/** The files extension: an object argument with `x-mcp-file`, inline or by an upload round of the call. */
export const filesExtension: Dialect = {
  name: 'extension',
  reason: 'the server advertises the files extension',
  writesObject: true,
  // A file object says more than a string can, so it is written wherever the argument takes either.
  marks: all => all.filter(mark => !mark.keyword.openai && mark.types & OBJECT),
  routes: (_, { server }) => (server.advertised ? ['inline', 'round'] : []),
  lookedFor: () => 'extension',
  inlineMode: 'inline',
  write: (file, { allowedMembers }) => fileArgumentValue(file, allowedMembers),
  round: { split: splitInputRequests, readTargets, response: uploadResponse },
};
