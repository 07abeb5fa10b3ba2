import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataUri } from '../../src/protocol/data-uri.js';
import {
  DIALECTS,
  type DialectFacts,
  declarationsAt,
  type FileOption,
  type JsonObject,
  optionsOf,
} from '../../src/protocol/index.js';
import { FILE, URI, withArgument } from './schemas.js';

const NOTHING: DialectFacts = {
  server: { advertised: false, olderDraft: false },
  publishes: false,
  unknownToServer: new Set(),
};
const ADVERTISED: DialectFacts = { ...NOTHING, server: { advertised: true, olderDraft: false } };
const PUBLISHES: DialectFacts = { ...NOTHING, publishes: true };
const UNKNOWN: DialectFacts = { ...NOTHING, unknownToServer: new Set(['file-object']) };

const marked = (keyword: JsonObject = {}): JsonObject => ({ ...URI, 'x-mcp-file': keyword });
const EITHER = { anyOf: [marked(), FILE] };
const OPENAI = { 'openai/fileParams': ['f'] };

const told = (option: FileOption | undefined): string =>
  option ? `${option.dialect.name}/${option.route}${option.declared ? '' : '?'}` : '-';

describe('the table of precedence', () => {
  test.each<[string, unknown, JsonObject, DialectFacts, inline: string, outOfBand: string, lookedFor: string[]]>([
    ['an object, advertised', FILE, {}, ADVERTISED, 'extension/inline', 'extension/round', []],
    ['an object, not advertised', FILE, {}, NOTHING, '-', '-', ['extension']],
    [
      'an object, an older draft under the id',
      FILE,
      {},
      { ...NOTHING, server: { advertised: false, olderDraft: true } },
      '-',
      '-',
      ['extension'],
    ],
    ['a string', marked(), {}, NOTHING, 'data-uri/inline', 'file-object/authorize?', []],
    ['a string, advertised', marked(), {}, ADVERTISED, 'data-uri/inline', 'file-object/authorize?', []],
    ['a string, the requests unknown', marked(), {}, UNKNOWN, 'data-uri/inline', '-', ['files/authorizeUpload']],
    [
      'both modes',
      marked({ transferModes: ['inline', 'upload'] }),
      {},
      NOTHING,
      'data-uri/inline',
      'file-object/authorize',
      [],
    ],
    [
      'both modes, the requests unknown',
      marked({ transferModes: ['inline', 'upload'] }),
      {},
      UNKNOWN,
      'data-uri/inline',
      '-',
      ['files/authorizeUpload'],
    ],
    ['upload only', marked({ transferModes: ['upload'] }), {}, NOTHING, '-', 'file-object/authorize', []],
    [
      'upload only, the requests unknown',
      marked({ transferModes: ['upload'] }),
      {},
      UNKNOWN,
      '-',
      '-',
      ['files/authorizeUpload'],
    ],
    ['inline only', marked({ transferModes: ['inline'] }), {}, NOTHING, 'data-uri/inline', '-', []],
    ['either, advertised', EITHER, {}, ADVERTISED, 'extension/inline', 'extension/round', []],
    ['either, not advertised', EITHER, {}, NOTHING, 'data-uri/inline', 'file-object/authorize?', ['extension']],
    ['a link, a publisher', { type: 'object' }, OPENAI, PUBLISHES, '-', 'openai-file-params/publish', []],
    ['a link, none', { type: 'object' }, OPENAI, ADVERTISED, '-', '-', ['publish']],
    [
      'a link where x-mcp-file stands',
      FILE,
      OPENAI,
      { ...ADVERTISED, publishes: true },
      'extension/inline',
      'extension/round',
      [],
    ],
    ['a link where x-mcp-file stands, not advertised', FILE, OPENAI, PUBLISHES, '-', '-', ['extension']],
    ['no file', { type: 'string' }, {}, ADVERTISED, '-', '-', []],
  ])('%s', (_, schema, meta, facts, inline, outOfBand, lookedFor) => {
    const options = optionsOf(declarationsAt(withArgument(schema, {}, meta), '/f'), facts);
    expect([told(options.inline), told(options.outOfBand)]).toEqual([inline, outOfBand]);
    expect(options.lookedFor).toEqual(lookedFor);
  });

  test('each dialect says why it is used', () => {
    for (const { name, reason } of DIALECTS) {
      expect(name).not.toBe('');
      expect(reason).not.toBe('');
    }
    expect(new Set(DIALECTS.map(({ name }) => name)).size).toBe(DIALECTS.length);
  });

  test('openai/fileParams names arguments at the top only', () => {
    const schema = { type: 'object', properties: { a: { type: 'object' } } };
    const tool = withArgument(schema, {}, { 'openai/fileParams': ['/f/a', 'f'] });
    expect(declarationsAt(tool, '/f/a')).toEqual([]);
    expect(declarationsAt(tool, '/f')).toHaveLength(1);
  });
});

describe('a data URI', () => {
  test.each([
    ['text/plain', 'data:text/plain;base64,eA=='],
    ['text/plain; charset=utf-8', 'data:text/plain;charset=utf-8;base64,eA=='],
    ['application/vnd.api+json', 'data:application/vnd.api+json;base64,eA=='],
    ['text/x;a="b,c"', 'data:text/x;a=%22b%2Cc%22;base64,eA=='],
  ])('of %s', (type, uri) => {
    expect(dataUri(type, 'eA==')).toBe(uri);
  });

  test('is read back by fetch as the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async bytes => {
        const response = await fetch(dataUri('application/octet-stream', Buffer.from(bytes).toString('base64')));
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });
});
