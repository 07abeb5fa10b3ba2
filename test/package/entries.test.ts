import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const dist = 'dist';

interface Graph {
  readonly files: Map<string, string>;
  /** Packages and `node:` modules imported statically / on first use. */
  readonly atLoad: Set<string>;
  readonly onUse: Set<string>;
}

/** Everything an entry reaches, read from the built files. */
function graphOf(entry: string): Graph {
  const graph: Graph = { files: new Map(), atLoad: new Set(), onUse: new Set() };
  const visit = (file: string, lazily: boolean): void => {
    if (graph.files.has(file)) return;
    const text = readFileSync(file, 'utf8');
    graph.files.set(file, text);
    const walk = (node: ts.Node): void => {
      const from =
        ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
          ? node.moduleSpecifier
          : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            ? node.arguments[0]
            : undefined;
      if (from !== undefined && ts.isStringLiteralLike(from)) {
        follow(file, from.text, lazily || ts.isCallExpression(node));
      }
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  };
  const follow = (file: string, from: string, lazily: boolean): void => {
    if (from.startsWith('.')) visit(join(dirname(file), from), lazily);
    else (lazily ? graph.onUse : graph.atLoad).add(from);
  };
  visit(join(dist, entry), false);
  return graph;
}

const nodeOnly = (name: string): boolean => name.startsWith('node:') || ['undici', 'fs', 'path'].includes(name);

describe('what each entry reaches', () => {
  it('the browser entry: no node: module, no undici', () => {
    const { atLoad, onUse } = graphOf('browser.js');
    expect([...atLoad, ...onUse].filter(nodeOnly)).toEqual([]);
  });

  it('the browser entry has no fromPath, in code and typings; the Node entry has', () => {
    const exported = (file: string): string => /^export \{.*\};/m.exec(readFileSync(join(dist, file), 'utf8'))![0];
    expect(exported('browser.js')).not.toContain('fromPath');
    expect(exported('browser.d.ts')).not.toContain('fromPath');
    expect(exported('index.d.ts')).toContain('fromPath');
  });

  it('in a browser nothing is saved: typings without a path or a folder; the Node entry has both', () => {
    const typings = (entry: string): string => readFileSync(join(dist, entry), 'utf8');
    expect(typings('browser.d.ts')).toContain('maxBytes?: number');
    expect(typings('browser.d.ts')).not.toMatch(/\b(to|dir|overwrite)\?:/);
    expect(typings('index.d.ts')).toMatch(/\bto\?: string;[\s\S]*\bdir\?: string;[\s\S]*\boverwrite\?: boolean;/);
  });

  it('no entry of the library reaches an MCP SDK; runtime dependencies and node:crypto are loaded on first use', () => {
    for (const entry of ['index.js', 'browser.js']) {
      const { atLoad, onUse } = graphOf(entry);
      expect([...atLoad, ...onUse].filter(name => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
      expect([...atLoad].filter(name => !name.startsWith('node:') || name === 'node:crypto')).toEqual([]);
    }
    expect(graphOf('index.js').onUse).toEqual(
      new Set(['undici', 'form-data', 'mime', 'p-limit', ...graphOf('index.js').onUse]),
    );
  });

  it('the bin and ./testing carry their SDK with them, and whatever is in a bundle its licence', () => {
    for (const entry of ['cli.js', 'testing.js']) {
      const { atLoad, onUse } = graphOf(entry);
      expect([...atLoad, ...onUse].filter(name => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
    }
    expect(existsSync('THIRD-PARTY-LICENSES.txt')).toBe(true);
    const licences = readFileSync('THIRD-PARTY-LICENSES.txt', 'utf8');
    for (const name of ['@modelcontextprotocol/', 'ipaddr.js (MIT)']) expect(licences).toContain(name);
  });

  it('no typing names a package that a user may not have', () => {
    for (const types of ['index.d.ts', 'browser.d.ts', 'testing.d.ts']) {
      const text = readFileSync(join(dist, types), 'utf8');
      const packages = [...text.matchAll(/from ["']([^."'][^"']*)["']/g)].map(([, name]) => name);
      expect(
        packages.filter(name => !name!.startsWith('node:')),
        types,
      ).toEqual([]);
      expect(text, types).not.toMatch(/import\(|<reference types="(?!node)/);
    }
  });

  it('the root entry can be loaded by require(), and uses no import.meta', () => {
    for (const [file, text] of graphOf('index.js').files) expect(text, file).not.toContain('import.meta');
    const script = `
      const { FilesClient, fromPath, isFilesError } = require('./${dist}/index.js');
      if (typeof FilesClient !== 'function' || typeof fromPath !== 'function' || isFilesError(new Error('x'))) process.exit(2);
      console.log('loaded');`;
    // Node 20.19 and later load an ES module without top-level await by require().
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('loaded\n');
  });
});
