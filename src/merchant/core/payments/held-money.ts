// What the service shows now about the money of one payment, stored or not. Used for decisions of a person and for
// refunds of payments that fit no order. Nothing of it is stored.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { Contradiction } from '../attempts/decision';
import { heldAmount } from './order-status';
import type { StoredPayment } from './payment-store';

export type HeldMoney = {
  record: PaymentRecord;
  /** The refundable balance; null if the status is not one of §2.4, so the balance is unknown. */
  held: number | null;
};

/**
 * Returns null if the service shows no payment under this svc_uid.
 * @throws ServiceError if the service could not be asked
 */
export async function fetchHeldMoney(context: Context, svcUid: string): Promise<HeldMoney | null> {
  const record = await context.service.findPayment(svcUid);
  return record?.svcUid === svcUid ? { record, held: heldByRecord(context, record) } : null;
}

/** The refundable balance of a stored payment. */
export function heldByPayment({ status, amount, cancelAmount }: StoredPayment): number {
  return heldAmount({ status, amount: Number(amount), cancelAmount: Number(cancelAmount) });
}

/** Null if the status is not one of §2.4. In production a payment of a test channel has no balance (§4.4). */
export function heldByRecord(
  { config }: { config: Pick<Config, 'production'> },
  record: PaymentRecord,
): number | null {
  const { status, amount, cancelAmount } = record;
  if (config.production && record.isTest) return 0;
  // A record may contradict itself: if more was cancelled than paid, the balance is 0.
  return status === 'unknown' ? null : Math.max(0, heldAmount({ status, amount, cancelAmount }));
}

/** What the service says that contradicts a person's decision. */
export function heldContradiction(svcUid: string, shown: HeldMoney | null): Contradiction {
  if (!shown) return { kind: 'payment_missing', svcUid };
  const { record, held } = shown;
  if (held === null) return { kind: 'payment_status_unknown', svcUid };
  return { kind: 'payment_holds', svcUid, status: record.status, held, currency: record.currency };
}
