import type { Dialect, Mark } from './dialect.js';
import {
  authorizeUploadParams,
  fileObjectMethods,
  readAuthorizedUpload,
  readFileObject,
  readUploadRefusal,
} from './file-objects.js';
import { member } from './json.js';
import { OBJECT, STRING } from './schema-types.js';

/** SEP-2631: a string argument with `x-mcp-file` holds the server's URI of a file that was sent before. */
export const fileObjects: Dialect = {
  name: 'file-object',
  reason: 'the server takes the file by files/authorizeUpload',
  marks(all) {
    const strings = all.filter(isStringMark);
    return strings.some(mark => mark.keyword.transferModes?.includes('upload')) ? strings : [];
  },
  routes: ({ transferModes }, { unknownToServer }) =>
    unknownToServer.has('file-object') || transferModes?.includes('upload') === false ? [] : ['authorize'],
  lookedFor: ({ server }) => fileObjectMethods(server).authorizeUpload,
  write: ({ uri }) => uri,
  authorize: {
    methods(server) {
      const { authorizeUpload: ask, completeUpload: complete } = fileObjectMethods(server);
      return { ask, ...(complete !== undefined && { complete }) };
    },
    params: authorizeUploadParams,
    read: readAuthorizedUpload,
    readCompletion: result => readFileObject(member(result, 'file'), () => {})?.uri,
    readRefusal: readUploadRefusal,
  },
};

/** A string that has `x-mcp-file` and could not be a file object of the extension. */
export function isStringMark(mark: Mark): boolean {
  return !mark.keyword.openai && (mark.types & STRING) !== 0 && (mark.types & OBJECT) === 0;
}
