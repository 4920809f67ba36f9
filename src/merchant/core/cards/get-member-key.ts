// The key that a member's page names: it has to be the member's own.

import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { findKey, type StoredBillingKey } from '../billing-keys/billing-key-store';
import { cardErrors } from './errors';

/**
 * The member's key, in a state in which it can take another card.
 * @throws HttpError 404 `no_such_card`, 403 `card_of_another_member`
 */
export async function getReplaceableKey(
  context: Context,
  customerUid: string,
  memberId: string,
): Promise<StoredBillingKey> {
  const key = await getMemberKey(context, customerUid, memberId);
  if (key.status !== 'active' && key.status !== 'needs_review') throw new HttpError(cardErrors.no_such_card);
  return key;
}

/**
 * The member's key, in whatever state it is.
 * @throws HttpError 404 `no_such_card`, 403 `card_of_another_member`
 */
export async function getMemberKey(
  context: Context,
  customerUid: string,
  memberId: string,
): Promise<StoredBillingKey> {
  // Text that cannot be a customer_uid is not searched for: the database refuses some of it, such as NUL.
  const key = isCustomerUid(customerUid) ? await findKey(context, customerUid) : null;
  if (!key) throw new HttpError(cardErrors.no_such_card);
  if (key.memberId !== memberId) throw new HttpError(cardErrors.card_of_another_member);
  return key;
}
