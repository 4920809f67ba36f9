// A payment is cancelled, in full or in part (§4.9, field notes). Its row is there before the call, the balance that we
// believe to be left goes along, and a lost answer is looked up by `cancellation-jobs.ts`, never sent again.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import { heldAmount } from '../orders/order-status';
import type { PaymentService } from '../payment-service/payment-service';
import type { StoredPayment } from '../payments/payment-store';
import type { CancellationStore } from './cancellation-store';
import { firstLookAt } from '../lookup-plan';
import { outcomeOfCall, type Noted } from './outcome-of-call';
import { scheduleCancellationLook } from './cancellation-jobs';
import type { SettleCancellation } from './settle-cancellation';

export type CancellationRequest = {
  svcUid: string;
  /** Null: all that is left. */
  amount: number | null;
  reason: string;
  /** The balance before this cancellation, as the caller knows it; null: as the books have it. */
  checksum: number | null;
};

export type CancellationOutcome =
  | { kind: 'cancelled' | 'unknown' | 'not_executed' }
  /** The service said no; nothing was cancelled. */
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'payment_not_found' | 'nothing_to_cancel' | 'balance_differs' | 'amount_exceeds_balance' }
  | { kind: 'cancellation_pending' | 'cancellation_needs_review' };
export type CancelPayment = (request: CancellationRequest) => Promise<CancellationOutcome>;

type Dependencies = {
  store: CancellationStore;
  findPayment: (svcUid: string) => Promise<StoredPayment | null>;
  settleCancellation: SettleCancellation;
  service: Pick<PaymentService, 'cancelPayment'>;
  schedule: ScheduleJob;
  noted: Noted;
  clock: Clock;
};

/** @throws DatabaseFault when the cancellation could not be noted: then nothing was sent. */
export function createCancelPayment(dependencies: Dependencies): CancelPayment {
  const { store, findPayment, settleCancellation, service, schedule, noted, clock } = dependencies;

  return async function cancelPayment(request) {
    const { svcUid, reason } = request;
    const payment = await findPayment(svcUid);
    if (!payment) return { kind: 'payment_not_found' };
    const { status, cancelAmount: cancelledBefore } = payment;
    const balance = heldAmount({
      status,
      amount: Number(payment.amount),
      cancelAmount: Number(cancelledBefore),
    });
    if (balance === 0) return { kind: 'nothing_to_cancel' };
    if (request.checksum !== null && request.checksum !== balance) return { kind: 'balance_differs' };
    const amount = request.amount ?? balance;
    if (amount > balance) return { kind: 'amount_exceeds_balance' };

    const wanted = { svcUid, amount, cancelledBefore: Number(cancelledBefore), reason };
    const id = await store.startCancellation(wanted, clock.now());
    if (id === null) return { kind: await reasonFor(svcUid) };
    const cancellation = { id, svcUid, amount: BigInt(amount), cancelledBefore };
    try {
      await service.cancelPayment({ svcUid, amount, checksum: balance, reason });
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return notAnswered(cancellation, error);
    }
    const finding = await noted(() => settleCancellation(cancellation));
    if (finding === 'done') return { kind: 'cancelled' };
    if (finding === 'needs_review') return { kind: 'cancellation_needs_review' };
    await noted(() => store.markUnknown(id, finding ?? 'not_noted'));
    return lookLater(id);
  };

  async function notAnswered(
    cancellation: Parameters<SettleCancellation>[0],
    fault: ServiceFault,
  ): Promise<CancellationOutcome> {
    const { id } = cancellation;
    const outcome = outcomeOfCall(fault);
    const { kind, reason } = outcome;
    if (kind === 'unknown') {
      await noted(() => store.markUnknown(id, reason));
      return lookLater(id);
    }
    await noted(() => store.settleCancellation(id, kind, clock.now(), reason));
    // Another balance at the service than in the books is the likely reason: the next try is made on what is true.
    if (kind === 'refused') await noted(() => settleCancellation(cancellation));
    return outcome;
  }

  async function lookLater(id: bigint): Promise<CancellationOutcome> {
    await noted(() => scheduleCancellationLook(schedule, id, firstLookAt(clock.now())));
    return { kind: 'unknown' };
  }

  async function reasonFor(svcUid: string) {
    const unsettled = await store.findUnsettledCancellation(svcUid);
    if (unsettled?.status === 'needs_review') return 'cancellation_needs_review';
    // None: it was settled between the two looks, and with it the balance has moved.
    return unsettled ? 'cancellation_pending' : 'balance_differs';
  }
}
