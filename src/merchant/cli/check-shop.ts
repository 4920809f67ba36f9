// `npm run doctor -- --live`: whether the two files of `src/merchant/shop` that every shop replaces are still ours. The first
// passes the built-in members on. The second is known by the text of its function, without white space and punctuation that
// compilers change: the image holds compiled files and no sources.

import type { Config } from '../platform/config';
import * as builtInMembers from '../shop/built-in-members';
import { currentMember } from '../shop/current-member';
import { onOrderEvent } from '../shop/on-order-event';
import type { Check } from './doctor-checks';

/** Of `src/merchant/shop/on-order-event.ts` as shipped. */
const ONLY_LOGS =
  'asyncfunctiononOrderEvent(eventlogger)constidtypedata=eventlogger.info(event:order_eventidtypemerchant_uid:data.merchant_uid)awaitPromise.resolve()';

type ShopFiles = { currentMember: unknown; onOrderEvent: unknown };

export function checkShop({ orderEvents }: Pick<Config, 'orderEvents'>): Check[] {
  return judgeShop({ currentMember, onOrderEvent }, orderEvents !== null);
}

export function judgeShop({ currentMember, onOrderEvent }: ShopFiles, postsEvents: boolean): Check[] {
  return [
    currentMember === builtInMembers.currentMember
      ? {
          name: 'members',
          state: 'warning',
          says: 'every browser is a member of its own: src/merchant/shop/current-member.ts is as shipped',
          fix: 'Have it ask your own sign-in: docs/03-guides/1-own-sign-in.md.',
        }
      : { name: 'members', state: 'ok', says: 'your own sign-in' },
    fingerprint(onOrderEvent) === ONLY_LOGS && !postsEvents
      ? {
          name: 'shop events',
          state: 'warning',
          says: 'nothing happens when an order is paid: src/merchant/shop/on-order-event.ts is as shipped, and ORDER_EVENTS_URL is not set',
          fix: 'Do one of the two, unless your systems ask GET /api/events: docs/03-guides/4-order-events.md.',
        }
      : { name: 'shop events', state: 'ok', says: 'your own code or system is told of orders' },
  ];
}

function fingerprint(code: unknown): string {
  return String(code).replace(/[\s;,'"`{}]/g, '');
}
