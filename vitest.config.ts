import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'test/browser/**', 'test/conformance/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // A starved machine can make a peer miss its moment once; what fails twice is a fault.
    retry: process.env.CI ? 1 : 0,
  },
});
