// Billing keys that members issue in the payment window of the sandbox.

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

/** Rows that a key has left behind: the key, and the events of its card. */
export async function traceOf({ rows }: World, customerUid: string) {
  const [key = null] = await rows.query<Record<string, unknown>>(
    'select member_id, status::text, card_name, card_number, issued_by from billing_keys where customer_uid = $1',
    [customerUid],
  );
  const events = await rows.query<{ type: string }>(
    `select type from events where stream = 'card:' || $1 order by version`,
    [customerUid],
  );
  return { key, events: events.map(({ type }) => type) };
}
