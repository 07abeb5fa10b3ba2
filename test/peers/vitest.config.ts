import { defineConfig } from 'vitest/config';

/** Started by run.mjs, which starts the peers first and names the files to run. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // The peers share two cores with the tests.
    maxWorkers: 2,
  },
});
