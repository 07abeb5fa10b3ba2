export { abortedError as abortError, onAbort, orAborted as orAbort, pause, throwIfAborted } from '../errors/abort.js';
