// Found here: a server's `C:\Windows\x.dll` stayed absolute on Windows, and devices and hidden streams went through.
import { win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesOf } from '../../src/model/returned-names.js';
import { isFileName } from '../../src/transfer/destination.js';

const nameOf = async (name: string): Promise<string> => {
  const source = { kind: 'inline' as const, content: { text: '' } };
  return (await namesOf([{ name, source, places: [] }]))[0]!;
};

test.each([
  ['C:\\Windows\\x.dll', 'Windows/x.dll'],
  ['c:/Windows/x.dll', 'Windows/x.dll'],
  ['C:x.dll', 'x.dll'],
  ['C:', 'file'],
  ['\\\\?\\C:\\x', '_/C_/x'],
  ['\\\\server\\share\\x', 'server/share/x'],
  ['out/C:/x', 'out/C_/x'],
  ['a.txt:stream', 'a.txt_stream'],
  ['C\u0000:\\x', 'C_/x'],
  ['a<b>c"d|e?f*g.txt', 'a_b_c_d_e_f_g.txt'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['nul .txt', '_nul .txt'],
  ['com1/LPT².log', '_com1/_LPT².log'],
  ['CONIN$', '_CONIN$'],
  ['console.log', 'console.log'],
  ['report.pdf. .', 'report.pdf'],
  ['folder. /x', 'folder/x'],
  ['.profile', '.profile'],
  ['out/../../x', 'out/x'],
  ['out/report.pdf', 'out/report.pdf'],
])('%j becomes %j', async (given, expected) => {
  expect(await nameOf(given)).toBe(expected);
});

test('every name can be joined to a folder on every platform', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      'CON',
      'nul',
      'com1',
      'lpt³',
      'C:',
      ':',
      '.',
      '..',
      ' ',
      '/',
      '\\',
      '.txt',
      '\0',
      '?',
      'x'.repeat(253),
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), async parts => {
      const name = await nameOf(parts.join(''));
      for (const segment of name.split('/')) {
        expect(isFileName(segment, 'win32')).toBe(true);
        expect(isFileName(segment, 'linux')).toBe(true);
        expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255);
      }
      expect(win32.resolve('D:\\folder', name).startsWith('D:\\folder\\')).toBe(true);
      expect(await nameOf(name)).toBe(name);
    }),
  );
});
