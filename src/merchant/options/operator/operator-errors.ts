// Why the operator pages refuse a person who is not, or not yet, allowed to see or do something.

import { defineErrors } from '../../platform/errors';

export const operatorErrors = defineErrors({
  role_missing: {
    status: 403,
    message: 'The role of this operator does not allow it.',
    remedy: 'Ask an operator with the role admin.',
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
  operator_unknown: {
    status: 403,
    message: 'The proxy named no enabled account of an operator.',
    remedy: 'Come through the proxy; an administrator adds the account with npm run tool -- operators.',
  },
});
