// What became of a planned payment? Its schedule record (§2.5) is asked for, by merchant_uid: whether the plan was taken,
// revoked, or executed, and then into which payment.

import { cameOf } from '../charges/charge-id';
import type { LookForCharge, Sighting } from '../charges/resolve-charge';
import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';

type Dependencies = { service: Pick<PaymentService, 'getScheduleByMerchantUid'> };

export function createLookForSchedule({ service }: Dependencies): LookForCharge {
  return async ({ id, merchantUid }): Promise<Sighting> => {
    const record = await findSchedule(merchantUid);
    if (!record) return { kind: 'nothing' };
    // An earlier plan of the same order says nothing of this one, unless it still waits.
    if (!cameOf(id, record))
      return record.status === 'scheduled' ? { kind: 'something_else' } : { kind: 'nothing' };
    switch (record.status) {
      case 'scheduled':
        return { kind: 'planned' };
      case 'revoked':
        return { kind: 'revoked' };
      case 'executed':
        return record.svcUid === null
          ? { kind: 'something_else' }
          : { kind: 'payment', svcUid: record.svcUid };
      case 'unknown':
        return { kind: 'something_else' };
    }
  };

  async function findSchedule(merchantUid: string) {
    try {
      return await service.getScheduleByMerchantUid(merchantUid);
    } catch (error) {
      if (error instanceof ServiceFault && error.facts.kind === 'not_found') return null;
      throw error;
    }
  }
}
