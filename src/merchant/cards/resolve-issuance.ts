// Finds out what became of an issuance whose answer was lost (§4.2), by asking for the key's record (§4.7).
// It never sends a card: none is kept (§1).

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import { hasLookedEnough, nextLookAt } from '../lookup-plan';
import type { PaymentService } from '../payment-service/payment-service';
import type { BillingKeyStore, OpenIssuance } from './billing-key-store';
import { judgeIssuance } from './judge-issuance';

export type Resolution = { done: true } | { done: false; againAt: Date };
export type ResolveIssuance = (id: bigint) => Promise<Resolution>;

type Dependencies = {
  store: BillingKeyStore;
  service: Pick<PaymentService, 'findBillingKeys'>;
  clock: Clock;
};

/** @throws DatabaseFault; the caller tries the job again. A service that does not answer is asked again later. */
export function createResolveIssuance({ store, service, clock }: Dependencies): ResolveIssuance {
  return async function resolveIssuance(id) {
    const issuance = await store.findOpenIssuance(id);
    if (!issuance) return { done: true };
    const record = await look(issuance.customerUid);
    const now = clock.now();
    if (record === 'no_answer') return again(issuance, false, now);

    const confirmed = issuance.reason === 'issued_not_seen';
    const verdict = judgeIssuance(issuance, record, confirmed);
    if (record && verdict === 'issued') await store.markIssued(id, record, now);
    else if (verdict === 'other_card') await store.markNeedsReview(id, 'other_card', now);
    else if (!hasLookedEnough(issuance, now)) return again(issuance, true, now);
    // Code 0 and yet no key: not for a program to decide.
    else if (confirmed) await store.markNeedsReview(id, 'issued_not_seen', now);
    else await store.markDeclined(issuance, 'not_issued', now);
    return { done: true };
  };

  async function look(customerUid: string) {
    try {
      const records = await service.findBillingKeys([customerUid]);
      return records.find((each) => each.customerUid === customerUid) ?? null;
    } catch (error) {
      if (error instanceof ServiceFault) return 'no_answer';
      throw error;
    }
  }

  async function again(issuance: OpenIssuance, missed: boolean, now: Date): Promise<Resolution> {
    await store.noteLookup(issuance.id, missed);
    return { done: false, againAt: nextLookAt(issuance.lookups, now) };
  }
}

/** Plans one look; of several for one issuance, one waits. */
export function scheduleLookup(schedule: ScheduleJob, id: bigint, runAt: Date): Promise<void> {
  return schedule('resolve-issuance', { issuanceId: String(id) }, { key: `resolve-issuance-${id}`, runAt });
}
