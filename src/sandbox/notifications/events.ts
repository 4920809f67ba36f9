// Which event sends which notification in each generation (§6.1, §6.2), and the bodies of both (§6.4).

export type Generation = 'legacy' | 'newer';

export type PaymentEvent =
  | 'paid'
  | 'virtual_account_issued'
  | 'deposited'
  | 'cancelled_in_console'
  | 'failed'
  | 'schedule_failed';

/** The part of a payment that a notification needs. */
export type NotifiedPayment = {
  svcUid: string;
  merchantUid: string;
  status: string;
  virtualAccountUntil: number;
  noticeUrls: readonly string[];
  amount: number;
  cancellations: readonly { amount: number }[];
};

/** Returns the `status` of the notification, null if this generation sends none. */
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
      // The legacy interface sends nothing for a failed payment, unless it was scheduled (§6.1).
      return generation === 'legacy' ? null : 'failed';
    case 'schedule_failed':
      return 'failed';
  }
}

/** Returns the payment's current status as this generation names it. */
export function currentStatus(
  payment: Pick<NotifiedPayment, 'status' | 'virtualAccountUntil'>,
  generation: Generation,
): string {
  const isWaiting = payment.status === 'ready' && payment.virtualAccountUntil > 0;
  return isWaiting && generation === 'newer' ? 'virtual_account_issued' : payment.status;
}

export function notificationBody(
  payment: NotifiedPayment,
  status: string,
  generation: Generation,
): Record<string, string> {
  return generation === 'legacy'
    ? { svc_uid: payment.svcUid, merchant_uid: payment.merchantUid, status }
    : { tx_id: transactionId(payment), payment_id: payment.merchantUid, status };
}

/**
 * The newer generation's id of the same payment (§6.4). The document does not say how it relates to `svc_uid`; our choice
 * is the same value, so that a payment has one id in both generations.
 */
export const transactionId = (payment: { svcUid: string }) => payment.svcUid;

/** The digits of the svc_uid that the test button sends (§6.3). Ids of payments have more digits. */
export const TEST_DIGITS = 1_234_567_890;

/** The body that the admin console's test button sends: its ids do not exist (§6.3). */
export function testBody(generation: Generation, svcUid: string): Record<string, string> {
  return generation === 'legacy'
    ? { svc_uid: svcUid, merchant_uid: 'merchant_1234567890', status: 'ready' }
    : { tx_id: 'tx_1234567890', payment_id: 'merchant_1234567890', status: 'paid' };
}
