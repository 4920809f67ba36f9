// Takes money with a stored card, once.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { DECISION, POLLS, TO_NULL, type Columns } from '../../platform/personal-data';
import { recoveryJob } from '../attempts/recover-attempt';
import { attemptQueue } from '../attempts/report-review';
import { chargeErrors } from './charge-response';
import { chargeList, chargeRoutes } from './charge-routes';
import { chargeJson } from './charge-schema';
import { findStuckCharges } from './charge-store';
import { chargeRecovery } from './recover-charge';

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
  jobs: [recoveryJob(chargeRecovery)],
  personalData: chargeColumns,
  actionQueue: attemptQueue({
    kind: 'charges',
    subject: 'charge',
    list: chargeList,
    findStuck: async (context) => (await findStuckCharges(context)).map(chargeJson),
  }),
};
