// The one place from which a call that takes money at once is sent (§4.3, §4.9): its row is there before, it is sent
// once, and its outcome is written, or polled for by `recover-charge.ts` where the answer was lost.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import { pollLater } from '../attempts/recover-attempt';
import { bestEffort, sendOnce } from '../attempts/send-once';
import { closeCharge } from './charge-store';
import { pollChargeLater, settleCharge, type SettledCharge } from './recover-charge';

export type SubmittedCharge =
  | SettledCharge
  /** There is no payment. The service's message is masked and bounded by the client. */
  | { kind: 'refused'; serviceMessage: string | null }
  /** Nothing happened: the order can be charged again at once. */
  | { kind: 'not_executed' };

/** @param send the call; it is made once */
export async function submitCharge(
  context: Context,
  charge: { id: string; merchantUid: string },
  send: () => Promise<PaymentRecord>,
): Promise<SubmittedCharge> {
  const { id } = charge;
  const sent = await sendOnce(send);
  switch (sent.kind) {
    case 'answered': {
      const settled = await bestEffort(context, () => settleCharge(context, charge, sent.answer.svcUid));
      if (settled && settled.kind !== 'unknown') return settled;
      // What is known of the payment is in the row, and is not to be overwritten.
      await pollChargeLater(context, id);
      return { kind: 'unknown' };
    }
    case 'unknown':
      await pollLater(context, 'charge', id, sent.reason);
      return { kind: 'unknown' };
    case 'refused':
    case 'not_executed':
      await bestEffort(context, () => closeCharge(context, id, sent.kind, { reason: sent.reason }));
      return sent;
  }
}
