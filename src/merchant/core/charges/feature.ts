// Takes money with a stored card, once.

import type { Feature } from '../../platform/http/feature-type';
import { recoveryJob } from '../attempts/recover-attempt';
import { attemptQueue } from '../attempts/report-review';
import { chargeErrors } from './charge-response';
import { chargeList, chargeRoutes } from './charge-routes';
import { chargeJson } from './charge-schema';
import { findStuckCharges } from './charge-store';
import { chargeRecovery } from './recover-charge';
import { chargeRow } from './row';

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
  personalData: { charges: chargeRow.erasure },
  actionQueue: attemptQueue({
    kind: 'charges',
    subject: 'charge',
    list: chargeList,
    findStuck: async (context) => (await findStuckCharges(context)).map(chargeJson),
  }),
};
