import { describe, expect, it } from 'vitest';
import { play } from './play.js';
import { answers } from './scenarios/answers.js';
import { hooks } from './scenarios/hooks.js';
import { network } from './scenarios/network.js';
import { refusals } from './scenarios/refusals.js';
import { sources } from './scenarios/sources.js';
import { storage } from './scenarios/storage.js';

const SETTINGS = [
  ['v2 modern', 'built-in'],
  ['v2 modern', 'fetch'],
  ['v2 legacy', 'built-in'],
  ['v1', 'built-in'],
  ['v1', 'fetch'],
] as const;

describe.each(SETTINGS)('no secret comes out of %s with the %s engine', (flavour, engine) => {
  const scenarios = [...refusals, ...storage, ...network, ...sources, ...hooks, ...answers].filter(
    ({ on }) => (on?.engine ?? engine) === engine && (on?.flavour ?? flavour) === flavour,
  );

  it.each(scenarios)('$name: $ends', async scenario => {
    const { ended, reason, error, leaks } = await play(scenario, flavour, engine);
    expect({ ended, reason: scenario.reason && reason, leaks }, String(error)).toEqual({
      ended: scenario.ends,
      reason: scenario.reason,
      leaks: [],
    });
  });
});
