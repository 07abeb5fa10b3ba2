import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { play } from './play.js';
import { answers } from './scenarios/answers.js';
import { dialects } from './scenarios/dialects.js';
import { downloads } from './scenarios/downloads.js';
import { hooks } from './scenarios/hooks.js';
import { network } from './scenarios/network.js';
import { refusals } from './scenarios/refusals.js';
import { returned } from './scenarios/returned.js';
import { sources } from './scenarios/sources.js';
import { storage } from './scenarios/storage.js';

const SETTINGS = [
  ['v2 modern', 'built-in'],
  ['v2 modern', 'fetch'],
  ['v1', 'built-in'],
  ['v1', 'fetch'],
] as const;

const ALL = [
  ...refusals,
  ...storage,
  ...network,
  ...sources,
  ...hooks,
  ...answers,
  ...downloads,
  ...returned,
  ...dialects,
];

describe.each(SETTINGS)('no secret comes out of %s with the %s engine', (flavour, engine) => {
  const scenarios = ALL.filter(({ on }) => (on?.engine ?? engine) === engine && (on?.flavour ?? flavour) === flavour);

  it.each(scenarios)('$name: $ends', async scenario => {
    const { ended, reason, error, leaks } = await play(scenario, flavour, engine);
    expect({ ended, reason: scenario.reason && reason, leaks }, String(error)).toEqual({
      ended: scenario.ends,
      reason: scenario.reason,
      leaks: [],
    });
  });
});

/** Played in resources.test.ts. */
const OF_RESOURCES = /^resource_/;

it('plays every code, and every refusal of a target', async () => {
  const source = await readFile(new URL('../../src/errors/files-error.ts', import.meta.url), 'utf8');
  const target = await readFile(new URL('../../src/transfer/target.ts', import.meta.url), 'utf8');
  const codes = wordsOf(source, 'FilesErrorCode').filter(code => !OF_RESOURCES.test(code));
  const played = new Set(ALL.flatMap(({ ends, reason = '' }) => [ends, reason]));
  expect(codes.length).toBeGreaterThan(20);
  expect([...codes, ...wordsOf(target, 'RefusalReason')].filter(word => !played.has(word))).toEqual([]);
});

/** The members of a union of string literals. */
function wordsOf(source: string, type: string): string[] {
  const [, body = ''] = new RegExp(`type ${type} =([^;]+);`).exec(source) ?? [];
  return [...body.matchAll(/'(\w+)'/g)].map(([, word]) => word!);
}
