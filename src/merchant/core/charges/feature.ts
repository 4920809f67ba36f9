// Takes money with a stored card, once.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { DECISION, POLLS, TO_NULL, type Columns } from '../../platform/personal-data';
import { attemptParts } from '../attempts/attempt-parts';
import { chargeAttempt } from './attempt';
import { chargeErrors } from './charge-response';
import { chargeRoutes } from './charge-routes';

/** Personal data in the tables of this feature. */
const chargeColumns = {
  charges: {
    id: 'stays',
    merchantUid: 'stays',
    kind: 'stays',
    customerUid: 'stays',
    scheduleAt: 'stays',
    status: 'stays',
    svcUid: 'stays',
    reason: TO_NULL,
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.Charge>,
};

export const charges: Feature = {
  name: 'charges',
  errors: chargeErrors,
  api: {
    charges: {
      description: 'Attempts to take the money for an order.',
      routes: chargeRoutes,
    },
  },
  ...attemptParts(chargeAttempt),
  personalData: chargeColumns,
};
