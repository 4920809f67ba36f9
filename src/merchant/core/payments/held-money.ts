// What the service shows now of the money of one payment, whether it is stored or not. Decisions of a person and refunds
// of payments that fit no order ask it; nothing of it is stored.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { Contradiction } from '../attempts/contradiction';
import { heldAmount } from './order-status';
import type { StoredPayment } from './payment-store';

export type HeldMoney = {
  record: PaymentRecord;
  /** What the payment still holds; null where its status is none of §2.4, so that it cannot be told. */
  held: number | null;
};

/**
 * Returns null where the service shows no payment under this svc_uid.
 * @throws ServiceError where it could not be asked
 */
export async function fetchHeldMoney(context: Context, svcUid: string): Promise<HeldMoney | null> {
  const record = await context.service.findPayment(svcUid);
  return record?.svcUid === svcUid ? { record, held: heldByRecord(context, record) } : null;
}

/** What a payment holds as it is stored. */
export function heldByPayment({ status, amount, cancelAmount }: StoredPayment): number {
  return heldAmount({ status, amount: Number(amount), cancelAmount: Number(cancelAmount) });
}

/** Null where the status is none of §2.4. In production a payment of a test channel holds nothing (§4.4). */
export function heldByRecord(
  { config }: { config: Pick<Config, 'production'> },
  record: PaymentRecord,
): number | null {
  const { status, amount, cancelAmount } = record;
  if (config.production && record.isTest) return 0;
  // A record may contradict itself: more cancelled than paid is nothing held.
  return status === 'unknown' ? null : Math.max(0, heldAmount({ status, amount, cancelAmount }));
}

/** What the service says, for the person whose decision it contradicts. */
export function heldContradiction(svcUid: string, shown: HeldMoney | null): Contradiction {
  if (!shown) return { kind: 'payment_missing', svcUid };
  const { record, held } = shown;
  if (held === null) return { kind: 'payment_status_unknown', svcUid };
  return { kind: 'payment_holds', svcUid, status: record.status, held, currency: record.currency };
}
