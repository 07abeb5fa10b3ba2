export { abortedError, type LinkedSignal, linkSignals, onAbort, orAborted, pause, throwIfAborted } from './abort.js';
export {
  atPointer,
  FilesError,
  type FilesErrorCode,
  isFilesError,
  type Outcome,
  type TransferReport,
} from './files-error.js';
export { ANY, FUNCTION, mistakeIn, OBJECT, type Rule, type Rules, TEXT, unknownNames, wrongKind } from './options.js';
export { OutcomeUnknownError } from './outcome-unknown-error.js';
export { redact, redactText, safeCause, shownName, shownPath, shownUrl } from './redaction.js';
export { SERVICE_CODE, TransferError, type TransferFailure } from './transfer-error.js';
