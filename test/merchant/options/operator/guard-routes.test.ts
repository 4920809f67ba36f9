// What an operator has to do before anything else, and which pages are open until it is done.

import { missingFirst } from '../../../../src/merchant/options/operator/accounts/guard-routes';

const ACCOUNT = { accountId: 1n, hasSecondFactor: true, mustChangePassword: false, session: 'hash' };
const NEW = { ...ACCOUNT, hasSecondFactor: false, mustChangePassword: true };
const WITHOUT_CODE = { ...ACCOUNT, hasSecondFactor: false };
const BY_PROXY = { ...WITHOUT_CODE, session: null };
const BY_PASSWORD = { ...WITHOUT_CODE, accountId: null };

const OWN = ['/operator/me', '/operator/me/password', '/operator/sign-out'];
const FIRST = ['/operator/sign-out', '/operator/accounts'];
const ALL = [
  ...new Set([...OWN, ...FIRST, '/operator', '/operator/members/kim', '/operator/accounts/1/role']),
];

test.each([
  ['an account with everything', ACCOUNT, null, null, ALL],
  ['a generated password', NEW, 'password_temporary', 'password_temporary', OWN],
  ['no second factor', WITHOUT_CODE, null, 'second_factor_missing', OWN],
  ['an account that a proxy has named', BY_PROXY, null, null, ALL],
  ['OPERATOR_PASSWORD', BY_PASSWORD, null, 'account_missing', FIRST],
] as const)('%s: what is missing, in development and in production, and what is open', (...row) => {
  const [, operator, inDevelopment, inProduction, open] = row;
  const missing = (production: boolean, path = '/operator') => missingFirst({ production }, operator, path);
  expect([missing(false), missing(true)]).toEqual([inDevelopment, inProduction]);
  expect(ALL.filter((path) => missing(true, path) === null)).toEqual([...open]);
});
