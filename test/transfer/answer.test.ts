import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeInText, readServiceCode } from '../../src/transfer/answer.js';
import type { EngineResponse } from '../../src/transfer/engine.js';

/** An answer that notes what was read of it, and ends when it is let go. */
function fake(chunks: AsyncIterable<Uint8Array>, headers: Record<string, string> = {}) {
  const seen = { discarded: 0 };
  const response: EngineResponse = {
    status: 400,
    header: name => headers[name],
    body: chunks,
    async discard() {
      seen.discarded += 1;
    },
  };
  return { response, seen };
}

/** No code is a secret. */
const shown = () => false;

describe('readServiceCode', () => {
  it('reads no more than its limit', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.alloc(1000, ' ');
      }
    }
    const { response, seen } = fake(endless());
    expect(await readServiceCode(response, shown)).toBeUndefined();
    expect(given).toBe(66); // 64 KiB in thousands
    expect(seen.discarded).toBe(1);
  });

  it('does not see a code behind the limit', async () => {
    async function* late() {
      yield Buffer.from(`${' '.repeat(20)}<Code>Late</Code>`);
    }
    expect(await readServiceCode(fake(late()).response, shown, { bytes: 20, milliseconds: 1_000 })).toBeUndefined();
    expect(await readServiceCode(fake(late()).response, shown, { bytes: 60, milliseconds: 1_000 })).toBe('Late');
  });

  it('waits no longer than its limit, and uses what has come by then', async () => {
    let end = (): void => {};
    const ended = new Promise<void>(resolve => {
      end = resolve;
    });
    async function* slow() {
      yield Buffer.from('<Code>SlowDown</Code>');
      await ended;
      throw new Error('connection lost');
    }
    const { response } = fake(slow());
    const discarding = { ...response, discard: async () => end() };
    expect(await readServiceCode(discarding, shown, { bytes: 100, milliseconds: 30 })).toBe('SlowDown');
  });

  it.each([
    [{ 'x-ms-error-code': 'AuthenticationFailed' }, 'AuthenticationFailed'],
    [{ 'x-amz-error-code': 'NoSuchKey' }, 'NoSuchKey'],
    [{ 'x-amzn-errortype': 'AccessDenied:http://internal.amazon.com/coral/' }, 'AccessDenied'],
    [{ 'x-ms-error-code': 'sig=secret value' }, undefined],
  ])('takes the code of %j', async (headers, code) => {
    async function* nothing() {}
    expect(await readServiceCode(fake(nothing(), headers).response, shown)).toBe(code);
  });
});

describe('codeInText', () => {
  it.each([
    ['<Error><Code>AccessDenied</Code></Error>', 'AccessDenied'],
    ['<Error>\n  <Code> SpacedOut </Code>', 'SpacedOut'],
    ['<s3:Code>Prefixed</s3:Code>', 'Prefixed'],
    ['{"error":{"code":403,"status":"PERMISSION_DENIED"}}', 'PERMISSION_DENIED'],
    ['{"error":{"code":403}}', '403'],
    ['{"error_summary":"path/conflict/","error":{".tag":"path"}}', 'path'],
    ['{"statusCode":"400","error":"InvalidJWT","message":"m"}', 'InvalidJWT'],
    ['{"error":{"message":"m"},"code":"outer"}', 'outer'],
    ['{"error_summary":"path/conflict/"}', undefined],
    ['{"error":"two words"}', undefined],
    ['[{"code":"x"}]', undefined],
    ['null', undefined],
    ['', undefined],
  ])('finds in %j: %s', (text, code) => {
    expect(codeInText(text)).toBe(code);
  });

  it('never throws, and never gives anything but a short word', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.string().map(text => `<Code>${text}</Code>`),
      fc.anything().map(value => JSON.stringify({ error: value, code: value, errors: [value] }) ?? ''),
    );
    fc.assert(
      fc.property(anything, text => {
        expect(codeInText(text) ?? 'none').toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
      }),
    );
  });
});
