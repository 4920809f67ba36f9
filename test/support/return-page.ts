// What the tests of the return page share (§6.5.1).

import { createMemberBrowser, type Answer } from './member-browser';
import { newUid, paySilently, registerOrder } from './orders';
import type { World } from './world';

const ORDER_NAME = 'Oolong <b>tea</b>';

export const openReturnPage = (world: World, path: string, headers: Record<string, string> = {}) =>
  createMemberBrowser(world).get(path, { 'accept-language': 'en', ...headers });

export const returnPath = (merchantUid: string, svcUid: string, more = '') =>
  `/orders/${merchantUid}/return?abc_uid=${svcUid}&merchant_uid=${merchantUid}${more}`;

/** `paid`, `missing` and so on, as the page marks it. */
export const returnState = ({ html }: Answer) => /class="result" data-state="(\w+)"/.exec(html)?.[1];

/** Name and amount of the order, in any of the ways in which the page could write them, and not within an id. */
export const mentionsOrder = ({ html }: Answer) => /Oolong|(?<!\w)12,?000(?!\w)/.test(html);

/** An order, and a payment of it of which nobody was told. */
export async function payForReturn(
  world: World,
  fields: Record<string, unknown> = {},
): Promise<{ uid: string; svcUid: string; path: string }> {
  const uid = await registerOrder(world, newUid(), { name: ORDER_NAME, amount: 12_000 });
  const { svc_uid: svcUid } = await paySilently(world, uid, { amount: 12_000, ...fields });
  return { uid, svcUid, path: returnPath(uid, svcUid) };
}
