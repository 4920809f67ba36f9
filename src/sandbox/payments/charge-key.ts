// Pays an order with a stored billing key or with a card from the request: for `again` (§4.9), `onetime` (§4.3) and
// schedules. The payment is processed in any case (code 0); its `status` says whether it was paid.

import type { BillingKey } from '../billing-keys/billing-key';
import { paymentRefusalText } from '../billing-keys/test-cards';
import type { Order } from './order';
import type { Payment } from './payment';
import type { PaymentStore } from './payment-store';
import { startPayment } from './start-payment';

type ChargedKey = Pick<
  BillingKey,
  'card' | 'payMethod' | 'embPgProvider' | 'outcome' | 'pgProvider' | 'pgId'
>;

/**
 * The payment fails if `key` is undefined (the key of a schedule may have been deleted), or with `refusal` if the service
 * itself refuses it.
 */
export function chargeKey(
  payments: PaymentStore,
  order: Order,
  key: ChargedKey | undefined,
  customer: Pick<Payment, 'customerUid' | 'customerUidUsage'>,
  now: number,
  refusal: string | null = null,
): Payment {
  const failReason = refusal ?? (key ? paymentRefusalText(key.outcome) : '등록된 빌링키가 없습니다.');
  const status = failReason === null ? 'paid' : 'failed';
  const pg = key && {
    pgProvider: key.pgProvider,
    pgId: key.pgId,
    card: key.card,
    payMethod: key.payMethod ?? 'card',
    embPgProvider: key.embPgProvider ?? null,
  };
  return payments.add(
    startPayment({ ...order, ...pg, ...customer, channel: 'api', status, failReason }, now),
  );
}

/** An order is paid once, and failed attempts may precede it. The document is silent; this is our choice. */
export function isPaid(payments: PaymentStore, merchantUid: string): boolean {
  return payments.ofOrder(merchantUid).some(({ status }) => status === 'paid');
}
