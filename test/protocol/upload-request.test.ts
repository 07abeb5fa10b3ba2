import { describe, expect, test } from 'vitest';
import { type JsonObject, splitInputRequests } from '../../src/protocol/index.js';

const TARGETS = { '/deck': { url: 'https://bucket.example.net/k?X-Sig=secret' } };
const ELICITATION = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };

function split(inputRequests: unknown, uploadPossible = true) {
  const notes: string[] = [];
  return { ...splitInputRequests(inputRequests as JsonObject, uploadPossible, note => notes.push(note)), notes };
}

describe('splitInputRequests', () => {
  test.each<[string, JsonObject, number]>([
    ['the method of the draft', { method: 'io.modelcontextprotocol/files/upload', params: { targets: TARGETS } }, 0],
    ['a proposed method', { method: 'files/upload', params: { targets: TARGETS } }, 0],
    ['another proposed method', { method: 'x-mcp-file/upload', params: { uploads: TARGETS } }, 0],
    ['a known method with nothing in it', { method: 'files/upload' }, 0],
    ['a known method with a lone target as params', { method: 'files/upload', params: { path: 'uploads/1' } }, 0],
    ['an unknown method with targets', { method: 'files/requestUpload', params: { targets: TARGETS } }, 1],
    ['an unknown method with uploads', { method: 'a/b', params: { uploads: TARGETS } }, 1],
    ['an unknown method with files', { method: 'a/b', params: { files: TARGETS } }, 1],
    ['an unknown method with a list', { method: 'a/b', params: { targets: [{ pointer: '/deck', path: 'u' }] } }, 1],
    ['no method, targets in params', { params: { targets: TARGETS } }, 1],
    ['no method, targets in the entry', { targets: TARGETS }, 1],
    ['no method, files in the entry', { files: [{ argument: 'deck', path: 'u' }] }, 1],
    ['no method, a lone target', { params: { url: 'https://x.example/' } }, 1],
    ['no method, targets that are broken', { targets: { '/deck': 5 } }, 1],
  ])('takes for an upload: %s', (_, entry, notes) => {
    const answer = split({ elicit: ELICITATION, anything: entry });
    expect(answer.upload).toEqual({ key: 'anything', entry });
    expect(answer.others).toEqual([{ key: 'elicit', method: 'elicitation/create', params: ELICITATION.params }]);
    expect(answer.notes).toHaveLength(notes);
  });

  test.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])('%s is never an upload', method => {
    const answer = split({ upload: { method, params: { targets: TARGETS, url: 'https://x.example/' } } });
    expect(answer.upload).toBeUndefined();
    expect(answer.others).toHaveLength(1);
  });

  test.each<[string, JsonObject]>([
    ['a url of its own', { method: 'com.example/open', params: { url: 'https://x.example/' } }],
    [
      'files that name nothing',
      { method: 'com.example/show', params: { files: [{ url: 'https://x.example/', name: 'a' }] } },
    ],
    ['a lone target', { method: 'com.example/show', params: { files: { url: 'https://x.example/' } } }],
    [
      'a lone target with a member like a target',
      { method: 'com.example/show', params: { files: { url: 'https://x.example/', next: { path: 'x' } } } },
    ],
    ['files of another shape', { method: 'com.example/pick', params: { files: { a: { label: 'A' } } } }],
    ['no params', { method: 'com.example/pick' }],
  ])("another extension's request is handed on: %s", (_, entry) => {
    const answer = split({ x: entry });
    expect(answer.upload).toBeUndefined();
    expect(answer.others).toEqual([{ key: 'x', method: entry.method, params: entry.params }]);
  });

  test('the key says nothing', () => {
    expect(split({ upload: ELICITATION, elicitation: { method: 'files/upload', params: {} } }).upload?.key).toBe(
      'elicitation',
    );
  });

  test('keeps the order of the others', () => {
    const { others } = split({ b: ELICITATION, a: { method: 'roots/list' }, c: ELICITATION });
    expect(others.map(other => other.key)).toEqual(['b', 'a', 'c']);
  });

  test('without a file to send an upload request is handed on, and noted', () => {
    const answer = split({ u1: { method: 'files/upload', params: { targets: TARGETS } } }, false);
    expect(answer.upload).toBeUndefined();
    expect(answer.others).toEqual([{ key: 'u1', method: 'files/upload', params: { targets: TARGETS } }]);
    expect(answer.notes).toHaveLength(1);
  });

  test('params that are no object are left out, and noted', () => {
    const answer = split({ e: { method: 'elicitation/create', params: ['x'] } });
    expect(answer.others).toEqual([{ key: 'e', method: 'elicitation/create', params: undefined }]);
    expect(answer.notes).toHaveLength(1);
  });

  test.each<[string, unknown, boolean]>([
    ['two uploads', { a: { method: 'files/upload' }, b: { targets: TARGETS } }, true],
    ['an entry that is neither', { a: { message: 'hi' } }, true],
    ['an upload without a method where none is possible', { a: { targets: TARGETS } }, false],
    ['a method that is no text', { a: { method: 5 } }, true],
    ['an entry that is no object', { a: 'files/upload' }, true],
    ['a list', [ELICITATION], true],
    ['nothing', null, true],
  ])('refuses %s', (_, inputRequests, uploadPossible) => {
    expect(() => split(inputRequests, uploadPossible)).toThrow(
      expect.objectContaining({ code: 'server_violation', outcome: 'not_run' }),
    );
  });

  test('shows no secret of a key', () => {
    const entry = { message: 'hi' };
    expect(() => split({ 'https://u:pw@x.example/k?sig=secret': entry })).toThrow(/^(?!.*(secret|pw)).*"https…"/);
  });

  test('an own key called __proto__ is a key like any other', () => {
    const inputRequests = JSON.parse('{"__proto__":{"method":"files/upload","params":{"targets":{}}}}');
    expect(split(inputRequests).upload?.key).toBe('__proto__');
  });
});
