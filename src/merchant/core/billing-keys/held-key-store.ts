// The number of a member's cards, which is limited.

import type { Context } from '../../platform/context';
import { heldKeys } from './billing-key-store';

/** Cards that a member has at one time, including those that are being checked or removed. Our choice. */
export const CARDS_HELD = 10;

/**
 * Whether the member can have another card. Nothing is locked, so two keys that come at the same moment may both be
 * stored, and exceed the limit by one.
 */
export async function hasRoomForKey({ database }: Context, memberId: string): Promise<boolean> {
  const where = { memberId, status: { in: heldKeys.list } };
  return (await database.billingKey.count({ where })) < CARDS_HELD;
}
