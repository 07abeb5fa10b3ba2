import type { JsonObject } from '../connection/index.js';
import type { ResourceAnnotations } from './types.js';

/** ISO 8601, extended format: a date alone, or with a time to minutes, seconds or fractions of them and a zone. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Is this a date as `lastModified` and `createdAt` are written? */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value));
}

/** The annotations without what is malformed; `undefined` where they are no object. Hints never cost a resource. */
export function readAnnotations(value: unknown, note: (message: string) => void): ResourceAnnotations | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    note('annotations of a resource are no object: left out');
    return undefined;
  }
  const { audience, priority, lastModified, ...rest } = value as JsonObject;
  const keep = <T>(name: string, given: unknown, good: T | undefined): { [name: string]: T } => {
    if (good === undefined && given !== undefined && given !== null)
      note(`the annotation ${name} is malformed: left out`);
    return good === undefined ? {} : { [name]: good };
  };
  return {
    ...rest,
    ...keep('audience', audience, readAudience(audience)),
    ...keep('priority', priority, isPriority(priority) ? priority : undefined),
    ...keep('lastModified', lastModified, isDate(lastModified) ? lastModified : undefined),
  };
}

function isPriority(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** The roles that are known; one that is not does not hide the others. */
function readAudience(value: unknown): ('user' | 'assistant')[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const roles = value.filter(role => role === 'user' || role === 'assistant');
  return roles.length === 0 && value.length > 0 ? undefined : roles;
}
