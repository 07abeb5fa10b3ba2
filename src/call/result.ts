import type { JsonObject } from '../connection/index.js';
import { FilesError, safeCause, type TransferReport } from '../errors/index.js';
import { namesOf } from '../model/returned-names.js';
import { findReturnedFiles, type Note, readDownloads, type Tool } from '../protocol/index.js';
import type { HostHooks } from './context.js';
import type { ReturnedFiles } from './remote-file.js';
import type { FilesToolResult } from './types.js';

/** The server's result as the host gets it: the extension's entry taken out, the returned files made usable. */
export async function toFilesResult(
  raw: JsonObject,
  transfers: readonly TransferReport[],
  tool: string,
  returned: ReturnedFiles,
  note: Note,
): Promise<FilesToolResult> {
  const found = findReturnedFiles(raw, note);
  const names = found.length === 0 ? [] : await namesOf(found);
  const files = found.map((file, index) => returned.add(names[index]!, file, tool));
  const { result } = readDownloads(raw, () => {});
  // Not every server sends it, and on the way past the SDK's schema nobody has filled it in.
  const content = Array.isArray(result.content) ? result.content : [];
  if (content !== result.content) note('the result has no list of content');
  const whole: JsonObject = { ...result, content, files, transfers: [...transfers] };
  delete whole.resultType;
  return whole as unknown as FilesToolResult;
}

/** The loop is ours, so the SDK's own check of `outputSchema` does not run: a host that wants one gives it here. */
export function checkOutput(validate: HostHooks['validateOutput'], tool: Tool, result: FilesToolResult): void {
  if (validate === undefined || result.isError === true || result.structuredContent === undefined) return;
  try {
    validate(tool, result.structuredContent);
  } catch (error) {
    throw new FilesError('output_invalid', `The structured content of "${tool.name}" did not pass validateOutput.`, {
      cause: safeCause(error),
    });
  }
}
