import { FilesError, type FilesErrorFields } from './files-error.js';

/**
 * A request that could run the tool was sent and no answer to it could be read, so the tool may or may not have run.
 * `details.reason` is `response_lost` (no answer), `state_consumed` (the server had already used this request state) or
 * `result_refused_by_sdk` (an answer came and the MCP SDK refused to hand it out). The call is never repeated.
 */
export class OutcomeUnknownError extends FilesError {
  constructor(
    message: string,
    reason: 'response_lost' | 'state_consumed' | 'result_refused_by_sdk',
    fields: Omit<FilesErrorFields, 'outcome'> = {},
  ) {
    super('outcome_unknown', message, { ...fields, outcome: 'unknown', details: { ...fields.details, reason } });
  }

  static {
    Object.defineProperty(OutcomeUnknownError.prototype, 'name', { value: 'OutcomeUnknownError' });
  }
}
