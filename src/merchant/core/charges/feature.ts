// Takes money with a stored card, once.

import type { Feature } from '../../platform/http/feature-type';
import { attemptQueue } from '../attempts/attempt-queue';
import { recoveryJob } from '../attempts/recover-attempt';
import { chargeJson, chargeList, chargeListRoutes } from './charge-list';
import { chargeRoutes } from './charge-routes';
import { findStuckCharges } from './charge-store';
import { chargeErrors } from './errors';
import { chargeColumns } from './personal-data';
import { chargeRecovery } from './recover-charge';

export const charges: Feature = {
  name: 'charges',
  errors: chargeErrors,
  api: {
    charges: {
      description: 'Attempts to take the money for an order.',
      routes: [...chargeRoutes, ...chargeListRoutes],
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
