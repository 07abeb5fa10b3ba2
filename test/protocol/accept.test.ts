import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAccepted } from '../../src/protocol/index.js';

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gz: 'application/gzip',
};
const typeOf = (extension: string) => TYPES[extension];
const file = (name: string, type: string, typeIsFallback = false) => ({ name, type, typeIsFallback });

describe('accept', () => {
  test.each<[string, readonly string[] | undefined, ReturnType<typeof file>, boolean]>([
    ['no list', undefined, file('a.bin', 'image/png'), true],
    ['an empty list', [], file('a.bin', 'image/png'), true],
    ['the exact type', ['application/pdf'], file('a', 'application/pdf'), true],
    ['another type', ['application/pdf'], file('a', 'application/pdfx'), false],
    ['a type in other case', ['Application/PDF'], file('a', 'application/pdf'), true],
    ['parameters of the file', ['text/plain'], file('a', 'text/plain; charset=utf-8'), true],
    ['parameters of the pattern', ['text/plain;charset=us-ascii'], file('a', 'text/plain'), true],
    ['a wildcard', ['image/*'], file('a', 'image/png'), true],
    ['a wildcard for another type', ['image/*'], file('a', 'imagery/png'), false],
    ['any type', ['*/*'], file('a', 'x/y'), true],
    ['spaces around a pattern', [' image/png '], file('a', 'image/png'), true],
    ['the second of two patterns', ['image/*', 'text/csv'], file('a', 'text/csv'), true],
    ['an extension of the name', ['.pdf'], file('A.PDF', 'application/x-own'), true],
    ['an extension in other case', ['.PDF'], file('a.pdf', 'application/x-own'), true],
    ['an extension by its type', ['.jpg'], file('photo.jpeg', 'image/jpeg'), true],
    ['a compound extension', ['.tar.gz'], file('a.tar.gz', 'application/gzip'), true],
    ['the end of a compound extension alone', ['.tar.gz'], file('a.gz', 'application/gzip'), false],
    ['an extension that the name only contains', ['.pdf'], file('a.pdf.exe', 'application/x-own'), false],
    ['an unknown extension and another type', ['.zzz'], file('a.txt', 'text/plain'), false],
    ['a fallback type, for a type', ['image/*'], file('a', 'application/octet-stream', true), true],
    ['a fallback type, for an extension', ['.pdf'], file('a.bin', 'application/octet-stream', true), true],
    ['octet-stream that the host named', ['image/*'], file('a', 'application/octet-stream'), false],
    ['only patterns of another form', ['pdf', '', '.'], file('a', 'image/png'), true],
    ['one pattern of another form', ['pdf', 'text/*'], file('a', 'image/png'), false],
  ])('%s', (_, accept, candidate, expected) => {
    expect(isAccepted(accept, candidate, typeOf)).toBe(expected);
  });

  test('asks for extensions in lower case without the dot', () => {
    const asked: string[] = [];
    isAccepted(['.Foo'], file('a.bar', 'x/y'), extension => void asked.push(extension));
    expect(asked).toEqual(['foo']);
  });

  test('answers for any list', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), fc.string(), (accept, name, type) => {
        expect(typeof isAccepted(accept, file(name, type), typeOf)).toBe('boolean');
      }),
    );
  });

  test('takes every file that its own type is listed for', () => {
    const word = fc.stringMatching(/^[a-z0-9][a-z0-9.+-]{0,20}$/);
    fc.assert(
      fc.property(word, word, (type, subtype) => {
        const own = file('a', `${type}/${subtype}`);
        expect(isAccepted([`${type}/${subtype}`.toUpperCase()], own, typeOf)).toBe(true);
        expect(isAccepted([`${type}/*`], own, typeOf)).toBe(true);
        expect(isAccepted([`${type}x/${subtype}`], own, typeOf)).toBe(false);
      }),
    );
  });
});
