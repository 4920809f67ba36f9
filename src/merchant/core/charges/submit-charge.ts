// The only place that sends a call that takes money at once (§4.3, §4.9). Its row is written before, it is sent once,
// and its outcome is written, or polled by `recover-charge.ts` if the answer was lost.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import { enqueueFirstPoll, pollLater } from '../attempts/recover-attempt';
import { bestEffort, sendOnce } from '../attempts/send-once';
import { closeCharge } from './charge-store';
import { recordChargeOutcome, type ChargeFinding } from './recover-charge';

export type SubmittedCharge =
  | ChargeFinding
  /** There is no payment. The client has masked and shortened the service's message. */
  | { kind: 'refused'; serviceMessage: string | null }
  /** Nothing happened; the order can be charged again at once. */
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
      const finding = await bestEffort(context, () =>
        recordChargeOutcome(context, charge, sent.answer.svcUid),
      );
      // The row already has what is known of the payment, so it is not overwritten.
      if (finding === null || finding.kind === 'unknown')
        await bestEffort(context, () => enqueueFirstPoll(context, 'charge', id));
      return finding ?? { kind: 'unknown', reason: 'not_written' };
    }
    case 'unknown':
      await pollLater(context, 'charge', id, sent.reason);
      return sent;
    case 'refused':
    case 'not_executed':
      await bestEffort(context, () => closeCharge(context, id, sent.kind, { reason: sent.reason }));
      return sent;
  }
}
