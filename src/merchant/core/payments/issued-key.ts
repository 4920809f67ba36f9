// A billing key that a payment has issued in the payment window (§1, §2.4): who asked for it. A feature that lets members
// issue keys there names the request (`findKeyRequest` of its feature.ts). Without one, nobody asked.

import type { BillingKey } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context, KeyRequest } from '../../platform/context';
import { CARDS_HELD, findKey, hasRoomForKey } from '../billing-keys/billing-key-store';
import { comparedText, type ComparedWord } from '../discrepancies/kinds';

export type IssuedKey =
  /** A request of ours asked for this key, and for this payment: the member of the request adopts it. */
  | { kind: 'requested'; customerUid: string; memberId: string; issuedBy: string; payMethod: string | null }
  /** The key is stored, and this payment has issued it. */
  | { kind: 'adopted' }
  /** `expected`: what is not so. */
  | { kind: 'unknown'; customerUid: string; expected: string };

/** Allows for clocks that differ, and for the way back from the window. Our choice. */
export const TOLERANCE_MS = 5 * 60_000;

/** Null if the payment has issued no key, as far as its record shows. */
export async function findIssuedKey(
  context: Context,
  record: PaymentRecord | null,
): Promise<IssuedKey | null> {
  if (record === null || record.customerUid === null || !mayIssue(record)) return null;
  const { customerUid } = record;
  const key = await findKey(context, customerUid);
  const request = key === null ? await findKeyRequest(context, customerUid) : null;
  const issued = judgeIssuedKey({ ...record, customerUid }, key, request, context.clock.now());
  // The window was opened while there was room.
  if (issued?.kind === 'requested' && !(await hasRoomForKey(context, issued.memberId)))
    return { kind: 'unknown', customerUid, expected: comparedText('room_for_key', CARDS_HELD) };
  return issued;
}

/** The request for a key, of the feature that made it; null if there is none. */
async function findKeyRequest(context: Context, customerUid: string): Promise<KeyRequest | null> {
  for (const feature of context.features) {
    const request = await feature.findKeyRequest?.(context, customerUid);
    if (request) return request;
  }
  return null;
}

/** A key stays at the service if its first payment is refunded. */
function mayIssue({ status, amount, paidAt, customerUidUsage }: PaymentRecord): boolean {
  const wasPaid = status === 'paid' || (status === 'cancelled' && paidAt !== null);
  return wasPaid && (amount === 0 || !customerUidUsage?.startsWith('payment'));
}

/** Pure. */
function judgeIssuedKey(
  record: Pick<PaymentRecord, 'svcUid' | 'merchantUid' | 'amount' | 'customerUidUsage'> &
    Pick<PaymentRecord, 'paidAt' | 'startedAt' | 'payMethod'> & { customerUid: string },
  key: Pick<BillingKey, 'issuedBy'> | null,
  request: KeyRequest | null,
  now: Date,
): IssuedKey | null {
  const { svcUid, customerUid, amount } = record;
  const unknown = (word: ComparedWord): IssuedKey => ({
    kind: 'unknown',
    customerUid,
    expected: comparedText(word),
  });
  if (key !== null) {
    if (key.issuedBy === svcUid) return { kind: 'adopted' };
    // A key-in payment has stored its key before it was sent (§4.3).
    return amount === 0 ? unknown('new_key') : null;
  }
  if (request === null)
    return amount === 0 || record.customerUidUsage === 'issue' ? unknown('requested_key') : null;
  if (request.merchantUid !== record.merchantUid || request.amount !== amount)
    return unknown('key_of_payment');
  const issuedAt = record.paidAt ?? record.startedAt ?? now;
  if (issuedAt.getTime() > request.expiresAt.getTime() + TOLERANCE_MS) return unknown('key_in_time');
  const { payMethod } = record;
  return { kind: 'requested', customerUid, memberId: request.memberId, issuedBy: svcUid, payMethod };
}
