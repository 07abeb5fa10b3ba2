import { FilesError, type FilesErrorFields } from './files-error.js';
import { redactText } from './redaction.js';

/** The only text of an answer that is ever kept. Services echo signed strings and header values in theirs. */
export const SERVICE_CODE = /^[A-Za-z0-9_.-]{1,64}$/;

/** One transfer that failed by itself; siblings that were aborted because of it are not listed. */
export interface TransferFailure {
  /** JSON Pointer (RFC 6901) of the file inside `arguments`. */
  readonly pointer: string;
  /** HTTP status, if the storage answered. */
  readonly status?: number;
  /** The storage service's own error code, only if it matches `[A-Za-z0-9_.-]{1,64}`. */
  readonly serviceCode?: string;
  /** What went wrong: a short stable word such as `http_status`, `connection_lost`, `stalled`. */
  readonly reason: string;
}

/**
 * A file did not reach its target: the storage answered with anything but its success status, the connection failed,
 * or a timer ran out (`transfer_failed`, `transfer_stalled`, `transfer_timeout`). The request may have reached the
 * storage; `tools/call` is not sent again, so the tool has not run.
 */
export class TransferError extends FilesError {
  readonly failures: readonly TransferFailure[];

  constructor(
    code: 'transfer_failed' | 'transfer_stalled' | 'transfer_timeout',
    message: string,
    failures: readonly TransferFailure[],
    fields: FilesErrorFields = {},
  ) {
    super(code, message, fields);
    this.failures = failures.map(checkedFailure);
  }

  static {
    Object.defineProperty(TransferError.prototype, 'name', { value: 'TransferError' });
  }
}

/** Whatever an engine said: a code is a code and a reason a word. */
function checkedFailure({ pointer, status, serviceCode, reason }: TransferFailure): TransferFailure {
  return {
    pointer,
    ...(status !== undefined && { status }),
    ...(serviceCode !== undefined && SERVICE_CODE.test(serviceCode) && { serviceCode }),
    reason: redactText(reason),
  };
}
