// The jobs behind `resolve-issuance.ts`: one that looks once and plans the next look, one that finds what a crash left.

import { z } from 'zod';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import { CALLER_GONE_AFTER_MS } from '../lookup-plan';
import type { BillingKeyStore } from './billing-key-store';
import { scheduleLookup, type ResolveIssuance } from './resolve-issuance';

const payloadSchema = z.object({ issuanceId: z.string().transform(BigInt) });

type Dependencies = {
  store: Pick<BillingKeyStore, 'findUnresolvedIssuances'>;
  resolveIssuance: ResolveIssuance;
  schedule: ScheduleJob;
  clock: Clock;
};

export function createIssuanceJobs({ store, resolveIssuance, schedule, clock }: Dependencies) {
  return {
    /** Job `resolve-issuance`. */
    async resolve(payload: unknown): Promise<void> {
      const { issuanceId } = payloadSchema.parse(payload);
      const resolution = await resolveIssuance(issuanceId);
      if (!resolution.done) await scheduleLookup(schedule, issuanceId, resolution.againAt);
    },

    /** Job `resolve-open-issuances`. */
    async resolveOpen(): Promise<void> {
      const now = clock.now();
      const abandoned = await store.findUnresolvedIssuances(new Date(now.getTime() - CALLER_GONE_AFTER_MS));
      for (const id of abandoned) await scheduleLookup(schedule, id, now);
    },
  };
}
