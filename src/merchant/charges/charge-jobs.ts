// The jobs behind `resolve-charge.ts`: one that looks once and plans the next look, one that finds what a crash left
// and the planned payments whose time has come.

import { z } from 'zod';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import type { ChargeStore } from './charge-store';
import { CALLER_GONE_AFTER_MS } from '../lookup-plan';
import { scheduleLook, type ResolveCharge } from './resolve-charge';

/** A planned payment is attempted at its time and notified; a little later we look for ourselves. */
const EXECUTED_AFTER_MS = 30_000;

const payloadSchema = z.object({ chargeId: z.string() });

type Dependencies = {
  store: Pick<ChargeStore, 'findUnresolvedCharges'>;
  resolveCharge: ResolveCharge;
  schedule: ScheduleJob;
  clock: Clock;
};

export function createChargeJobs({ store, resolveCharge, schedule, clock }: Dependencies) {
  return {
    /** Job `resolve-charge`. */
    async resolve(payload: unknown): Promise<void> {
      const { chargeId } = payloadSchema.parse(payload);
      const resolution = await resolveCharge(chargeId);
      if (!resolution.done) await scheduleLook(schedule, chargeId, resolution.againAt);
    },

    /** Job `resolve-open-charges`. */
    async resolveOpen(): Promise<void> {
      const now = clock.now();
      const before = (ms: number) => new Date(now.getTime() - ms);
      const open = await store.findUnresolvedCharges(before(CALLER_GONE_AFTER_MS), before(EXECUTED_AFTER_MS));
      for (const id of open) await scheduleLook(schedule, id, now);
    },
  };
}
