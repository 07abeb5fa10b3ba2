import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMediaType, typeOfName } from '../../src/source/media-type.js';

describe('isMediaType', () => {
  it.each([
    'text/plain',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'image/svg+xml',
    'text/plain;charset=utf-8',
    'text/plain ; charset="utf-8"; format=flowed',
    'text/plain;;',
    'x/y; a="quoted \\" and ;"',
  ])('accepts %j', type => {
    expect(isMediaType(type)).toBe(true);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain/x',
    'text /plain',
    'text/pl ain',
    'text/plain; charset',
    'text/plain; charset=',
    'text/plain; charset = utf-8',
    'text/plain; a="open',
    'text/plain\r\nX-Injected: 1',
    'text/plain\n',
    'text/plain; a="\r\n"',
    'text/plain; a="\0"',
    'tëxt/plain',
    '*/*, text/plain',
  ])('refuses %j', type => {
    expect(isMediaType(type)).toBe(false);
  });

  it('is decided in no time on hostile input', () => {
    const hostile = [`a/b${' ;'.repeat(50_000)}!`, `a/b${'\t;  '.repeat(20_000)}"`, `a/b;c="${'\\"'.repeat(50_000)}`];
    const start = process.cpuUsage();
    for (const type of hostile) expect(isMediaType(type)).toBe(false);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(2_000);
  });

  it('never lets a control through', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('\r', '\n', '\0', '\x7f', '\x1b'),
        fc.string(),
        (before, control, after) => {
          expect(isMediaType(`text/plain;a="${before}${control}${after}"`)).toBe(false);
        },
      ),
    );
  });
});

describe('typeOfName', () => {
  it.each([
    ['a.pdf', 'application/pdf'],
    ['A.JPG', 'image/jpeg'],
    ['archive.tar.gz', 'application/gzip'],
    ['pdf', undefined],
    ['.pdf', undefined],
    ['a.', undefined],
    ['a.unheard-of', undefined],
    ['', undefined],
  ])('of %j is %s', async (name, type) => {
    expect(await typeOfName(name)).toBe(type);
  });
});
