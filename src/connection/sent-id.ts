import type { TransportLike } from './client-like.js';
import { isObject } from './leg-answer.js';

/**
 * Starts a request and tells the id that the SDK gave it, which it keeps to itself. `send` of the transport is a public
 * member that both SDKs call before `request` returns; it is ours for that moment alone. Where that does not work (a frozen
 * transport, an SDK that sends later) the request goes out all the same and nothing is told.
 */
export function withSentId<T>(
  transport: TransportLike | undefined,
  method: string,
  tell: (id: unknown) => void,
  start: () => Promise<T>,
): Promise<T> {
  const send = transport?.send;
  if (transport === undefined || typeof send !== 'function') return start();
  const own = Object.getOwnPropertyDescriptor(transport, 'send');
  const watched: TransportLike['send'] = function (this: unknown, message, ...rest) {
    if (isObject(message) && message.method === method) tell(message.id);
    return send.call(transport, message, ...rest);
  };
  const ours = { value: watched, configurable: true, writable: true, enumerable: own?.enumerable ?? false };
  if (!Reflect.defineProperty(transport, 'send', ours)) return start();
  try {
    return start();
  } finally {
    if (own === undefined) Reflect.deleteProperty(transport, 'send');
    else Reflect.defineProperty(transport, 'send', own);
  }
}
