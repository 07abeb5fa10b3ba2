import { describe, expect, test } from 'vitest';
import { FILE, only, URI, withArgument } from './schemas.js';

describe('dialect', () => {
  const BOTH = { transferModes: ['inline', 'upload'] };
  test.each<[string, unknown, string]>([
    ['an object', FILE, 'extension'],
    ['nothing stated', { 'x-mcp-file': {} }, 'extension'],
    ['an object by its members', { properties: { size: {} }, 'x-mcp-file': {} }, 'extension'],
    ['an object with transferModes', { type: 'object', 'x-mcp-file': BOTH }, 'extension'],
    ['an object or a text', { type: ['string', 'object'], 'x-mcp-file': {} }, 'extension'],
    ['an object, or a text that has the keyword too', { anyOf: [{ ...URI, 'x-mcp-file': {} }, FILE] }, 'extension'],
    ['a type not known', { type: 'file', 'x-mcp-file': {} }, 'extension'],
    ['an object behind $ref', { $ref: '#/$defs/O', 'x-mcp-file': {} }, 'extension'],
    ['a URI', { ...URI, 'x-mcp-file': {} }, 'data-uri'],
    ['a text', { type: 'string', 'x-mcp-file': true }, 'data-uri'],
    ['a text by its format', { format: 'uri', 'x-mcp-file': {} }, 'data-uri'],
    ['a text that may be null', { type: ['string', 'null'], 'x-mcp-file': {} }, 'data-uri'],
    ['a text behind $ref', { $ref: '#/$defs/S', 'x-mcp-file': {} }, 'data-uri'],
    ['a text in anyOf', { 'x-mcp-file': {}, anyOf: [{ type: 'string' }, { type: 'null' }] }, 'data-uri'],
    ['a text, null as a constant', { 'x-mcp-file': {}, anyOf: [{ type: 'string' }, { const: null }] }, 'data-uri'],
    ['a text, null as an enum', { 'x-mcp-file': {}, oneOf: [{ type: 'string' }, { enum: [null] }] }, 'data-uri'],
    ['a text around the keyword', { type: 'string', allOf: [{ 'x-mcp-file': {} }] }, 'data-uri'],
    ['a text beside the keyword', { allOf: [{ 'x-mcp-file': {} }, { type: 'string' }] }, 'data-uri'],
    ['a text in allOf in a branch', { anyOf: [{ 'x-mcp-file': {}, allOf: [URI] }, { type: 'null' }] }, 'data-uri'],
    ['a text, or what nothing is', { 'x-mcp-file': {}, anyOf: [{ type: 'string' }, false] }, 'data-uri'],
    ['a text around a branch with the keyword', { type: 'string', anyOf: [{ 'x-mcp-file': {} }] }, 'data-uri'],
    ['the branch that has it', { anyOf: [{ type: 'object' }, { type: 'string', 'x-mcp-file': {} }] }, 'data-uri'],
    ['transferModes with upload', { ...URI, 'x-mcp-file': { transferModes: ['upload'] } }, 'file-object'],
    ['transferModes with both', { ...URI, 'x-mcp-file': BOTH }, 'file-object'],
    ['transferModes without upload', { ...URI, 'x-mcp-file': { transferModes: ['inline'] } }, 'data-uri'],
    ['transferModes that are none', { ...URI, 'x-mcp-file': { transferModes: 'upload' } }, 'data-uri'],
    ['a list of URIs', { type: 'array', items: { ...URI, 'x-mcp-file': {} } }, 'data-uri'],
    ['a list of URIs, the keyword on the list', { type: 'array', items: URI, 'x-mcp-file': BOTH }, 'file-object'],
    [
      'a list of objects, the keyword on the list',
      { type: 'array', items: { type: 'object' }, 'x-mcp-file': {} },
      'extension',
    ],
  ])('%s', (_, schema, dialect) => {
    const defs = { $defs: { O: { type: 'object' }, S: { allOf: [URI] } } };
    expect(only(withArgument(schema, defs)).dialect).toBe(dialect);
  });

  test('the type may be stated by another schema of the same argument', () => {
    const stated = { allOf: [{ properties: { f: URI } }] };
    expect(only(withArgument({ 'x-mcp-file': {} }, stated)).dialect).toBe('data-uri');
  });
});
