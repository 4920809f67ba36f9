// The service has named a payment for a charge: it goes into the books the one way there is (`sync-payment.ts`), and
// what then stands there decides. What the answer of the call itself said of money is not believed (§6.4).

import type { Clock } from '../clock';
import type { StoredPayment } from '../payments/payment-store';
import type { SyncPayment } from '../payments/sync-payment';
import type { ChargeStore } from './charge-store';

export type SettledCharge =
  | { kind: 'paid' }
  /** There is a payment, and it failed. The reason is the card company's, masked and bounded by the client. */
  | { kind: 'declined'; reason: string | null }
  /** There is a payment, and it does not fit: its discrepancy says how. */
  | { kind: 'needs_review' }
  /** The payment could not be judged yet. */
  | { kind: 'unknown' };

export type SettleCharge = (
  charge: { id: string; merchantUid: string },
  svcUid: string,
) => Promise<SettledCharge>;

type Dependencies = {
  store: Pick<ChargeStore, 'settleCharge' | 'markUnknown'>;
  syncPayment: SyncPayment;
  findPayment: (svcUid: string) => Promise<StoredPayment | null>;
  clock: Clock;
};

/** @throws DatabaseFault; the charge then stays open, and is asked after again */
export function createSettleCharge({ store, syncPayment, findPayment, clock }: Dependencies): SettleCharge {
  return async ({ id, merchantUid }, svcUid) => {
    const { outcome } = await syncPayment({ svcUid, merchantUid, generation: 'legacy', notifications: null });
    switch (outcome) {
      case 'recorded':
      case 'unchanged':
        return settleBy(id, await findPayment(svcUid));
      // The service's own copies may lag behind its answer.
      case 'queued':
      case 'unknown_payment':
      case 'test':
        await store.markUnknown(id, { svcUid, reason: outcome });
        return { kind: 'unknown' };
      case 'amount_mismatch':
      case 'currency_mismatch':
      case 'order_mismatch':
      case 'unknown_order':
        await store.settleCharge(id, 'needs_review', clock.now(), { svcUid, reason: outcome });
        return { kind: 'needs_review' };
    }
  };

  async function settleBy(id: string, payment: StoredPayment | null): Promise<SettledCharge> {
    if (!payment) throw new Error('a recorded payment vanished');
    const { svcUid, status, counted, failReason } = payment;
    if (status === 'ready') {
      await store.markUnknown(id, { svcUid, reason: 'ready' });
      return { kind: 'unknown' };
    }
    if (status === 'failed') {
      await store.settleCharge(id, 'failed', clock.now(), { svcUid, reason: failReason });
      return { kind: 'declined', reason: failReason };
    }
    // Money moved without paying for the order: charging it again would take it twice.
    const settled = counted ? 'paid' : 'needs_review';
    await store.settleCharge(id, settled, clock.now(), { svcUid });
    return { kind: settled };
  }
}
