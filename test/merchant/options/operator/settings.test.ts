// The settings of the operator pages: which header a proxy may name the operator in, and that its password is a secret of ours.

import { ConfigError } from '../../../../src/merchant/platform/config';
import { loadConfig } from '../../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT, strongSecret } from '../../../support/config';

function problems(settings: Record<string, string>): readonly string[] {
  try {
    loadConfig({ ...PRODUCTION_ENVIRONMENT, ...settings });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const PROXIED = { TRUSTED_PROXIES: '10.0.0.7' };

test.each(['X-Forwarded-User', 'Remote-User', 'X-Auth-Request-Email', 'Cf-Access-Authenticated-User-Email'])(
  'the operator may be named by the header %s, which only a proxy with a sign-in sends',
  (name) => expect(problems({ ...PROXIED, OPERATOR_IDENTITY_HEADER: name })).toEqual([]),
);

test.each([
  ['User-Agent', 'X-Real-IP', 'CF-Connecting-IP', 'Cookie', 'host', 'X-Forwarded-For'],
  ['Forwarded', 'True-Client-IP', 'Accept-Language', 'Referer', 'Sec-Fetch-Site', 'Via'],
  ['X-Request-Id', 'traceparent', 'If-None-Match', 'Content-Type', 'Authorization', 'DNT'],
])('the operator is not named by a header that others send: %s, %s, %s, %s, %s, %s', (...names) => {
  for (const name of names)
    expect(problems({ ...PROXIED, OPERATOR_IDENTITY_HEADER: name })).toEqual([
      expect.stringMatching(/^OPERATOR_IDENTITY_HEADER: .*send with another meaning/),
    ]);
});

test('the header needs a trusted proxy', () => {
  expect(problems({ OPERATOR_IDENTITY_HEADER: 'X-Forwarded-User' })).toEqual([
    expect.stringMatching(/^OPERATOR_IDENTITY_HEADER: needs TRUSTED_PROXIES/),
  ]);
});

test.each(['0.5', '-1', 'none', '100,000'])('REFUND_LIMIT=%s is refused', (limit) => {
  expect(problems({ REFUND_LIMIT: limit })).toEqual([expect.stringMatching(/^REFUND_LIMIT: must be/)]);
});

test('in production the password must differ from every value of another secret', () => {
  const shared = strongSecret('shared');
  const found = problems({ API_KEY: `${strongSecret('a')},${shared}`, OPERATOR_PASSWORD: shared });
  expect(found).toEqual([expect.stringMatching(/^OPERATOR_PASSWORD: has the same value as API_KEY/)]);
  expect(found.join()).not.toContain(shared);
});
