import { defineConfig } from 'tsdown';

const shared = { format: 'esm', platform: 'node', target: 'node20.19', sourcemap: false, fixedExtension: false } as const;

export default defineConfig([
  // What hosts import: the dependencies stay dependencies, no MCP SDK is reached.
  { ...shared, entry: { index: 'src/index.ts' }, dts: true },
  { ...shared, platform: 'browser', target: 'es2022', entry: { browser: 'src/browser.ts' }, dts: true, clean: false },
  // These need an MCP SDK of their own: it is bundled.
  { ...shared, entry: { testing: 'src/testing/index.ts' }, dts: true, clean: false },
  { ...shared, entry: { cli: 'src/cli/main.ts' }, dts: false, clean: false },
]);
