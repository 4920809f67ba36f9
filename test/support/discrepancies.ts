// Payments that do not fit, as rows and through the API.

import { codeOf } from './calls';
import { paySilently, registerOrder, sendNotification } from './orders';
import type { World } from './world';

export const CANCEL_PAYMENT = 'POST /payments/cancel';

/** The row of a discrepancy; fails unless there is exactly one. */
export async function discrepancyOf({ rows }: Pick<World, 'rows'>, svcUid: string, kind: string) {
  const found = await rows.query<Record<string, unknown> & { id: string }>(
    'select * from discrepancies where svc_uid = $1 and kind = $2::discrepancy_kind',
    [svcUid, kind],
  );
  expect(found).toHaveLength(1);
  return found[0] as (typeof found)[0];
}

export const refundsOf = ({ rows }: Pick<World, 'rows'>, svcUid: string) =>
  rows.query<Record<string, unknown> & { id: string }>(
    'select * from refunds where svc_uid = $1 order by id',
    [svcUid],
  );

export const refundDiscrepancy = (world: World, id: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/discrepancies/${id}/refund`, { reason: 'fits no order', ...fields });

/** Requests a refund that must send nothing, and returns the status and the code of the answer. */
export async function expectRefundNotSent(world: World, id: string, fields: Record<string, unknown> = {}) {
  let answer: unknown[] = [];
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    answer = await codeOf(refundDiscrepancy(world, id, fields));
  });
  expect(sent).toBe(0);
  return answer;
}

/** A payment for an order that was not registered. */
export async function payForNobody(world: World, merchantUid: string, changes: Record<string, unknown> = {}) {
  const { svc_uid: svcUid } = await paySilently(world, merchantUid, changes);
  if (changes['outcome'] === 'virtual_account')
    await world.withoutNotifications(() => world.sandbox.control(svcUid, 'deposit'));
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unknown_order');
  return { svcUid, id: (await discrepancyOf(world, svcUid, 'unknown_order')).id };
}

/** An order that is paid twice. */
export async function payTwice(world: World, merchantUid: string) {
  await registerOrder(world, merchantUid);
  const { svc_uid: first } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const { svc_uid: second } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  return { first, second, id: (await discrepancyOf(world, second, 'duplicate_payment')).id };
}
