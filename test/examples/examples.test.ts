import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = (example: string) => promisify(execFile)(process.execPath, [`examples/${example}/main.mjs`], { cwd: root });

/** What no model may see: an address of this computer, a signature, a path, a run of base64. */
const HIDDEN = /127\.0\.0\.1|https?:|[?&]\w+=|\/tmp\/|[A-Za-z\d+/]{120,}|x-mcp-file/;

describe('the example of a host', () => {
  it('moves files there and back while the model sees handles alone', async () => {
    const { stdout, stderr } = await run('host');
    const [, seen = '', got = ''] = /saw:\n\n(\{.*\n\})\n\nWhat the server got:\n\n(.*)$/s.exec(stdout) ?? [];
    const { tools, messages } = JSON.parse(seen);
    expect(seen).not.toMatch(HIDDEN);
    expect(messages.map((message: any) => message.call?.name ?? message.role)).toEqual([
      'user',
      'publish',
      'tool',
      'make_report',
      'tool',
      'save_file',
      'tool',
      'assistant',
    ]);
    const publish = tools.find(({ name }: any) => name === 'publish').inputSchema.properties;
    expect(publish.deck).toEqual({ type: 'string', description: expect.stringContaining('handle') });
    expect(messages[1].call.arguments.deck).toMatch(/^mcpfile_/);
    expect(messages[4].content.at(-1).text).toMatch(
      /^File "out\/report\.txt" \(text\/plain, 300000 bytes\), handle mcpfile_\w+$/,
    );
    expect(got).toMatch(/publish: deck\.pdf, 5000000 bytes by (put|post|form)/);
    expect(got).toMatch(/save_file: report\.txt, 300000 bytes/);
    expect(stderr).toMatch(/allowed without asking: deck\.pdf for publish/);
    expect(stderr).toMatch(/publish: 100 % of 5001500 bytes/);
    expect(stderr).toMatch(/saved .*report\.txt/);
  });
});

const isInstalled = existsSync(`${root}examples/ai-sdk/node_modules/ai`);

describe('the example under the AI SDK', () => {
  it.skipIf(!isInstalled)('gives its tools handles and its model no bytes', async () => {
    const { stdout, stderr } = await run('ai-sdk');
    const { text, seen } = JSON.parse(stdout);
    expect(text).toBe('Both are saved.');
    expect(seen).toHaveLength(4);
    expect(stdout).not.toMatch(HIDDEN);
    const saveFile = seen[0].tools.find(({ name }: any) => name === 'save_file').inputSchema.properties;
    expect(saveFile.document).toEqual({ type: 'string', description: expect.stringContaining('handle') });
    expect(JSON.stringify(seen[2].prompt)).toMatch(
      /File \\\\?"out\/report\.txt\\\\?" \(text\/plain, 5000 bytes\), handle mcpfile_/,
    );
    expect(stderr).toContain('save_file: notes.txt, 20000 bytes');
    expect(stderr).toContain('save_file: report.txt, 5000 bytes');
  });
});
