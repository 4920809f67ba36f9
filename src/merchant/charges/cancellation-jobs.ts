// Finds out what became of a cancellation whose answer was lost, by fetching its payment, and the jobs around it.
// Until it is settled nobody can cancel anything of that payment again.

import { z } from 'zod';
import type { Clock } from '../clock';
import type { ScheduleJob } from '../jobs';
import type { Logger } from '../logger';
import type { CancellationStore } from './cancellation-store';
import { CALLER_GONE_AFTER_MS, hasLookedEnough, nextLookAt } from '../lookup-plan';
import type { SettleCancellation } from './settle-cancellation';

const payloadSchema = z.object({ cancellationId: z.string().transform(BigInt) });

type Dependencies = {
  store: CancellationStore;
  settleCancellation: SettleCancellation;
  schedule: ScheduleJob;
  clock: Clock;
  logger: Logger;
};

export function createCancellationJobs(dependencies: Dependencies) {
  const { store, settleCancellation, schedule, clock, logger } = dependencies;
  return {
    /** Job `resolve-cancellation`: one look, and the next one planned. */
    async resolve(payload: unknown): Promise<void> {
      const { cancellationId: id } = payloadSchema.parse(payload);
      const cancellation = await store.findOpenCancellation(id);
      if (!cancellation) return;
      const finding = await settleCancellation(cancellation);
      const now = clock.now();
      const missed = finding === 'nothing';
      if (missed && hasLookedEnough(cancellation, now)) {
        await store.settleCancellation(id, 'not_executed', now, 'nothing');
      } else if (missed || finding === 'unknown') {
        await store.noteLookup(id, missed);
        return scheduleCancellationLook(schedule, id, nextLookAt(cancellation.lookups, now));
      }
      const outcome = missed ? 'not_executed' : finding;
      logger.info({ event: 'cancellation_resolved', svc_uid: cancellation.svcUid, outcome });
    },

    /** Job `resolve-open-cancellations`: what a crash left. */
    async resolveOpen(): Promise<void> {
      const now = clock.now();
      const startedBefore = new Date(now.getTime() - CALLER_GONE_AFTER_MS);
      for (const id of await store.findUnresolvedCancellations(startedBefore))
        await scheduleCancellationLook(schedule, id, now);
    },
  };
}

/** Plans one look; of several for one cancellation, one waits. */
export function scheduleCancellationLook(schedule: ScheduleJob, id: bigint, runAt: Date): Promise<void> {
  const key = `resolve-cancellation-${id}`;
  return schedule('resolve-cancellation', { cancellationId: String(id) }, { key, runAt });
}
