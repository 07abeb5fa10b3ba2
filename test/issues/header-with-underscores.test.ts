// benoitc/gunicorn#2799, traefik/traefik#12961: gateways of the CGI kind read `X_Forwarded_For` as `X-Forwarded-For`, so a
// filter that knows one spelling is passed by the other.
import { expect, test } from 'vitest';
import { verdict } from '../transfer/target-policy-support.js';

test.each([
  'X_Forwarded_For',
  'x-forwarded_host',
  'X_HTTP_Method_Override',
  'Transfer_Encoding',
  'mcp_session_id',
  'X_Real_IP',
])('%s is forbidden in either spelling', name => {
  expect(verdict({ headers: [[name, 'x']] })).toBe('header_forbidden');
  expect(verdict({ headers: [[name.replaceAll('_', '-'), 'x']] })).toBe('header_forbidden');
});
