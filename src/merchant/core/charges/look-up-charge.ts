// What the service shows of a charge whose outcome is open, by the merchant_uid of its order: the payments of the order
// for a charge that is made at once, and the schedule record (§2.5) for a scheduled one.

import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { syncOrder } from '../payments/sync-order';
import { belongsToCharge } from './charge-id';
import type { OpenCharge } from './charge-store';

export type LookupResult =
  /** The payment that comes from the charge. */
  | { kind: 'payment'; svcUid: string }
  /** It waits for its time. */
  | { kind: 'scheduled' }
  | { kind: 'revoked' }
  | { kind: 'not_found' }
  /** Something that is not known to come from the charge, and that may still take the money. */
  | { kind: 'something_else' };

/** @throws ServiceError where the service could not be asked, DatabaseError */
export function lookUpCharge(context: Context, charge: OpenCharge): Promise<LookupResult> {
  return charge.kind === 'schedule' ? lookUpSchedule(context, charge) : lookUpPayment(context, charge);
}

async function lookUpPayment(context: Context, { id, merchantUid }: OpenCharge): Promise<LookupResult> {
  // All of them are stored, whatever they come from: a paid order cannot be charged again, even where the service does
  // not echo which charge the payment comes from.
  const payments = await syncOrder(context, merchantUid);
  const payment = payments.find(({ record }) => belongsToCharge(id, record));
  return payment ? { kind: 'payment', svcUid: payment.record.svcUid } : { kind: 'not_found' };
}

async function lookUpSchedule(context: Context, { id, merchantUid }: OpenCharge): Promise<LookupResult> {
  const record = await findSchedule(context, merchantUid);
  if (!record) return { kind: 'not_found' };
  // An earlier schedule of the same order says nothing about this one, unless it still waits for its time.
  if (!belongsToCharge(id, record))
    return record.status === 'scheduled' ? { kind: 'something_else' } : { kind: 'not_found' };
  switch (record.status) {
    case 'scheduled':
      return { kind: 'scheduled' };
    case 'revoked':
      return { kind: 'revoked' };
    case 'executed':
      return record.svcUid === null ? { kind: 'something_else' } : { kind: 'payment', svcUid: record.svcUid };
    case 'unknown':
      return { kind: 'something_else' };
  }
}

/** The schedule of an order at the service (§2.5), which may be another charge's. Returns null where there is none. */
export async function findSchedule(
  { service }: Context,
  merchantUid: string,
): Promise<ScheduleRecord | null> {
  try {
    return await service.getScheduleByMerchantUid(merchantUid);
  } catch (error) {
    if (error instanceof ServiceError && error.facts.kind === 'not_found') return null;
    throw error;
  }
}
