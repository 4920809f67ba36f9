// A person says what became of a refund, where no program could find out; what the service shows as cancelled must not
// contradict it.

import { codeOf } from '../../support/call-api';
import { CANCEL_PAYMENT, discrepancyOf, payForNobody, refundsOf } from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
import { getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

/** Until then the service may still show what became of a call. */
const TEN_MINUTES = 600;

const world = useWorld();
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const settle = (id: string, outcome: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/refunds/${id}/settle`, { outcome, note: 'seen in the console', ...fields });
const cancel = (svcUid: string, body: Record<string, unknown>) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold', ...body });

/** A refund of 300 of 1000 whose answer was lost: with `reset` the service never had it. */
async function lostRefund(merchantUid: string, kind: 'lost_response' | 'reset') {
  await registerOrder(world, merchantUid);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind });
  expect((await cancel(svcUid, { amount: 300, checksum: 1000 })).status).toBe(202);
  world.clock.advance(TEN_MINUTES);
  const [row] = await refundsOf(world, svcUid);
  return { svcUid, id: row?.id ?? '' };
}
const cancelInConsole = (svcUid: string, amount: number) =>
  world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount }));

test('a refund that the service shows is settled as refunded, and the books follow', async () => {
  const { svcUid, id } = await lostRefund('settle-refunded', 'lost_response');
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect((await settle(id, 'refunded', { by: 'kim' })).body).toMatchObject({
      id,
      svc_uid: svcUid,
      status: 'refunded',
      settled_by: 'kim',
      settle_note: 'seen in the console',
    });
  });
  expect(sent).toBe(0);
  expect((await getOrder(world, 'settle-refunded')).payments).toMatchObject([{ cancel_amount: 300 }]);
  expect(await orderStatus(world, 'settle-refunded')).toBe('partially_cancelled');
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { level: 30, decided: 'refund', svc_uid: svcUid, outcome: 'refunded', by: 'kim' },
  ]);
  expect(world.log.text()).not.toContain('seen in the console');
});

test('a refund that never happened is settled as not executed, and the payment can be refunded again', async () => {
  const { svcUid, id } = await lostRefund('settle-not', 'reset');
  const refused = await settle(id, 'refunded');
  expect([refused.status, refused.body.error]).toEqual([
    409,
    {
      code: 'service_contradicts',
      message: `The payment service shows 0 of ${svcUid} as cancelled; before this refund it was 0, and the refund is of 300.`,
    },
  ]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'unknown', settled_by: null }]);
  expect((await settle(id, 'not_executed')).body).toMatchObject({
    status: 'not_executed',
    settled_by: 'api',
  });
  expect((await cancel(svcUid, { amount: 300, checksum: 1000 })).status).toBe(200);
});

test('not executed is refused where exactly this refund is cancelled', async () => {
  const { svcUid, id } = await lostRefund('settle-done', 'lost_response');
  expect(await codeOf(settle(id, 'not_executed'))).toEqual([409, 'service_contradicts']);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'unknown', settled_by: null }]);
});

test('where somebody else has cancelled another amount, a person says which it was, and refunds go on', async () => {
  const { svcUid, id } = await lostRefund('settle-review', 'reset');
  await cancelInConsole(svcUid, 200);
  await world.advance(6);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'needs_review' }]);
  expect(world.log.events('needs_review').filter((line) => line['id'] === id)).toMatchObject([
    { level: 40, attempt: 'refund', reason: 'cancelled 200' },
  ]);
  expect((await cancel(svcUid, {})).body.error.code).toBe('refund_needs_review');
  expect(await codeOf(settle(id, 'refunded'))).toEqual([409, 'service_contradicts']);
  await cancelInConsole(svcUid, 150);
  // 350 of 300 wanted: whose they are, only a person can tell.
  expect((await settle(id, 'refunded')).status).toBe(200);
  expect((await cancel(svcUid, { amount: 100, checksum: 650 })).status).toBe(200);
  expect((await getOrder(world, 'settle-review')).payments).toMatchObject([{ cancel_amount: 450 }]);
});

test('the refund of a discrepancy settles it as well, by the same person', async () => {
  const { svcUid, id: discrepancy } = await payForNobody(world, 'settle-nobody');
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  await world.api('POST', `/api/discrepancies/${discrepancy}/refund`, { reason: 'fits no order' });
  world.clock.advance(TEN_MINUTES);
  const [row] = await refundsOf(world, svcUid);
  expect((await settle(row?.id ?? '', 'refunded', { by: 'lee' })).status).toBe(200);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({
    resolution: 'refunded',
    resolved_by: 'lee',
    resolution_note: 'seen in the console',
  });
  expect(await world.rows.query('select 1 from payments where svc_uid = $1', [svcUid])).toEqual([]);
});

test('where the service cannot be asked, nothing is settled', async () => {
  const { id } = await lostRefund('settle-down', 'reset');
  const before = await world.rows.books();
  for (const outcome of ['refunded', 'not_executed']) {
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
    expect(await codeOf(settle(id, outcome))).toEqual([503, 'service_unavailable']);
  }
  expect(await world.rows.books()).toBe(before);
});

test('of two people who decide at once the second is told; so is everybody afterwards', async () => {
  const { svcUid, id } = await lostRefund('settle-both', 'reset');
  const answers = await Promise.all(['kim', 'lee'].map((by) => settle(id, 'not_executed', { by })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body.settled_by;
  expect(await codeOf(settle(id, 'refunded'))).toEqual([409, 'already_settled']);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ settled_by: winner }]);
});

test('a refund whose call is under way is not for a person to settle', async () => {
  const { svcUid, id } = await lostRefund('settle-pending', 'reset');
  await world.rows.query(`update refunds set status = 'pending' where svc_uid = $1`, [svcUid]);
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'not_executed')))).toEqual([
    409,
    'attempt_pending',
  ]);
});

test.each([
  ['without a note', { note: undefined }],
  ['with a note of 501 characters', { note: 'x'.repeat(501) }],
  ['with an unknown outcome', { outcome: 'paid' }],
])('a decision %s is refused', async (_, fields) => {
  const { id } = await lostRefund(`settle-bad-${_.replace(/\W/g, '')}`.slice(0, 40), 'reset');
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'not_executed', fields)))).toEqual([
    400,
    'invalid_request',
  ]);
});

test.each(['999999', 'abc', '0'])('no refund has the id %s: 404', async (id) => {
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'refunded')))).toEqual([
    404,
    'refund_not_found',
  ]);
});

test('refunds are listed newest first, page by page, with filters', async () => {
  const all: any[] = (await world.api('GET', '/api/refunds?limit=1000')).body.list;
  expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => b - a));
  const first = await world.api('GET', '/api/refunds?limit=2');
  expect(first.body.list).toEqual(all.slice(0, 2));
  const second = await world.api('GET', `/api/refunds?limit=2&after=${first.body.next}`);
  expect(second.body.list).toEqual(all.slice(2, 4));
  const list = async (query: string) => (await world.api('GET', `/api/refunds?${query}`)).body.list;
  const unknown = all.filter(({ status }) => status === 'unknown');
  expect(unknown.length).toBeGreaterThan(0);
  expect(await list('status=unknown&limit=1000')).toEqual(unknown);
  expect(await list(`svc_uid=${all[0].svc_uid}`)).toEqual([all[0]]);
  await world.rows.query(`update refunds set status = 'needs_review' where id = $1`, [all[0].id]);
  expect(await list('needs_person=true')).toEqual([{ ...all[0], status: 'needs_review' }]);
  expect(await list('needs_person=false&limit=1000')).toHaveLength(all.length - 1);
});
