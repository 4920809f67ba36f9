// Before anything is asked for: the order may be charged, nobody else is doing so, and the attempt is written down.

import type { Clock } from '../clock';
import type { OrderStore } from '../orders/order-store';
import { newChargeId } from './charge-id';
import type { ChargeStore, NewCharge } from './charge-store';
import type { ResolveCharge } from './resolve-charge';

export type NotStarted = {
  kind: 'order_not_found' | 'order_not_payable' | 'charge_pending' | 'order_planned' | 'charge_needs_review';
  merchantUid: string;
};

/** All of them are started, or none. */
export type StartCharges = (
  wanted: readonly Omit<NewCharge, 'id'>[],
) => Promise<{ started: NewCharge[] } | NotStarted>;

type Dependencies = {
  store: Pick<ChargeStore, 'startCharges' | 'findUnsettledCharge'>;
  orders: Pick<OrderStore, 'findOrder'>;
  resolveCharge: ResolveCharge;
  clock: Clock;
};

/** @throws DatabaseFault when the attempt could not be noted: then nothing may be sent */
export function createStartCharges({ store, orders, resolveCharge, clock }: Dependencies): StartCharges {
  return async function startCharges(wanted) {
    const charges = wanted.map((each) => ({ ...each, id: newChargeId() }));
    if (await store.startCharges(charges, clock.now())) return { started: charges };
    // A planned payment may have been executed, and failed, without our having seen it: the service knows.
    const followed = await Promise.all(charges.map(({ merchantUid }) => followPlan(merchantUid)));
    if (followed.includes(true) && (await store.startCharges(charges, clock.now())))
      return { started: charges };
    for (const { merchantUid } of charges) {
      const kind = await reasonFor(merchantUid);
      if (kind !== null) return { kind, merchantUid };
    }
    // What stood in the way was settled between the two looks: the next try shows.
    return { kind: 'charge_pending', merchantUid: charges[0]?.merchantUid ?? '' };
  };

  /** @returns whether a planned payment was in the way and is settled now */
  async function followPlan(merchantUid: string): Promise<boolean> {
    const unsettled = await store.findUnsettledCharge(merchantUid);
    return unsettled?.status === 'planned' && (await resolveCharge(unsettled.id)).done;
  }

  async function reasonFor(merchantUid: string): Promise<NotStarted['kind'] | null> {
    const unsettled = await store.findUnsettledCharge(merchantUid);
    if (unsettled?.status === 'planned') return 'order_planned';
    if (unsettled?.status === 'needs_review') return 'charge_needs_review';
    if (unsettled) return 'charge_pending';
    const order = await orders.findOrder(merchantUid);
    if (!order) return 'order_not_found';
    return order.status === 'open' || order.status === 'failed' ? null : 'order_not_payable';
  }
}
