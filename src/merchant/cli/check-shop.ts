// `npm run doctor -- --live`: whether the two files of `src/merchant/shop` that every shop replaces are still ours, and
// whether ORDER_EVENTS_URL can be reached.

import { leadsToPrivateAddress } from '../core/events/post-event';
import { allowedHosts, eventReceiver } from '../core/events/settings';
import type { Config } from '../platform/config';
import * as builtInMembers from '../shop/built-in-members';
import { currentMember } from '../shop/current-member';
import { onOrderEvent } from '../shop/on-order-event';
import { askUrl, reasonOf } from './ask-url';
import type { Check, Finding } from './doctor-checks';
import { EXTRA_CA, findCertificateProblem } from './service-error-text';

/** The text of `src/merchant/shop/on-order-event.ts` as shipped. */
const ONLY_LOGS =
  'asyncfunctiononOrderEvent(eventlogger)constidtype=eventlogger.info(event:order_eventidtype)awaitPromise.resolve()';

/** Of this program, unless a test gives others. */
const SHOP_FILES: { currentMember: unknown; onOrderEvent: unknown } = { currentMember, onOrderEvent };

/**
 * The first file is ours if it exports the built-in members. The second is recognised by the text of its function,
 * without white space and the punctuation that compilers change: the image has compiled files and no sources.
 */
export function checkShop(postsEvents: boolean, files = SHOP_FILES): Check[] {
  return [
    files.currentMember === builtInMembers.currentMember
      ? {
          name: 'members',
          state: 'warning',
          says: 'every browser is a separate member: src/merchant/shop/current-member.ts is as shipped',
          fix: 'Connect it to your own sign-in: docs/03-guides/1-own-sign-in.md.',
        }
      : { name: 'members', state: 'ok', says: 'your own sign-in' },
    fingerprint(files.onOrderEvent) === ONLY_LOGS && !postsEvents
      ? {
          name: 'shop events',
          state: 'warning',
          says: 'nothing happens when an order is paid: src/merchant/shop/on-order-event.ts is as shipped, and ORDER_EVENTS_URL is not set',
          fix: 'Change one of the two, unless your systems read GET /api/events: docs/03-guides/4-order-events.md.',
        }
      : { name: 'shop events', state: 'ok', says: 'events go to your own code or system' },
  ];
}

function fingerprint(code: unknown): string {
  return String(code).replace(/[\s;,'"`{}]/g, '');
}

/**
 * Whether ORDER_EVENTS_URL can be reached. Sends no event: a GET without a signature, to which any HTTP answer is
 * enough.
 */
export async function checkOrderEvents(config: Pick<Config, 'values' | 'production'>): Promise<Finding> {
  const receiver = eventReceiver(config);
  if (receiver === null) return { state: 'ok', says: 'ORDER_EVENTS_URL is not set: nothing is posted' };
  const { url } = receiver;
  try {
    if (config.production && (await leadsToPrivateAddress(url, allowedHosts(config))))
      return {
        state: 'failed',
        says: `${url} leads to this machine or a private network: no event is posted there in production`,
        fix: 'Set ORDER_EVENTS_URL to a public address, or name its host in ORDER_EVENTS_ALLOW.',
      };
    const { status } = await askUrl(url);
    if (status >= 300 && status < 400)
      return {
        state: 'failed',
        says: `${url} answers ${status}, a redirect: events do not follow it`,
        fix: 'Set ORDER_EVENTS_URL to the address to which it redirects.',
      };
    return { state: 'ok', says: `${url} can be reached (${status} to a GET; no event was sent)` };
  } catch (error) {
    const reason = reasonOf(error);
    const certificate = findCertificateProblem(reason);
    if (certificate)
      return {
        state: 'failed',
        says: `${url} ${certificate.shown}: no event is sent`,
        fix: certificate.isUnknownSigner
          ? EXTRA_CA
          : 'Renew the certificate at the receiver, for this host name.',
      };
    return {
      state: 'failed',
      says: `${url} cannot be reached (${reason})`,
      fix: 'Is the receiver running, and is ORDER_EVENTS_URL right? Waiting events are retried for three days.',
    };
  }
}
