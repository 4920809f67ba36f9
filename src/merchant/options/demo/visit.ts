// What the pages of the demo shop share: who visits, the cards that can pay, and what the shop has been told.

import { findCards } from '../../core/billing-keys/billing-key-store';
import { toCardList } from '../../core/cards/card-list';
import { findEvents, toShopEvent } from '../../core/events/event-store';
import type { Context } from '../../platform/context';
import type { Visit } from '../../platform/http/visit';

export type MemberVisit = Visit & { memberId: string };

/** More events than an order or a cycle ever has. */
const EVENTS_SHOWN = 30;

export async function chargeableCards(context: Context, memberId: string) {
  const cards = toCardList(await findCards(context, memberId), context.clock.now());
  return cards.filter(({ isChargeable }) => isChargeable);
}

/** The events of a stream, and whether `shop/on-order-event.ts` has received each of them. */
export async function toldOf(context: Context, stream: string) {
  const events = await findEvents(context, { stream }, EVENTS_SHOWN);
  return events.map((event) => ({
    ...toShopEvent(event),
    isTold: event.deliveries.some(({ target, deliveredAt }) => target === 'handler' && deliveredAt !== null),
  }));
}
