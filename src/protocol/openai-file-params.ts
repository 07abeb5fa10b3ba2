import type { Dialect } from './dialect.js';
import { OBJECT } from './schema-types.js';
import type { JsonObject } from './types.js';

/**
 * `openai/fileParams`: the tool lists arguments whose value is an object with a link to the file, which the server
 * fetches. Only where no `x-mcp-file` stands. The two optional members go along where the schema takes them.
 */
export const openaiFileParams: Dialect = {
  name: 'openai-file-params',
  reason: 'the tool lists the argument in openai/fileParams',
  writesObject: true,
  marks: all => (all.some(mark => !mark.keyword.openai) ? [] : all.filter(mark => mark.types & OBJECT)),
  routes: (_, { publishes }) => (publishes ? ['publish'] : []),
  lookedFor: () => 'publish',
  write({ link, mimeType, name }, { allowedMembers }) {
    const optional = Object.entries({ mime_type: mimeType, file_name: name });
    const taken = optional.filter(([member]) => allowedMembers?.has(member) ?? true);
    return { download_url: link?.url, file_id: link?.id, ...Object.fromEntries(taken) } satisfies JsonObject;
  },
};
