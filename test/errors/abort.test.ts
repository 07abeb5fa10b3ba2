import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkSignals, onAbort, orAborted, pause } from '../../src/errors/index.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('listening for an abort', () => {
  it('puts one listener on a signal, however many wait, and takes it off with the last', () => {
    const { signal } = new AbortController();
    const offs = Array.from({ length: 500 }, () => onAbort(signal, () => {}));
    expect(listenersOf(signal)).toBe(1);
    for (const off of offs) off();
    expect(listenersOf(signal)).toBe(0);
    onAbort(signal, () => {})();
    expect(listenersOf(signal)).toBe(0);
  });

  it('runs every listener once, in order, and at once when it is too late', () => {
    const controller = new AbortController();
    const ran: number[] = [];
    onAbort(controller.signal, () => void ran.push(1));
    const off = onAbort(controller.signal, () => void ran.push(2));
    onAbort(controller.signal, () => void ran.push(3));
    off();
    off();
    controller.abort();
    onAbort(controller.signal, () => void ran.push(4));
    expect(ran).toEqual([1, 3, 4]);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('keeps two registrations of one function apart', () => {
    const controller = new AbortController();
    let ran = 0;
    const listener = (): void => void ran++;
    const off = onAbort(controller.signal, listener);
    onAbort(controller.signal, listener);
    off();
    controller.abort();
    expect(ran).toBe(1);
  });

  it('links a child to several parents and lets go of them', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const linked = linkSignals(a.signal, undefined, b.signal);
    b.abort('why');
    expect(linked.signal.reason).toBe('why');
    linked.release();
    expect(listenersOf(a.signal)).toBe(0);
    expect(linkSignals(b.signal).signal.reason).toBe('why');
  });

  it('ends waiting with the reason as the cause', async () => {
    const controller = new AbortController();
    const waiting = orAborted(new Promise(() => {}), controller.signal);
    const pausing = pause(60_000, controller.signal);
    controller.abort('gone');
    await expect(waiting).rejects.toMatchObject({ code: 'aborted', cause: 'gone' });
    await expect(pausing).rejects.toMatchObject({ code: 'aborted' });
    await pause(0, new AbortController().signal);
  });
});
