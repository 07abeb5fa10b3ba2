import { FilesError } from '../errors/index.js';
import type { TemplateVariables } from './types.js';
import { isWellFormed } from './well-formed.js';

/**
 * The URI that a template (RFC 6570, levels 1 to 4) makes of the variables. One that is missing, `null` or `undefined`
 * expands to nothing, as the RFC says; one that the template does not name, or whose value is of no kind the RFC knows, is a
 * mistake of the caller.
 *
 * Throws `argument_invalid`: for those, for text that has no UTF-8, and for a template that is malformed.
 */
export async function expandTemplate(template: string, variables: TemplateVariables): Promise<string> {
  if (typeof template !== 'string') throw invalid('The template is no text.');
  const names = namesIn(template);
  const values: { [name: string]: unknown } = Object.create(null);
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (!names.has(name)) throw invalid(`The template has no variable ${shownWord(name)}.`);
    if (value === undefined || value === null) continue;
    if (!isTemplateValue(value)) {
      throw invalid(`The variable ${shownWord(name)} is none of: text, number, boolean, list, map.`);
    }
    values[name] = value;
  }
  const { StdUriTemplate } = await import('@std-uritemplate/std-uritemplate');
  try {
    return template
      .split(/(\{[^{}]*\})/)
      .map((part, index) => {
        const expanded = StdUriTemplate.expand(part, values);
        return index % 2 === 1 && !/^\{[+#]/.test(part) ? encodedRest(expanded) : expanded;
      })
      .join('');
  } catch (cause) {
    throw invalid('The template is malformed (RFC 6570), or a value does not fit where it stands.', cause);
  }
}

/** The library leaves four reserved characters (RFC 3986, 2.2), which only `+` and `#` let stand (RFC 6570, 3.2.1). */
function encodedRest(expanded: string): string {
  return expanded.replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Without the operators and modifiers; what is malformed is for the library to refuse. */
function namesIn(template: string): Set<string> {
  const names = new Set<string>();
  for (const [, expression = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    for (const spec of expression.replace(/^[+#./;?&=,!@|]/, '').split(',')) {
      names.add(spec.replace(/(?:\*|:\d*)$/, ''));
    }
  }
  return names;
}

function isTemplateValue(value: unknown): boolean {
  if (isScalar(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.every(isScalar);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isMap = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isMap && Object.entries(value).every(([key, item]) => isScalar(key) && isScalar(item));
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** A name that the caller made up may be anything. */
function shownWord(name: string): string {
  return /^[\w.%]{1,64}$/.test(name) ? `"${name}"` : 'of that name';
}

function invalid(message: string, cause?: unknown): FilesError {
  return new FilesError('argument_invalid', message, cause === undefined ? {} : { cause });
}
