import { fileArguments as listed } from './protocol/index.js';
import type { FileArgument, Tool } from './protocol/types.js';

/**
 * The file arguments that a tool declares, those nearest to the top first: `x-mcp-file` anywhere in the input schema
 * (nested objects, arrays, maps, local `$ref`, `anyOf` and its kin), and the declarations in the tool's `_meta`. Pure; a
 * remote `$ref` is never fetched.
 *
 * In a `pointer`, `*` stands for any array index or map key. A schema that contains itself is followed into itself once,
 * as it declares endlessly many. At most 1000 arguments, 32 levels deep, within a fixed amount of work.
 */
export function fileArguments(tool: Tool): FileArgument[] {
  // One parameter alone: `tools.map(fileArguments)` hands over the index too.
  return listed(tool);
}
