// May this billing key pay for this order? Charges and schedules ask it before they ask the service.

import type { Context } from '../../platform/context';
import { findKey } from './billing-key-store';

export type KeyProblem = 'key_not_found' | 'key_not_active' | 'key_of_another_member';

/**
 * Returns null if the key may pay. Any key that we hold may pay for an order that names no member.
 * @throws DatabaseError
 */
export async function findKeyProblem(
  context: Context,
  customerUid: string,
  { memberId }: { memberId: string | null },
): Promise<KeyProblem | null> {
  const key = await findKey(context, customerUid);
  if (!key) return 'key_not_found';
  if (memberId !== null && key.memberId !== memberId) return 'key_of_another_member';
  return key.status === 'active' ? null : 'key_not_active';
}
