// Before a billing key is deleted nothing may be planned with it any more (field notes): a schedule outlives its key, and
// fails at its time.

import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import type { RevokePayments } from './revoke-payments';

/** @returns whether nothing is planned with the key now */
export type RevokeAll = (customerUid: string) => Promise<boolean>;

type Dependencies = {
  service: Pick<PaymentService, 'getSchedulesOfBillingKey'>;
  revokePayments: RevokePayments;
};

export function createRevokeAll({ service, revokePayments }: Dependencies): RevokeAll {
  return async function revokeAll(customerUid) {
    if (!(await isAnythingPlanned(customerUid))) return true;
    const { kind } = await revokePayments({ customerUid, merchantUids: 'all' });
    return kind === 'revoked';
  };

  /** Asked first, because a refused revocation does not say whether there was nothing to revoke. */
  async function isAnythingPlanned(customerUid: string): Promise<boolean> {
    try {
      const { total } = await service.getSchedulesOfBillingKey(customerUid, { scheduleStatus: 'scheduled' });
      return total > 0;
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return error.facts.kind !== 'not_found';
    }
  }
}
