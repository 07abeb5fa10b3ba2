import { inspect } from 'node:util';

/** All that a careless host could print of an error or an event. */
export function everything(value: unknown): string {
  const own = value instanceof Error ? [value.message, value.stack, String(value.cause)] : [];
  return [...own, JSON.stringify(value), inspect(value, { depth: 12, showHidden: true, getters: true })].join('\n');
}
