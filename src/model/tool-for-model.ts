import { declarationsBeside, FILE_DECLARATIONS, FILE_DECLARATIONS_IN_META } from '../protocol/file-keyword.js';
import type { FileArgument, JsonObject, Tool } from '../protocol/index.js';
import { objectMember } from '../protocol/json.js';
import { maskSchema } from './mask-schema.js';

type ListedTool = { readonly fileArguments: readonly FileArgument[] };

/**
 * The tool as a model is to see it: every file argument is a string that takes a handle, and its description says so, with
 * the types and the size that the tool takes. Nothing else changes; the tool that is given stays as it is. Pure.
 *
 * A tool of `listTools` loses its `fileArguments`: they are for the host.
 *
 * All declarations that `fileArguments` knows are masked, at every depth, within a fixed amount of work: what lies deeper
 * than a schema of that size goes stays as the server wrote it.
 */
export function toolForModel<T extends Tool>(tool: T): T extends ListedTool ? Tool : T {
  const masked: Tool = { ...tool };
  delete masked.fileArguments;
  const meta = objectMember(tool, '_meta');
  const schema = objectMember(tool, 'inputSchema');
  if (schema)
    masked.inputSchema = maskSchema(
      schema,
      declarationsBeside(tool, () => {}),
    );
  for (const name of FILE_DECLARATIONS) delete masked[name];
  if (meta) {
    const kept = Object.entries(meta).filter(([name]) => !FILE_DECLARATIONS_IN_META.includes(name));
    if (kept.length > 0 || Object.keys(meta).length === 0) masked._meta = Object.fromEntries(kept) as JsonObject;
    else delete masked._meta;
  }
  return masked as T extends ListedTool ? Tool : T;
}
