import { FilesError } from '../errors/index.js';
import type { JsonObject, LegAnswer } from './port.js';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a result that no SDK has discriminated: v1 knows no `resultType`, v2 strips it in the legacy era. So an input
 * round shows in `inputRequests`, or in a `requestState` that comes without any tool output. (A v1 server adds
 * `content: []` to whatever its tool handler returns; an empty list is therefore no output.)
 */
export function answerOf(result: JsonObject): LegAnswer {
  const { resultType, inputRequests, requestState, ...rest } = result;
  const state = typeof requestState === 'string' ? { requestState } : {};
  if (isObject(inputRequests)) return { kind: 'input_required', inputRequests, ...state };
  if (resultType === 'input_required' || (typeof requestState === 'string' && !hasOutput(rest))) {
    // The same rule v2 applies in the modern era: an input round names its requests or its state.
    if (typeof requestState === 'string') return { kind: 'input_required', inputRequests: {}, ...state };
    throw new FilesError(
      'server_violation',
      'The answer asks for input but names neither inputRequests nor requestState.',
    );
  }
  if (resultType !== 'complete') return { kind: 'complete', result };
  const { resultType: _, ...complete } = result;
  return { kind: 'complete', result: complete };
}

function hasOutput({ content, structuredContent, contents }: JsonObject): boolean {
  return [structuredContent, contents, Array.isArray(content) && content.length === 0 ? undefined : content].some(
    output => output !== undefined,
  );
}
