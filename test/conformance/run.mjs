// Runs the official client scenarios against client.mjs, each twice: through the SDK's own callTool, as calls without
// files go, and through the library's own loop. Needs `npm run build` and `npm ci` in this folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const runnerNode = join(here, 'node_modules/node/bin/node');
const runner = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const scenarios = [
  'sep-2322-client-request-state',
  'http-custom-headers',
  'http-standard-headers',
  'request-metadata',
  'json-schema-2020-12-preservation',
  'tools_call',
];

let failed = 0;
const output = mkdtempSync(join(tmpdir(), 'conformance-'));
for (const ownLoop of ['0', '1']) {
  for (const scenario of scenarios) {
    const { status, stdout, stderr } = spawnSync(
      runnerNode,
      [
        runner,
        'client',
        '--command',
        `${process.execPath} ${join(here, 'client.mjs')}`,
        '--scenario',
        scenario,
        '--spec-version',
        '2026-07-28',
        '-o',
        output,
      ],
      { env: { ...process.env, OWN_LOOP: ownLoop }, encoding: 'utf8' },
    );
    const path = ownLoop === '1' ? "the library's loop" : "the SDK's callTool";
    const counts = /Passed: .*|passed.*failed.*/i.exec(stdout + stderr)?.[0] ?? '';
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${scenario}, through ${path}  ${counts}`);
    if (status !== 0) {
      failed++;
      console.log(stdout, stderr);
    }
  }
}
rmSync(output, { recursive: true, force: true });
console.log(`conformance: ${2 * scenarios.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
