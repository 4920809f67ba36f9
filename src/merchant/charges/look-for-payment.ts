// Did a charge take money although its answer was lost? All payments of its order are asked for, by merchant_uid.

import type { PaymentService } from '../payment-service/payment-service';
import type { SyncPayment } from '../payments/sync-payment';
import { cameOf } from './charge-id';
import type { LookForCharge } from './resolve-charge';

type Dependencies = {
  service: Pick<PaymentService, 'findAllPaymentsByMerchantUid'>;
  syncPayment: SyncPayment;
};

export function createLookForPayment({ service, syncPayment }: Dependencies): LookForCharge {
  return async ({ id, merchantUid }) => {
    const payments = await service.findAllPaymentsByMerchantUid(merchantUid);
    // All of them go into the books, whatever they came of: a paid order cannot be charged again, even at a service
    // that did not echo which attempt the payment came of.
    for (const { svcUid } of payments)
      await syncPayment({ svcUid, merchantUid, generation: 'legacy', notifications: null });
    const ours = payments.find((payment) => cameOf(id, payment));
    return ours ? { kind: 'payment', svcUid: ours.svcUid } : { kind: 'nothing' };
  };
}
