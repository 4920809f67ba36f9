// What became of a cancellation: the payment is fetched again the one way there is (`sync-payment.ts`), and the amount
// that it then shows as cancelled decides. No notification tells of a cancellation through the API (field notes).

import type { Clock } from '../clock';
import type { StoredPayment } from '../payments/payment-store';
import type { SyncPayment } from '../payments/sync-payment';
import type { CancellationStore, OpenCancellation } from './cancellation-store';

export type CancellationFinding =
  | 'done'
  /** As before: not cancelled, or not shown yet. */
  | 'nothing'
  /** Another amount is cancelled than before or expected: somebody else was there too. */
  | 'needs_review'
  /** The payment could not be fetched, or not be judged. */
  | 'unknown';

type Expected = Pick<OpenCancellation, 'id' | 'svcUid' | 'amount' | 'cancelledBefore'>;
export type SettleCancellation = (cancellation: Expected) => Promise<CancellationFinding>;

type Dependencies = {
  store: Pick<CancellationStore, 'settleCancellation'>;
  syncPayment: SyncPayment;
  findPayment: (svcUid: string) => Promise<StoredPayment | null>;
  clock: Clock;
};

/** @throws DatabaseFault; the cancellation then stays open, and is asked after again */
export function createSettleCancellation(dependencies: Dependencies): SettleCancellation {
  const { store, syncPayment, findPayment, clock } = dependencies;

  return async ({ id, svcUid, amount, cancelledBefore }) => {
    const stored = await findPayment(svcUid);
    if (!stored) throw new Error('the payment of a cancellation vanished');
    const { merchantUid } = stored;
    const { outcome } = await syncPayment({ svcUid, merchantUid, generation: 'legacy', notifications: null });
    if (outcome !== 'recorded' && outcome !== 'unchanged') return 'unknown';
    const cancelled = (await findPayment(svcUid))?.cancelAmount;
    if (cancelled === cancelledBefore) return 'nothing';
    const finding = cancelled === cancelledBefore + amount ? 'done' : 'needs_review';
    await store.settleCancellation(id, finding, clock.now());
    return finding;
  };
}
