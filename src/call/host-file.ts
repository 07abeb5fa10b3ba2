import { FilesError } from '../errors/index.js';
import { relativeName } from '../model/returned-names.js';
import { fileOfUri, type ReturnedFile } from '../protocol/index.js';

/** What a host knows of a file that it names by its URI, all optional. */
export interface RemoteFileFacts {
  /** May hold folders, separated by `/`. */
  readonly name?: string;
  readonly mimeType?: string;
  /** Bytes. Another size of the content is `size_mismatch`. */
  readonly size?: number;
}

/** A file that the host names by its URI, with the name it goes by. Throws `argument_invalid`. */
export function namedByHost(uri: string, facts: RemoteFileFacts): [name: string, file: ReturnedFile] {
  const { name, mimeType, size } = facts ?? {};
  if (typeof uri !== 'string' || !/^[a-z\d][a-z\d+.-]+:./is.test(uri)) {
    throw new FilesError('argument_invalid', 'A remote file is named by an absolute URI.');
  }
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) {
    throw new FilesError('argument_invalid', 'The size of a remote file is a whole number of bytes.');
  }
  if (typeof (name ?? '') !== 'string') throw new FilesError('argument_invalid', 'The name of a remote file is text.');
  const known = { ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) };
  return [relativeName(name ?? endOf(uri)) ?? 'file', { ...fileOfUri(uri), ...known }];
}

/** The end of the path. What a URI has for a name is no secret of the host's own. */
function endOf(uri: string): string {
  if (/^data:/i.test(uri)) return '';
  const withoutScheme = uri.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^[^:/]*:(\/\/([^/]*@)?)?/, '');
  const path = withoutScheme.replace(/[?#].*$/s, '');
  const end = path.split('/').findLast(segment => segment !== '') ?? '';
  try {
    return decodeURIComponent(end).replace(/[/\\]/g, '_');
  } catch {
    return end;
  }
}
