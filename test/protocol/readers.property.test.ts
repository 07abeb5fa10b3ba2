import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFilesError } from '../../src/errors/index.js';
import {
  declarationAt,
  FILES_EXTENSION,
  fileArguments,
  isInlineTooLarge,
  isInvalidRequestState,
  type JsonObject,
  type PendingFile,
  pointerOf,
  readDownloads,
  readServerCapability,
  readTargets,
  segmentsOf,
  splitInputRequests,
  type Tool,
  valueAt,
} from '../../src/protocol/index.js';

// Words that the readers know, so that arbitrary JSON gets past their first look.
const WORDS = [
  ...['__proto__', 'constructor', 'toString', '*', '0', '', 'a', 'f', 'true'],
  ...['method', 'params', 'targets', 'uploads', 'files', 'pointer', 'argument', 'name', 'value', '/a', '/f', '/f/0'],
  ...[
    'url',
    'path',
    'headers',
    'credentials',
    'omit',
    'include',
    'expiresAt',
    'form',
    'multipart',
    'fields',
    'fileField',
  ],
  ...['POST', 'PUT', 'files/upload', 'elicitation/create', '2026-07-28T12:00:00Z', 'downloads', 'digest', 'size'],
  ...['algorithm', 'maxInlineBytes', 'getDownload', 'reason', 'inline_too_large', FILES_EXTENSION],
  ...['x-mcp-file', 'accept', 'maxSize', 'transferModes', 'openai/fileParams', 'type', 'object', 'string', 'array'],
  ...[
    'properties',
    'items',
    'prefixItems',
    'additionalProperties',
    'patternProperties',
    'required',
    'minItems',
    'enum',
  ],
  ...['$ref', '#', '#/$defs/a', '#/properties/f', '$defs', '$id', '$anchor', 'anyOf', 'allOf', 'oneOf', 'if', 'const'],
];
const word = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: fc.string() });
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { depthSize: 'medium', maxDepth: 7, withCrossShrink: true },
    fc.oneof(word, fc.boolean(), fc.constant(null), fc.integer({ min: -1, max: 9 }), fc.double()),
    // As JSON.parse makes it: an own member called __proto__ and no other prototype.
    fc.array(fc.tuple(word, tie('json')), { maxLength: 5 }).map(entries => Object.fromEntries(entries)),
    fc.array(tie('json'), { maxLength: 4 }),
  ),
}));
const FILES: PendingFile[] = [
  { pointer: '/a', size: 5, inline: false },
  { pointer: '/f/0', size: 0, inline: false },
  { pointer: '/f', size: 5, inline: true },
];
const RUNS = { numRuns: 2000 };
const isText = (message: string) => expect(typeof message).toBe('string');

/** Runs a reader: it may refuse with this code, and nothing else may come out of it. The input stays as it was. */
function mayRefuse(code: string | undefined, input: unknown, read: () => void): void {
  const before = JSON.stringify(input);
  try {
    read();
  } catch (error) {
    if (!isFilesError(error) || error.code !== code) throw error;
    expect(error.outcome).toBe('not_run');
  }
  expect(JSON.stringify(input)).toBe(before);
}

describe('on any JSON', () => {
  test('splitInputRequests refuses with server_violation or accounts for every entry', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (input, possible) => {
        mayRefuse('server_violation', input, () => {
          const { upload, others } = splitInputRequests(input as JsonObject, possible, isText);
          expect(others.length + (upload ? 1 : 0)).toBe(Object.keys(input as object).length);
          for (const other of others) expect(typeof other.method).toBe('string');
          if (!possible) expect(upload).toBeUndefined();
        });
      }),
      RUNS,
    );
  });

  test('readTargets refuses with server_violation or gives one well-formed target for each pending file', () => {
    const entry = fc.oneof(json, fc.record({ targets: json }), fc.record({ targets: fc.record({ '/a': json }) }));
    fc.assert(
      fc.property(entry, input => {
        mayRefuse('server_violation', input, () => {
          const targets = readTargets(input as JsonObject, FILES, isText);
          expect([...targets.keys()]).toEqual(['/a']);
          for (const { url, path, method, headers, credentials, form } of targets.values()) {
            expect([typeof url, typeof path].sort()).toEqual(['string', 'undefined']);
            expect(method).toMatch(/^[A-Z-]+$/);
            expect(['omit', 'include']).toContain(credentials);
            for (const pair of [...headers, ...(form?.fields ?? [])]) {
              expect(pair.map(text => typeof text)).toEqual(['string', 'string']);
            }
          }
        });
      }),
      RUNS,
    );
  });

  test('readDownloads never refuses, and every target it gives has one address', () => {
    const result = fc.oneof(json, fc.record({ _meta: fc.record({ [FILES_EXTENSION]: json }) }));
    fc.assert(
      fc.property(result, input => {
        mayRefuse(undefined, input, () => {
          const { downloads, result } = readDownloads((input ?? {}) as JsonObject, isText);
          for (const { url, path } of downloads) {
            expect([typeof url, typeof path].sort()).toEqual(['string', 'undefined']);
          }
          expect(valueAt(result, `/_meta/${FILES_EXTENSION.replace('/', '~1')}`)).toBeUndefined();
        });
      }),
      RUNS,
    );
  });

  test('readServerCapability never refuses', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ [FILES_EXTENSION]: json })), input => {
        mayRefuse(undefined, input, () => {
          const { advertised, maxInlineBytes, olderDraft } = readServerCapability(input as JsonObject, isText);
          expect(advertised && olderDraft).toBe(false);
          if (maxInlineBytes !== undefined) expect(maxInlineBytes).toBeGreaterThanOrEqual(0);
        });
      }),
      RUNS,
    );
  });

  test('error reasons are a yes or a no', () => {
    fc.assert(
      fc.property(json, input => {
        expect(typeof isInlineTooLarge(-32602, input)).toBe('boolean');
        expect(isInlineTooLarge(-32602, input) && isInvalidRequestState(-32602, input)).toBe(false);
      }),
      RUNS,
    );
  });

  const tools = fc
    .record({
      inputSchema: fc.oneof(json, fc.record({ properties: fc.record({ f: json, a: json }), $defs: json })),
      _meta: json,
    })
    .map(members => ({ name: 't', ...members }) as Tool);

  test('fileArguments never refuses, and lists each place once', () => {
    fc.assert(
      fc.property(tools, input => {
        mayRefuse(undefined, input, () => {
          const found = fileArguments(input, isText).map(argument => argument.pointer);
          expect(found).not.toContain('');
        });
      }),
      RUNS,
    );
  });

  test('declarationAt agrees with every argument listed', () => {
    fc.assert(
      fc.property(tools, input => {
        // A pattern may match none of the keys tried here.
        if (JSON.stringify(input).includes('patternProperties')) return;
        for (const { pointer, dialect } of fileArguments(input)) {
          // A segment `*` is a map key, an index, or the literal key.
          let concrete = [''];
          for (const segment of segmentsOf(pointer)) {
            const tried = segment === '*' ? ['any key', '7', '*'] : [segment];
            concrete = concrete.flatMap(above => tried.map(each => above + pointerOf([each])));
          }
          const found = concrete.map(each => declarationAt(input, each)).filter(each => each !== undefined);
          expect(found.length).toBeGreaterThan(0);
          if (concrete.length === 1) expect(found[0]?.dialect).toBe(dialect);
        }
      }),
      RUNS,
    );
  });

  test('declarationAt refuses nothing but what is no pointer', () => {
    const pointers = fc.array(word).map(segments => segments.map(segment => `/${segment}`).join(''));
    fc.assert(
      fc.property(tools, fc.oneof(pointers, fc.string()), (input, pointer) => {
        mayRefuse('argument_invalid', input, () => declarationAt(input, pointer, isText));
      }),
      RUNS,
    );
  });
});
