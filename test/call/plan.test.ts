import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveInlineLimit, planTransfers } from '../../src/call/plan.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** A file object of the extension. */
const EITHER = { inline: true, outOfBand: true, isFileObject: true } as const;

describe('plan: inline or out of band', () => {
  const rows: [
    name: string,
    sizes: number[],
    maxInlineBytes: number | undefined,
    inlineLimit: number,
    refused: boolean,
    ways: string,
    emptyData: boolean,
  ][] = [
    ['one small file', [10], 100, 100, false, 'inline', true],
    ['exactly at the server limit', [100], 100, 1000, false, 'inline', true],
    ['one over the server limit', [101], 100, 1000, false, 'out_of_band', true],
    ['exactly at the host limit', [100], 1000, 100, false, 'inline', true],
    ['one over the host limit', [101], 1000, 100, false, 'out_of_band', true],
    ['server names no limit', [100], undefined, 100, false, 'inline', true],
    ['server names no limit, over the host limit', [101], undefined, 100, false, 'out_of_band', true],
    ['the sum counts, not each file', [60, 60], 100, 1000, false, 'out_of_band out_of_band', true],
    ['the sum just fits', [60, 40], 100, 1000, false, 'inline inline', true],
    ['one large file takes the small ones with it', [5, 500], 100, 1000, false, 'out_of_band out_of_band', true],
    ['an empty file beside a large one needs no target', [0, 500], 100, 1000, false, 'empty out_of_band', true],
    ['only an empty file', [0], 100, 1000, false, 'empty', true],
    ['maxInlineBytes 0: nothing inline', [1], 0, 1000, false, 'out_of_band', false],
    ['maxInlineBytes 0: an empty file carries no data', [0], 0, 1000, false, 'empty', false],
    ['inlineLimit 0: nothing inline', [1], 1000, 0, false, 'out_of_band', false],
    ['refused inline data goes out of band', [1, 2], 1000, 1000, true, 'out_of_band out_of_band', true],
    ['refused inline data: an empty file stays where it is', [0, 2], 1000, 1000, true, 'empty out_of_band', true],
    ['no files', [], 1000, 1000, false, '', true],
  ];
  it.each(rows)('%s', (_, sizes, maxInlineBytes, inlineLimit, inlineRefused, ways, emptyData) => {
    const files = sizes.map((size, index) => ({ pointer: `/f/${index}`, size, ...EITHER }));
    const plan = planTransfers({ files, maxInlineBytes, inlineLimit, onlyWayLimit: inlineLimit, inlineRefused });
    expect(plan.ways.map(({ way }) => way).join(' ')).toBe(ways);
    expect(plan.ways.map(({ pointer }) => pointer)).toEqual(files.map(({ pointer }) => pointer));
    expect(plan.emptyData).toBe(emptyData);
    for (const { reason } of plan.ways) expect(reason).not.toBe('');
  });

  it('gives both numbers and whose limit it was', () => {
    const over = planTransfers({
      files: [{ pointer: '/a', size: 11, ...EITHER }],
      maxInlineBytes: 10,
      inlineLimit: 99,
      onlyWayLimit: 99,
      inlineRefused: false,
    });
    expect(over.ways[0]!.reason).toMatch(/11 bytes .* maxInlineBytes of 10/);
    const host = planTransfers({
      files: [{ pointer: '/a', size: 11, ...EITHER }],
      maxInlineBytes: 99,
      inlineLimit: 10,
      onlyWayLimit: 10,
      inlineRefused: false,
    });
    expect(host.ways[0]!.reason).toMatch(/11 bytes .* inlineLimit of 10/);
  });

  it('never mixes inline data with out-of-band files, never sends an inline sum over a limit', () => {
    const size = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * MIB }));
    fc.assert(
      fc.property(
        fc.array(size, { maxLength: 12 }),
        fc.option(fc.integer({ min: 0, max: 2 * MIB }), { nil: undefined }),
        fc.integer({ min: 0, max: 2 * MIB }),
        fc.boolean(),
        (sizes, maxInlineBytes, inlineLimit, inlineRefused) => {
          const files = sizes.map((bytes, index) => ({ pointer: `/${index}`, size: bytes, ...EITHER }));
          const { ways } = planTransfers({
            files,
            maxInlineBytes,
            inlineLimit,
            onlyWayLimit: inlineLimit,
            inlineRefused,
          });
          const inline = ways.flatMap(({ way }, index) => (way === 'inline' ? [sizes[index]!] : []));
          expect(inline.length > 0 && ways.some(({ way }) => way === 'out_of_band')).toBe(false);
          const total = inline.reduce((sum, bytes) => sum + bytes, 0);
          expect(total).toBeLessThanOrEqual(Math.min(maxInlineBytes ?? Number.POSITIVE_INFINITY, inlineLimit));
          ways.forEach(({ way }, index) => {
            expect(way === 'empty').toBe(sizes[index] === 0);
          });
        },
      ),
    );
  });
});

describe('plan: the default inline limit', () => {
  it.each([
    ['server names a limit', undefined, 5 * MIB, false, MIB],
    ['server names 0', undefined, 0, false, MIB],
    ['server names none', undefined, undefined, false, 64 * KIB],
    ['the host raised it', 64 * MIB, undefined, false, 64 * MIB],
    ['the host raised it over stdio', 64 * MIB, undefined, true, 7 * MIB],
    ['the host set 0', 0, 5 * MIB, false, 0],
  ])('%s', (_, host, server, stdio, limit) => {
    expect(effectiveInlineLimit(host, server, stdio)).toBe(limit);
  });
});
