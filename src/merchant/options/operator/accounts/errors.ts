// Why a person is not, or not yet, allowed to see or do something.

import { defineErrors } from '../../../platform/errors';

export const accountErrors = defineErrors({
  role_missing: {
    status: 403,
    message: 'The role of this operator does not allow it.',
    remedy: 'Ask an operator with the role admin.',
  },
  account_missing: {
    status: 403,
    message: 'In production OPERATOR_PASSWORD only makes the first account.',
    remedy: 'Make it at /operator/accounts, and sign in with it.',
  },
  second_factor_missing: {
    status: 403,
    message: 'This account needs a second factor first.',
    remedy: 'Set it up at /operator/me.',
  },
  password_temporary: {
    status: 403,
    message: 'The password of this account was generated, and has to be changed first.',
    remedy: 'Change it at /operator/me.',
  },
  passwords_busy: {
    status: 429,
    message: 'Too many passwords are being checked at this moment.',
    remedy: 'Try again after Retry-After seconds. Nothing was changed.',
    retryAfterSeconds: 5,
  },
  operator_unknown: {
    status: 403,
    message: 'The proxy named no enabled account of an operator.',
    remedy: 'Come through the proxy; an administrator adds the account with npm run tool -- operators.',
  },
});
