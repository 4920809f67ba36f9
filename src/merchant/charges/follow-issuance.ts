// The key of a key-in payment (§4.3). The answer speaks of the payment alone, and a declined payment may leave a key
// or none (the document is silent): §4.7 is asked, now and, if need be, again.

import type { BillingKeyStore } from '../cards/billing-key-store';
import { scheduleLookup, type ResolveIssuance } from '../cards/resolve-issuance';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import type { Logger } from '../logger';
import type { Submission } from './submit-charge';

export type FollowIssuance = (issuanceId: bigint, submission: Submission) => Promise<void>;

type Dependencies = {
  store: Pick<BillingKeyStore, 'markDeclined'>;
  resolveIssuance: ResolveIssuance;
  schedule: ScheduleJob;
  clock: Clock;
  logger: Logger;
};

/** Never throws: the payment's outcome is known by now, and the pending issuance is found again from its row. */
export function createFollowIssuance(dependencies: Dependencies): FollowIssuance {
  const { store, resolveIssuance, schedule, clock, logger } = dependencies;

  return async function followIssuance(id, submission) {
    try {
      if (submission.kind === 'not_executed') {
        await store.markDeclined({ id, replacesKey: false }, 'not_executed', clock.now());
        return;
      }
      const resolution = await resolveIssuance(id);
      if (!resolution.done) await scheduleLookup(schedule, id, resolution.againAt);
    } catch (error) {
      logger.error({ err: error, event: 'issuance_outcome_not_noted' });
    }
  };
}
