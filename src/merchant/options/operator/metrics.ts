// What the operator pages count.

import type { CounterRows } from '../../platform/metrics';

export const operatorCounters = {
  signIns: {
    name: 'merchant_operator_sign_ins_total',
    help: 'Attempts to sign in to the operator pages: signed_in, wrong_password, too_many.',
    labels: ['outcome'],
    fromZero: [{ outcome: 'signed_in' }, { outcome: 'wrong_password' }, { outcome: 'too_many' }],
  },
} as const satisfies CounterRows;
