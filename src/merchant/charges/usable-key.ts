// May this billing key pay for this order? Asked before the service is, for charges and for planned payments.

import type { BillingKeyStore } from '../cards/billing-key-store';

export type KeyProblem = 'key_not_found' | 'key_not_active' | 'key_of_another_member';

/** Null where it may. An order that names no member can be paid with any key that we hold. */
export type FindKeyProblem = (
  customerUid: string,
  order: { memberId: string | null },
) => Promise<KeyProblem | null>;

export function createFindKeyProblem(keys: Pick<BillingKeyStore, 'findKey'>): FindKeyProblem {
  return async (customerUid, { memberId }) => {
    const key = await keys.findKey(customerUid);
    if (!key) return 'key_not_found';
    if (memberId !== null && key.memberId !== memberId) return 'key_of_another_member';
    return key.status === 'active' ? null : 'key_not_active';
  };
}
