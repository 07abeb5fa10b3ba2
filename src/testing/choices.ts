import { REFERENCE_DIALECTS } from './dialect-tools.js';
import type { ReferenceServerOptions } from './options.js';

const CHOICES: { readonly [K in keyof ReferenceServerOptions]?: readonly ReferenceServerOptions[K][] } = {
  dialect: REFERENCE_DIALECTS,
  elicitation: ['beside', 'after'],
  mode: ['auto', 'put', 'post', 'form'],
  resourceReaders: ['anyone', 'owner'],
  resources: ['full', 'read_only', 'off'],
  targets: ['url', 'path'],
};

/** Throws TypeError for a choice that there is none of: a test that misspells one would test something else. */
export function checkChoices(options: ReferenceServerOptions): void {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value: unknown = options[name as keyof ReferenceServerOptions];
    if (value === undefined || (choices as readonly unknown[]).includes(value)) continue;
    throw new TypeError(`Reference server option ${name} must be one of ${choices.join(', ')}.`);
  }
}
