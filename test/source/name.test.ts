import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName } from '../../src/source/name.js';

const bytes = (text: string): number => Buffer.byteLength(text);

describe('cleanName', () => {
  it.each([
    ['deck.pdf', 'deck.pdf'],
    ['naïve "q".bin', 'naïve "q".bin'],
    ['/etc/passwd', 'passwd'],
    ['C:\\dir\\x', 'x'],
    ['a/b\\c.txt', 'c.txt'],
    ['folder/', 'folder'],
    ['a\r\nb.txt', 'ab.txt'],
    ['a\0b\x7f\x85.txt', 'ab.txt'],
    ['line\u2028two', 'linetwo'],
    ['exe\u202efdp.exe', 'exefdp.exe'],
    ['👩‍👩‍👧.png', '👩‍👩‍👧.png'],
    ['.profile', '.profile'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['../..', 'file'],
    ['...', 'file'],
    ['///', 'file'],
    ['   ', 'file'],
    ['\n', 'file'],
  ])('makes %j into %j', (given, cleaned) => {
    expect(cleanName(given)).toBe(cleaned);
  });

  it('shortens to 255 bytes and keeps the extension', () => {
    expect(cleanName(`${'a'.repeat(300)}.tar.gz`)).toBe(`${'a'.repeat(252)}.gz`);
    const wide = cleanName(`${'ü'.repeat(300)}.pdf`);
    expect(wide).toBe(`${'ü'.repeat(125)}.pdf`);
    expect(bytes(wide)).toBe(254);
  });

  it('does not take half a sentence for an extension', () => {
    expect(cleanName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`);
  });

  it('gives every string a usable name, and a clean name back as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), text => {
        const name = cleanName(text);
        expect(name).not.toBe('');
        expect(name).not.toMatch(/[/\\\p{Cc}]/u);
        expect(['.', '..']).not.toContain(name);
        expect(bytes(name)).toBeLessThanOrEqual(255);
        expect(Buffer.from(name).toString()).toBe(name); // no lone surrogate
        expect(cleanName(name)).toBe(name);
      }),
    );
  });
});
