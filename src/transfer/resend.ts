import { pause } from '../errors/index.js';
import type { EngineFailure } from './engine.js';

/** Failures before the request that another try may not meet again. A host that lets connections time out is not tried twice. */
export const WORTH_ANOTHER_TRY: ReadonlySet<EngineFailure> = new Set([
  'connection_refused',
  'name_not_resolved',
  'tls_failed',
  'connection_failed',
  'connection_lost',
]);

const FIRST_WAIT = 200;

/** Waits before another try; half of it is jitter, so that siblings that failed together do not come back together. */
export function backOff(tries: number, signal: AbortSignal): Promise<void> {
  return pause(FIRST_WAIT * 2 ** tries * (0.5 + Math.random() / 2), signal);
}
