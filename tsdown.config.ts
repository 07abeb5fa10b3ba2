import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { defineConfig } from 'tsdown';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const shared = {
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  fixedExtension: false,
  clean: false,
  // Says how long plugins take; the build is short.
  checks: { pluginTimings: false },
} as const;

/**
 * The one dependency that is needed on import, and CommonJS: reading it and starting Node's loader for CommonJS took as long
 * as a third of the import. Bundled, so its updates reach hosts with a release of this package only.
 */
const ipaddr = { alwaysBundle: ['ipaddr.js'] };

export default defineConfig([
  // What hosts import: the dependencies stay dependencies, but for ipaddr.js; no MCP SDK is reached.
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    dts: true,
    clean: true,
    deps: { ...ipaddr, onlyBundle: ['ipaddr.js'] },
  },
  {
    ...shared,
    platform: 'browser',
    target: 'es2022',
    entry: { browser: 'src/browser.ts' },
    dts: true,
    deps: { ...ipaddr, onlyBundle: ['ipaddr.js'] },
  },
  // These need an MCP SDK and a few tools of their own: bundled, once for both, with their licences.
  {
    ...shared,
    entry: { testing: 'src/testing/index.ts', cli: 'src/cli/main.ts' },
    dts: { entry: 'src/testing/index.ts' },
    define: { PACKAGE_VERSION: JSON.stringify(packageJson.version) },
    deps: { alwaysBundle: [...ipaddr.alwaysBundle, /^@modelcontextprotocol\//], onlyBundle: false },
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js' },
    plugins: [thirdPartyLicenses('THIRD-PARTY-LICENSES.txt')],
  },
]);

interface Emitted {
  readonly type: string;
  readonly moduleIds?: readonly string[];
}

/**
 * Writes the licence of every package whose code is in the bundle. Source maps tell which further packages the bundled
 * ones carry inside (the MCP SDK ships ajv that way). A package without a licence text stops the build.
 */
function thirdPartyLicenses(path: string) {
  return {
    name: 'third-party-licenses',
    generateBundle(_options: unknown, bundle: Record<string, unknown>) {
      const modules = (Object.values(bundle) as Emitted[]).flatMap(output => output.moduleIds ?? []);
      const folders = new Set(modules.filter(id => id.includes(`${sep}node_modules${sep}`)).flatMap(packagesOf));
      const notices = [...folders].map(noticeOf).sort();
      const head = 'mcp-files-client contains code of these packages in dist/.\n';
      writeFileSync(path, `${head}\n${[...new Set(notices)].join('\n')}`);
    },
  };
}

/** The folder of a module's package and of those that were bundled into it before. */
function packagesOf(id: string): string[] {
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '');
  const map = `${file}.map`;
  const inside = existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources : [];
  const names = inside
    .map(source => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1])
    .filter(name => name !== undefined);
  return [packageFolder(file), ...names.map(name => packageFolder(createRequire(file).resolve(name)))];
}

function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || readPackage(folder).name === undefined) folder = dirname(folder);
  return folder;
}

function readPackage(folder: string): { name?: string; license?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function noticeOf(folder: string): string {
  const { name, license } = readPackage(folder);
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled but has no licence text.`);
  return `${'='.repeat(80)}\n${name} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
