// A person settles a discrepancy: written down with who, when and why, and only where the service does not contradict it.

import { codeOf } from '../../support/call-api';
import { CANCEL_PAYMENT, discrepancyOf, payForNobody, payTwice } from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const resolve = (id: string, resolution: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/discrepancies/${id}/resolve`, { resolution, note: 'agreed by phone', ...fields });
const sumOf = async (name: string, label: string): Promise<number> => {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{${label}\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
};

test.each(['accepted', 'ignored'])(
  '%s is a note: it asks the service nothing, and moves neither money nor the order',
  async (resolution) => {
    const { second, id } = await payTwice(world, `note-${resolution}`);
    const money = await world.rows.money();
    const calls = await world.sandbox.allRequests();
    const { status, body } = await resolve(id, resolution, { by: 'kim' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, resolution, resolved_by: 'kim', resolution_note: 'agreed by phone' });
    expect(await discrepancyOf(world, second, 'duplicate_payment')).toMatchObject({
      resolution,
      resolved_at: world.clock.now(),
    });
    expect(await world.rows.money()).toBe(money);
    expect(await world.sandbox.allRequests()).toBe(calls);
    const { list } = (await world.api('GET', `/api/discrepancies?svc_uid=${second}&open=false`)).body;
    expect(list).toEqual([body]);
  },
);

test('a decision is one line in the log, without the note', async () => {
  const { svcUid, id } = await payForNobody(world, 'note-log');
  await resolve(id, 'ignored', { note: 'Mrs Canary asked for it', by: 'lee' });
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { level: 30, decided: 'discrepancy', svc_uid: svcUid, outcome: 'ignored', by: 'lee' },
  ]);
  expect(world.log.text()).not.toContain('Canary');
});

test('a card number in a note is masked before it is kept', async () => {
  const { id } = await payForNobody(world, 'note-card');
  const { body } = await resolve(id, 'ignored', { note: 'paid with 4242 4242 4242 4242' });
  expect(body.resolution_note).toBe('paid with 424242******4242');
  expect(await world.rows.dump()).not.toContain('4242 4242');
});

test('refunded is refused while the payment holds money, and says how much', async () => {
  const { svcUid, id } = await payForNobody(world, 'held');
  const refused = await resolve(id, 'refunded');
  expect([refused.status, refused.body.error]).toEqual([
    409,
    {
      code: 'service_contradicts',
      message: `The payment service shows ${svcUid} as paid: it holds 1000 KRW.`,
    },
  ]);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 999 }));
  expect((await resolve(id, 'refunded')).body.error.message).toContain('it holds 1 KRW');
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolved_at: null });

  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect((await resolve(id, 'refunded')).body).toMatchObject({
      resolution: 'refunded',
      resolved_by: 'api',
    });
  });
  expect(sent).toBe(0);
});

test('refunded is refused for a payment that the service does not know', async () => {
  await registerOrder(world, 'unheard');
  await sendNotification(world, 'svc_unheard', 'unheard');
  const { id } = await discrepancyOf(world, 'svc_unheard', 'unknown_payment');
  expect(await codeOf(resolve(id, 'refunded'))).toEqual([409, 'service_contradicts']);
  expect(await codeOf(resolve(id, 'ignored'))).toEqual([200, undefined]);
});

test('where the service cannot be asked, nothing is settled', async () => {
  const { svcUid, id } = await payForNobody(world, 'service-down');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  const before = await world.rows.books();
  expect(await codeOf(resolve(id, 'refunded'))).toEqual([503, 'service_unavailable']);
  expect(await world.rows.books()).toBe(before);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolution: null });
});

test('of two people who decide at once, the second is told; so is everybody afterwards', async () => {
  const { svcUid, id } = await payForNobody(world, 'both-decide');
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  // Both have read the row before either of them writes.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 300, times: 2 });
  const answers = await Promise.all(['kim', 'lee'].map((by) => resolve(id, 'refunded', { by })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body;
  expect(await codeOf(resolve(id, 'accepted'))).toEqual([409, 'already_settled']);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({
    resolution: winner.resolution,
    resolved_by: winner.resolved_by,
  });
});

test('what a person has decided stands when the same difference is seen again, and another one opens it', async () => {
  await registerOrder(world, 'again');
  const { svc_uid: svcUid } = await paySilently(world, 'again', { amount: 900 });
  await sendNotification(world, svcUid, 'again');
  const { id } = await discrepancyOf(world, svcUid, 'amount_mismatch');
  await resolve(id, 'accepted', { by: 'kim' });
  expect((await sendNotification(world, svcUid, 'again')).outcome).toBe('amount_mismatch');
  expect(await discrepancyOf(world, svcUid, 'amount_mismatch')).toMatchObject({
    times_seen: 2,
    resolution: 'accepted',
    resolved_by: 'kim',
    resolved_at: world.clock.now(),
  });

  await world.sandbox.call('POST', `/payments/${svcUid}/tamper`, { amount: 901 });
  expect((await sendNotification(world, svcUid, 'again')).outcome).toBe('amount_mismatch');
  expect(await discrepancyOf(world, svcUid, 'amount_mismatch')).toMatchObject({
    id,
    actual: '901 KRW',
    resolved_at: null,
    resolution: null,
    resolved_by: null,
    resolution_note: null,
  });
  expect((await resolve(id, 'ignored')).status).toBe(200);
});

test('a payment that fits settles by itself what nobody has decided, and leaves a decision alone', async () => {
  const open = await payForNobody(world, 'fits-open');
  const decided = await payForNobody(world, 'fits-decided');
  await resolve(decided.id, 'ignored', { by: 'kim' });
  for (const [uid, { svcUid }] of [
    ['fits-open', open],
    ['fits-decided', decided],
  ] as const) {
    await registerOrder(world, uid);
    expect((await sendNotification(world, svcUid, uid)).outcome).toBe('recorded');
  }
  expect(await discrepancyOf(world, open.svcUid, 'unknown_order')).toMatchObject({
    resolved_at: world.clock.now(),
    resolution: null,
  });
  expect(await discrepancyOf(world, decided.svcUid, 'unknown_order')).toMatchObject({
    resolution: 'ignored',
    resolved_by: 'kim',
  });
  expect(await codeOf(resolve(open.id, 'accepted'))).toEqual([409, 'already_settled']);
});

test.each([
  ['without a note', { note: undefined }],
  ['with an empty note', { note: '  ' }],
  ['with a note of 501 characters', { note: 'x'.repeat(501) }],
  ['with a note of two lines', { note: 'one\ntwo' }],
  ['with an unknown resolution', { resolution: 'settled' }],
  ['with a name of 65 characters', { by: 'x'.repeat(65) }],
  ['with a field that nothing reads', { amount: 1 }],
])('a decision %s is refused', async (_, fields) => {
  const { id } = await payForNobody(world, `bad-${_.replace(/\W/g, '')}`.slice(0, 40));
  expect(await codeOf(expectNoEffect(world, () => resolve(id, 'accepted', fields)))).toEqual([
    400,
    'invalid_request',
  ]);
});

test.each(['999999', 'abc', '-1', '9'.repeat(19)])('no discrepancy has the id %s: 404', async (id) => {
  expect(await codeOf(expectNoEffect(world, () => resolve(id, 'accepted')))).toEqual([
    404,
    'discrepancy_not_found',
  ]);
});

test('M13 a discrepancy that wants a person is one warning and one count, however often it is seen', async () => {
  const name = 'merchant_discrepancies_total';
  const before = await sumOf(name, 'kind="needs_review"');
  await registerOrder(world, 'm13-review');
  const { svc_uid: svcUid } = await paySilently(world, 'm13-review');
  const response = { abc_uid: svcUid, merchant_uid: 'm13-review', status: 'paid', amount: 1000 };
  const body = { code: 0, message: null, response };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times: 2 });
  await sendNotification(world, svcUid, 'm13-review');
  await sendNotification(world, svcUid, 'm13-review');
  expect(await discrepancyOf(world, svcUid, 'needs_review')).toMatchObject({ times_seen: 2 });
  const lines = world.log.events('discrepancy_noted').filter((line) => line['svc_uid'] === svcUid);
  expect(lines).toMatchObject([{ level: 40, kind: 'needs_review', merchant_uid: 'm13-review' }]);
  expect(await sumOf(name, 'kind="needs_review"')).toBe(before + 1);
});

test('M13 a second payment, and money for a cancelled order, are a warning and a count each', async () => {
  const { second } = await payTwice(world, 'm13-twice');
  await registerOrder(world, 'm13-closed');
  const { svc_uid: first } = await world.sandbox.pay({ merchant_uid: 'm13-closed', amount: 1000 });
  await world.sandbox.control(first, 'cancel');
  const { svc_uid: late } = await world.sandbox.pay({ merchant_uid: 'm13-closed', amount: 1000 });
  const kinds = (svcUid: string) =>
    world.log
      .events('discrepancy_noted')
      .filter((line) => line['svc_uid'] === svcUid)
      .map(({ level, kind }) => [level, kind]);
  expect(kinds(second)).toEqual([[40, 'duplicate_payment']]);
  expect(kinds(late)).toEqual([[40, 'paid_after_close']]);
});

test('M13 a payment with another member’s key is a warning and a count', async () => {
  const key = await registerKey(world);
  await registerOrder(world, 'm13-foreign', { member_id: 'somebody-else' });
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: 'm13-foreign',
    amount: 1000,
    customer_uid: key.customerUid,
  });
  expect(await discrepancyOf(world, svcUid, 'foreign_billing_key')).toMatchObject({ resolved_at: null });
  expect(world.log.events('discrepancy_noted').filter((line) => line['svc_uid'] === svcUid)).toMatchObject([
    { level: 40, kind: 'foreign_billing_key' },
  ]);
});
