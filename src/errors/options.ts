import { shownName } from './redaction.js';

/** What a value has to be, and how a mistake is told: "must …". */
export type Rule = readonly [is: (value: unknown) => boolean, must: string];
/** The members that an object of options may have. */
export type Rules = Readonly<Record<string, Rule>>;

/** For a member that is taken as it is, or checked where it is used. */
export const ANY: Rule = [() => true, ''];
export const FUNCTION: Rule = [value => typeof value === 'function', 'be a function'];
export const OBJECT: Rule = [
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  'be an object',
];
export const TEXT: Rule = [value => typeof value === 'string', 'be text'];

/**
 * One sentence on the first member of a kind that cannot work, `undefined` where there is none.
 *
 * @param subject what the sentence begins with: `fromPath option`
 */
export function wrongKind(subject: string, options: unknown, rules: Rules, path = ''): string | undefined {
  if (!OBJECT[0](options)) return `${subject}s must be an object.`;
  for (const name in rules) {
    const value: unknown = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const [is, must] = rules[name]!;
    if (!is(value)) return `${subject} ${path}${name} must ${must}.`;
  }
  return undefined;
}

/** As {@link wrongKind}, and on a member that there is none of: misspelt, it would leave open what was meant to be closed. */
export function mistakeIn(subject: string, options: unknown, rules: Rules, path = ''): string | undefined {
  const [unknown] = unknownNames(options, rules);
  if (unknown === undefined || !OBJECT[0](options)) return wrongKind(subject, options, rules, path);
  return `${subject} ${path}${shownName(unknown)} is unknown; there are ${Object.keys(rules).join(', ')}.`;
}

/** Those of the options that there are none of. A copy with the members of a class has its constructor, too. */
export function unknownNames(options: unknown, rules: Rules): string[] {
  return Object.keys(options ?? {}).filter(name => !Object.hasOwn(rules, name) && name !== 'constructor');
}
