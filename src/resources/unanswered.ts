import type { McpPort } from '../connection/index.js';
import { FilesError, isFilesError, OutcomeUnknownError, safeCause } from '../errors/index.js';

/**
 * What a request was ended by, where that is no answer of the server's: `not_connected`, or `outcome_unknown` with nothing
 * but the status of an HTTP error. A JSON-RPC error, 401 and 403 stay the SDK's own object.
 */
export function unanswered(method: string, error: unknown, port: McpPort): unknown {
  if (isFilesError(error)) return error;
  const failure = port.failureOf(error);
  const cause = safeCause(error);
  switch (failure.kind) {
    case 'rpc_error':
    case 'unauthorized':
      return error;
    case 'not_sent':
      return new FilesError('not_connected', 'The MCP client is not connected.', { cause });
    case 'refused_by_sdk':
      return new OutcomeUnknownError(
        `The server answered ${method}, but the MCP SDK refused the answer.`,
        'result_refused_by_sdk',
        { cause },
      );
    default: {
      const status = failure.kind === 'http_error' ? { details: { status: failure.status } } : {};
      return new OutcomeUnknownError(`No answer to ${method}.`, 'response_lost', { cause, ...status });
    }
  }
}
