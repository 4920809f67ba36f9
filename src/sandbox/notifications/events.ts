// Which event sends what, in which generation (§6.1, §6.2), and the bodies of both (§6.4).
import type { Payment } from '../payments/payment';

export type Generation = 'legacy' | 'newer';

export type PaymentEvent =
  'paid' | 'virtual_account_issued' | 'deposited' | 'cancelled_in_console' | 'failed' | 'schedule_failed';

/** The `status` of the notification; null where this generation sends none. */
export function notificationStatus(event: PaymentEvent, generation: Generation): string | null {
  switch (event) {
    case 'paid':
    case 'deposited':
      return 'paid';
    case 'virtual_account_issued':
      return generation === 'legacy' ? 'ready' : 'virtual_account_issued';
    case 'cancelled_in_console':
      return 'cancelled';
    case 'failed':
      // The legacy interface is silent about a failed payment (§6.1), except for a scheduled one.
      return generation === 'legacy' ? null : 'failed';
    case 'schedule_failed':
      return 'failed';
  }
}

/** Where the payment stands now, in the words of this generation: for a notification sent again by hand. */
export function currentStatus(payment: Payment, generation: Generation): string {
  const isWaiting = payment.status === 'ready' && payment.virtualAccountUntil > 0;
  return isWaiting && generation === 'newer' ? 'virtual_account_issued' : payment.status;
}

export function notificationBody(
  payment: Payment,
  status: string,
  generation: Generation,
): Record<string, string> {
  return generation === 'legacy'
    ? { svc_uid: payment.svcUid, merchant_uid: payment.merchantUid, status }
    : { tx_id: transactionId(payment), payment_id: payment.merchantUid, status };
}

/**
 * The newer generation's id of the same payment; `payment_id` is the order (§6.4). How it relates to `svc_uid` is not
 * shown; our choice: the same value, so that one payment told of in both generations is one payment.
 */
export const transactionId = (payment: Payment) => payment.svcUid;

/** What the admin console's test button sends: ids that do not exist (field notes). Real ones have more digits. */
export const TEST_DIGITS = 1_234_567_890;

export function testBody(generation: Generation, svcUid: string): Record<string, string> {
  return generation === 'legacy'
    ? { svc_uid: svcUid, merchant_uid: 'merchant_1234567890', status: 'ready' }
    : { tx_id: 'tx_1234567890', payment_id: 'merchant_1234567890', status: 'paid' };
}
