// The payment of an order with a stored billing key or with a card just shown: by `again`, by `onetime`, by a schedule.
// It is processed in any case; whether money moved, `status` says (contract: code 0 means processed).
import type { BillingKey } from '../billing-keys/billing-key';
import { paymentRefusalText } from '../billing-keys/test-cards';
import type { Buyer, Payment } from './payment';
import type { PaymentStore } from './payment-store';
import { startPayment } from './start-payment';

export type Order = {
  merchantUid: string;
  amount: number;
  currency: string;
  name: string | null;
  buyer: Buyer | null;
  customData: string | null;
  noticeUrls: readonly string[];
  cardQuota?: number;
};

type ChargedKey = Pick<BillingKey, 'card' | 'outcome' | 'pgProvider' | 'pgId'>;

export function chargeKey(
  payments: PaymentStore,
  order: Order,
  key: ChargedKey | undefined,
  customer: Pick<Payment, 'customerUid' | 'customerUidUsage'>,
  now: number,
): Payment {
  const failReason = key ? paymentRefusalText(key.outcome) : '등록된 빌링키가 없습니다.';
  const status = failReason === null ? 'paid' : 'failed';
  const pg = key && { pgProvider: key.pgProvider, pgId: key.pgId, card: key.card };
  return payments.add(
    startPayment({ ...order, ...pg, ...customer, channel: 'api', status, failReason }, now),
  );
}

/** An order is paid once; several failed attempts may precede it. The document is silent; so does the live service. */
export function isPaid(payments: PaymentStore, merchantUid: string): boolean {
  return payments.ofOrder(merchantUid).some(({ status }) => status === 'paid');
}
