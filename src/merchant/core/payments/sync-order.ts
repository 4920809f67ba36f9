// Every payment that the service shows for one order, each synced. Whoever is about to take money for an order, or has
// lost the answer to a charge, asks this: a payment whose notification never came is stored on the way.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import { syncPayment, type SyncOutcome } from './sync-payment';

export type SyncedPayment = { record: PaymentRecord; outcome: SyncOutcome };

/**
 * @param line `operations` where money is to be taken next: the question then goes out with the calls that move money,
 * also in a pause that the service has asked for
 * @throws ServiceError where the service could not be asked, DatabaseError
 */
export async function syncOrder(
  context: Context,
  merchantUid: string,
  line?: 'operations',
): Promise<SyncedPayment[]> {
  const synced: SyncedPayment[] = [];
  for (const record of await context.service.findAllPaymentsByMerchantUid(merchantUid, { line })) {
    const { outcome } = await syncPayment(context, { svcUid: record.svcUid, merchantUid });
    synced.push({ record, outcome });
  }
  return synced;
}
