// Billing keys that members issue in the payment window of the sandbox.

import { createMemberBrowser } from '../../support/browsers';
import { newUid } from '../../support/orders';
import type { World } from '../../support/world';

export type KeyRequest = { customer_uid: string; merchant_uid: string; amount: number; window: any };

/** What a shop asks for before it opens the window. */
export async function requestKey(world: World, memberId: string, body: object = {}): Promise<KeyRequest> {
  const answer = await world.api('POST', `/api/members/${memberId}/billing-key-requests`, {
    pg: 'kakaopay',
    ...body,
  });
  expect(answer.status).toBe(201);
  return answer.body as KeyRequest;
}

/** A person finishes the window. The service sends a notification only if `notify` is set. */
export async function finishWindow(
  world: World,
  { window }: Pick<KeyRequest, 'window'>,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const payment = await world.sandbox.pay({ ...window, notify: false, ...changes });
  return payment.svc_uid;
}

export const newMember = () => `member-${newUid()}`;

/** The page to which the window returns. */
export const returnTo = (world: World, { window }: KeyRequest, svcUid: string) => {
  const { pathname } = new URL(window.m_redirect_url as string);
  return createMemberBrowser(world).get(`${pathname}?abc_uid=${svcUid}&merchant_uid=${window.merchant_uid}`);
};

/** No payment, no order, no event of an order. */
export const expectNoMoney = async ({ rows }: World, { merchant_uid }: KeyRequest) =>
  expect(
    await rows.query(
      `select merchant_uid from payments where merchant_uid = $1 union select merchant_uid from orders where merchant_uid = $1
       union select stream from events where stream = $1`,
      [merchant_uid],
    ),
  ).toEqual([]);
