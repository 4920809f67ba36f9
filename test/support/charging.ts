// What the stories about taking money begin with: an order, and a member's stored key.

import { createMemberBrowser, type Fields } from './member-browser';
import type { World } from './world';

/** Issues, but every later payment fails: the sandbox's test card for it. */
export const CARD_THAT_FAILS = '4000-0000-0000-0341';

export type StoredKey = { customerUid: string; memberId: string };

export function createCharging(world: World) {
  return {
    async registerOrder(merchantUid: string, changes: Record<string, unknown> = {}): Promise<void> {
      const order = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...changes };
      const { status } = await world.api('POST', '/api/orders', order);
      if (status !== 201) throw new Error(`the order was not registered: ${status}`);
    },

    /** A card of a new member, registered through the form. */
    async registerKey(changes: Fields = {}): Promise<StoredKey> {
      const { customerUid } = await createMemberBrowser(world).register(changes);
      const [row] = await world.rows.query<{ member_id: string }>(
        'select member_id from billing_keys where customer_uid = $1',
        [customerUid],
      );
      return { customerUid, memberId: row?.member_id ?? '' };
    },

    charge: (merchantUid: string, customerUid: unknown) =>
      world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: customerUid }),

    /** When every notification on its way has been answered. */
    notified: () => world.sandbox.call('GET', '/notifications?settled=1'),

    order: async (merchantUid: string) => (await world.api('GET', `/api/orders/${merchantUid}`)).body,

    charges: (merchantUid: string) =>
      world.rows.query('select * from charges where merchant_uid = $1 order by started_at, id', [
        merchantUid,
      ]),
  };
}
