// moonbitlang/async#494: header values were written as they came; one with a line break makes another header, or request.
import { expect, test } from 'vitest';
import { mergeCredentialHeaders } from '../../src/transfer/target-policy.js';
import { checked, verdict } from '../transfer/target-policy-support.js';

const bad = ['a\r\nX-Injected: yes', 'a\nb', 'a\rb', 'a\0b', '\r\n\r\nGET / HTTP/1.1'];

test.each(bad)('%j is refused in a header of a target and in a credential', value => {
  expect(verdict({ headers: [['x-a', value]] })).toBe('header_forbidden');
  expect(verdict({ headers: [[value, 'a']] })).toBe('header_forbidden');
  const target = checked({ url: 'https://mcp.example.com/mcp/up', credentials: 'include' });
  expect(() => mergeCredentialHeaders(target, { 'x-a': value })).toThrow(
    expect.objectContaining({ code: 'target_refused' }),
  );
});
