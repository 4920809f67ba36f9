// The jobs around an issuance of open outcome: one look, planned again until it is settled, and once a minute a search
// for those that a crash or a database failure left without a planned look.

import { z } from 'zod';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import type { BillingKeyStore } from './billing-key-store';
import { scheduleLookup, type ResolveIssuance } from './resolve-issuance';

/** A request that is still under way has not had this long: token, issuance and record end within their deadlines. */
const ABANDONED_AFTER_MS = 60_000;

const payloadSchema = z.object({ issuanceId: z.string().regex(/^[0-9]{1,18}$/) });

type Dependencies = {
  store: Pick<BillingKeyStore, 'findUnresolvedIssuances'>;
  resolveIssuance: ResolveIssuance;
  schedule: ScheduleJob;
  clock: Clock;
};

export function createIssuanceTasks({ store, resolveIssuance, schedule, clock }: Dependencies) {
  return {
    async resolveOne(payload: unknown): Promise<void> {
      const id = BigInt(payloadSchema.parse(payload).issuanceId);
      const resolution = await resolveIssuance(id);
      if (!resolution.done) await scheduleLookup(schedule, id, resolution.againAt);
    },

    /** A look that is planned already keeps its time. */
    async resolveOpen(): Promise<void> {
      const now = clock.now();
      const abandonedBefore = new Date(now.getTime() - ABANDONED_AFTER_MS);
      for (const id of await store.findUnresolvedIssuances(abandonedBefore)) {
        await scheduleLookup(schedule, id, now);
      }
    },
  };
}
