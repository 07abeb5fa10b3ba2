// Found in review: notes named the place of a malformed file by the server's own keys, as long and as secret as they came.
import { expect, test } from 'vitest';
import { findReturnedFiles } from '../../src/protocol/index.js';

function notesOf(structuredContent: object): string[] {
  const notes: string[] = [];
  findReturnedFiles({ content: [], structuredContent }, message => notes.push(message));
  return notes;
}

const broken = { type: 'image', mimeType: 'image/png', data: '!!!' };

test.each(['https://h.example/dl?sig=0123456789', 'TOKENabcdef1234567890ABCDEF', `a${'\n'}b`, 'x'.repeat(10_000)])(
  '%s',
  key => {
    const [note] = notesOf({ report: { [key]: broken } });
    expect(note).toMatch(/^the file at \/structuredContent\/report\/[^\n]*…: its data cannot be decoded$/);
    expect(note).not.toContain(key);
    expect(note!.length).toBeLessThan(300);
  },
);

test('a place of plain names is told whole, a deep one shortened', () => {
  expect(notesOf({ report: { pages: [broken] } })).toEqual([
    'the file at /structuredContent/report/pages/0: its data cannot be decoded',
  ]);
  let deep: object = broken;
  for (let level = 0; level < 1000; level++) deep = { level: deep };
  expect(notesOf(deep)[0]!.length).toBeLessThan(300);
});
