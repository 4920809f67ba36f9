// What becomes of the subscriptions of a member who is erased: they are cancelled, and then blanked.

import type { Context, MemberRows } from '../../platform/context';
import type { Waiting } from '../../platform/personal-data';
import { cancelSubscription } from './cancel-subscription';
import { eraseSubscriptions, findLiveSubscriptions, hasSubscriptions } from './member-subscriptions-store';

export const memberSubscriptions: MemberRows = {
  exist: hasSubscriptions,
  erase: eraseSubscriptions,

  async end(context, memberId, isOver) {
    const waiting: Waiting[] = [];
    for (const id of await findLiveSubscriptions(context, memberId)) {
      const reason = isOver() ? 'later' : await cancel(context, id);
      if (reason !== null) waiting.push({ kind: 'subscription', id, reason });
    }
    return waiting;
  },
};

async function cancel(context: Context, subscriptionId: string): Promise<Waiting['reason'] | null> {
  const { kind } = await cancelSubscription(context, subscriptionId);
  return kind === 'cancelled' || kind === 'subscription_not_found' ? null : kind;
}
