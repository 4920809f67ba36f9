// A new discrepancy causes one log line at warn and one count; the same one again causes neither. A person resolves it, with name,
// time and note, unless the service contradicts the decision.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { codeOf } from '../../support/calls';
import { CANCEL_PAYMENT, discrepancyOf, payForNobody, payTwice } from '../../support/discrepancies';
import { registerKey, traceOf } from '../../support/keys';
import { metric } from '../../support/metrics';
import { expectRefused, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const beside = useContext(world);
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const resolve = (id: string, resolution: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/discrepancies/${id}/resolve`, { resolution, note: 'agreed by phone', ...fields });
const countOf = (kind: string) => metric(world, `merchant_discrepancies_total{kind="${kind}"}`);
/** As the level of a line has it. */
const WARN = 40;

/** One warning of this kind about a payment, and so many of this kind in all. */
async function expectTold(kind: string, svcUid: string, merchantUid: string, count: number) {
  const lines = world.log.events('discrepancy_noted').filter((line) => line['svc_uid'] === svcUid);
  expect(lines).toMatchObject([{ level: WARN, kind, merchant_uid: merchantUid }]);
  expect(await countOf(kind)).toBe(count);
}

async function payOrder(changes: Record<string, unknown> = {}) {
  const merchantUid = await registerOrder(world);
  return { svcUid: (await paySilently(world, merchantUid, changes)).svc_uid, merchantUid };
}

/** Each makes a payment that does not match, and returns the body of its notification. */
const MISMATCHES: [string, () => Promise<{ svcUid: string; merchantUid: string }>][] = [
  ['amount_mismatch', () => payOrder({ amount: 1 })],
  ['currency_mismatch', () => payOrder({ currency: 'USD' })],
  ['order_mismatch', async () => ({ ...(await payOrder()), merchantUid: await registerOrder(world) })],
  ['unknown_order', async () => ({ ...(await payOrder({ merchant_uid: 'never' })), merchantUid: 'never' })],
  ['unknown_payment', async () => ({ svcUid: 'svc_invented', merchantUid: await registerOrder(world) })],
];

test.each(MISMATCHES)(
  'M13 %s causes one warning and one count when it is new, and none when it is seen again',
  async (kind, arrange) => {
    const before = await countOf(kind);
    const { svcUid, merchantUid } = await arrange();
    for (let copy = 0; copy < 3; copy += 1) await expectRefused(world, svcUid, merchantUid, kind);
    await syncPayment(beside, { svcUid, merchantUid });
    expect(await beside.metrics.registry.metrics()).not.toMatch(/^merchant_discrepancies_total.* [1-9]/m);
    const { id, times_seen: timesSeen } = await discrepancyOf(world, svcUid, kind);
    expect(timesSeen).toBeGreaterThan(3);
    await expectTold(kind, svcUid, merchantUid, before + 1);

    // A person has decided about it, so the same difference is not new.
    expect((await resolve(id, 'ignored')).status).toBe(200);
    await sendNotification(world, svcUid, merchantUid);
    await expectTold(kind, svcUid, merchantUid, before + 1);
  },
);

test('M13 a discrepancy that needs a person causes one warning and one count, however often it is seen', async () => {
  const { svcUid, merchantUid } = await payOrder();
  const withoutCurrency = { abc_uid: svcUid, merchant_uid: merchantUid, status: 'paid', amount: 1000 };
  const body = { code: 0, message: null, response: withoutCurrency };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times: 2 });
  for (let copy = 0; copy < 2; copy += 1)
    expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  const noted = { times_seen: 2, expected: 'KRW', actual: null };
  expect(await discrepancyOf(world, svcUid, 'needs_review')).toMatchObject(noted);
  await expectTold('needs_review', svcUid, merchantUid, 1);
});

test('M13 a second payment and money for a cancelled order each cause a warning and a count', async () => {
  const before = await countOf('duplicate_payment');
  const { second } = await payTwice(world, 'm13-twice');
  await expectTold('duplicate_payment', second, 'm13-twice', before + 1);

  const payment = { merchant_uid: await registerOrder(world, 'm13-closed'), amount: 1000 };
  await world.sandbox.control((await world.sandbox.pay(payment)).svc_uid, 'cancel');
  const { svc_uid: late } = await world.sandbox.pay(payment);
  await expectTold('paid_after_close', late, 'm13-closed', 1);
});

test('M13 a payment with another member’s key causes a warning and a count', async () => {
  const { customerUid } = await registerKey(world);
  const merchantUid = await registerOrder(world, 'm13-foreign', { member_id: 'somebody-else' });
  const payment = { merchant_uid: merchantUid, amount: 1000, customer_uid: customerUid };
  const { svc_uid: svcUid } = await world.sandbox.pay(payment);
  expect(await discrepancyOf(world, svcUid, 'foreign_billing_key')).toMatchObject({ resolved_at: null });
  await expectTold('foreign_billing_key', svcUid, merchantUid, 1);
});

test('the decision accepted or ignored calls no service, moves no money and does not change the order', async () => {
  const { second, id } = await payTwice(world, 'noted');
  const money = await world.rows.money();
  const calls = await world.sandbox.allRequests();
  const { status, body } = await resolve(id, 'accepted', {
    note: 'Canary paid with 4242 4242 4242 4242',
    by: 'kim',
  });
  // A card number is masked before it is kept.
  const kept = { resolved_by: 'kim', resolution_note: 'Canary paid with 424242******4242' };
  const resolved = { id, resolution: 'accepted', resolved_at: world.clock.now().toISOString(), ...kept };
  expect([status, body]).toMatchObject([200, resolved]);
  expect(await world.rows.money()).toBe(money);
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.dump()).not.toContain('4242 4242');
  const { list } = (await world.api('GET', `/api/discrepancies?svc_uid=${second}&open=false`)).body;
  expect(list).toEqual([body]);
  // One line in the log, without the note.
  const line = { decided: 'discrepancy', id, svc_uid: second, outcome: 'accepted', by: 'kim' };
  expect(world.log.events('decision')).toContainEqual(expect.objectContaining(line));
  expect(world.log.text()).not.toContain('Canary');
});

test('the decision refunded is refused while the payment holds money or is unknown, and causes no refund', async () => {
  await sendNotification(world, 'svc_unheard', await registerOrder(world));
  const unheard = await discrepancyOf(world, 'svc_unheard', 'unknown_payment');
  expect(await codeOf(resolve(unheard.id, 'refunded'))).toEqual([409, 'service_contradicts']);

  const { svcUid, id } = await payForNobody(world, 'held');
  const refused = await resolve(id, 'refunded');
  const message = `The payment service shows ${svcUid} as paid: it holds 1000 KRW.`;
  expect([refused.status, refused.body.error]).toMatchObject([409, { code: 'service_contradicts', message }]);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 999 }));
  expect((await resolve(id, 'refunded')).body.error.message).toBe(
    `The payment service shows ${svcUid} as cancelled: it holds 1 KRW.`,
  );
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolved_at: null });

  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const settled = { resolution: 'refunded', resolved_by: 'api' };
    expect((await resolve(id, 'refunded')).body).toMatchObject(settled);
  });
  expect(sent).toBe(0);
});

test('of two decisions at once the second is refused, and so is every later one', async () => {
  const { svcUid, id } = await payForNobody(world, 'both-decide');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  // Both have read the row before either of them writes.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 300, times: 2 });
  const answers = await Promise.all(['kim', 'lee'].map((by) => resolve(id, 'refunded', { by })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const by = answers[0]?.status === 200 ? 'kim' : 'lee';
  expect(await codeOf(resolve(id, 'accepted'))).toEqual([409, 'already_settled']);
  const settled = { resolution: 'refunded', resolved_by: by };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(settled);
});

test('a resolved discrepancy stays resolved when the same difference is seen again, and another difference opens it', async () => {
  await registerOrder(world, 'again');
  const { svc_uid: svcUid } = await paySilently(world, 'again', { amount: 900 });
  const notedAgain = async () => {
    expect((await sendNotification(world, svcUid, 'again')).outcome).toBe('amount_mismatch');
    return discrepancyOf(world, svcUid, 'amount_mismatch');
  };
  const { id } = await notedAgain();
  await resolve(id, 'accepted', { by: 'kim' });
  const decided = { resolution: 'accepted', resolved_by: 'kim', resolved_at: world.clock.now() };
  expect(await notedAgain()).toMatchObject({ id, times_seen: 2, ...decided });

  await world.sandbox.control(svcUid, 'tamper', { amount: 901 });
  const open = { resolved_at: null, resolution: null, resolved_by: null, resolution_note: null };
  expect(await notedAgain()).toMatchObject({ id, actual: '901 KRW', ...open });
  expect((await resolve(id, 'ignored')).status).toBe(200);
});

test('a matching payment does not change a decision', async () => {
  const { svcUid, id } = await payForNobody(world, 'decided');
  await resolve(id, 'ignored', { by: 'kim' });
  await registerOrder(world, 'decided');
  expect((await sendNotification(world, svcUid, 'decided')).outcome).toBe('recorded');
  const byKim = { resolution: 'ignored', resolved_by: 'kim' };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(byKim);
});

test('a decision without a note, with an unknown resolution or an unknown id is refused', async () => {
  const { id } = await payForNobody(world, 'bad-decisions');
  const refused = (of: string, fields = {}) =>
    codeOf(expectNoEffect(world, () => resolve(of, 'accepted', fields)));
  for (const fields of [{ note: undefined }, { resolution: 'settled' }])
    expect(await refused(id, fields)).toEqual([400, 'invalid_request']);
  for (const none of ['999999', 'abc', '9'.repeat(19)])
    expect(await refused(none)).toEqual([404, 'discrepancy_not_found']);
});

test('a person gives an unknown key to a member, or deletes it at the service', async () => {
  const caseOf = async (customerUid: string) => {
    const { svc_uid } = await world.sandbox.pay({
      merchant_uid: customerUid,
      customer_uid: customerUid,
      amount: 0,
      pay_method: 'tosspay',
    });
    const [{ id }] = (await world.rows.query<{ id: string }>(
      'select id from discrepancies where merchant_uid = $1',
      [customerUid],
    )) as [{ id: string }];
    return { id, svcUid: svc_uid };
  };
  const decide = (id: string, body: object) =>
    world.api('POST', `/api/discrepancies/${id}/billing-key`, {
      note: 'The member has called',
      by: 'kim',
      ...body,
    });
  const [given, deleted] = [await caseOf('to-give'), await caseOf('to-delete')];
  expect(await codeOf(decide(given.id, { outcome: 'given' }))).toEqual([400, 'invalid_request']);
  expect(await decide(given.id, { outcome: 'given', member_id: 'lee' })).toMatchObject({
    status: 200,
    body: { resolution: 'key_given', resolved_by: 'kim' },
  });
  expect(await codeOf(decide(given.id, { outcome: 'deleted' }))).toEqual([409, 'already_settled']);
  expect(await traceOf(world, 'to-give')).toEqual({
    key: {
      member_id: 'lee',
      status: 'active',
      card_name: '토스페이',
      card_number: null,
      issued_by: given.svcUid,
    },
    events: ['card.registered'],
  });
  expect(await sendNotification(world, given.svcUid, 'to-give')).toEqual({
    status: 200,
    outcome: 'unchanged',
  });

  await world.sandbox.fault({ endpoint: 'DELETE /subscribe/customers/:customer_uid', kind: 'lost_response' });
  expect(await codeOf(decide(deleted.id, { outcome: 'deleted' }))).toEqual([503, 'billing_key_not_removed']);
  expect(await decide(deleted.id, { outcome: 'deleted' })).toMatchObject({
    status: 200,
    body: { resolution: 'key_deleted' },
  });
  expect(await traceOf(world, 'to-delete')).toEqual({ key: null, events: [] });
});
