// A member is erased: what was to be charged is not, the cards are gone at the service, and what was personal stands in no
// row, also after the payment is fetched again. What cannot be done yet is finished without another call.

import { closeContext } from '../../../src/merchant/context';
import { eraseMember } from '../../../src/merchant/members/erase-member';
import { openContext } from '../../support/beside-world';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { CHARGE_KEY, FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { createMemberBrowser } from '../../support/member-browser';
import { keyOf, registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import {
  charge,
  chargesOf,
  getOrder,
  newUid,
  notificationsOf,
  orderStatus,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { bothSides, runReconcileJob } from '../../support/reconciliation';
import {
  DAY,
  eventsOf,
  getSubscription,
  HOUR,
  inSeconds,
  pass,
  scheduledWith,
  subscribe,
} from '../../support/subscriptions';
import { startWorld, type World } from '../../support/world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const MINUTE = 60;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.sandbox.clearFaults());
afterAll(() => world.close());

const erase = (memberId: string) => world.api('POST', `/api/members/${memberId}/erase`);
const erasures = () => world.rows.query('select * from erasures order by id desc');

let members = 0;

/** A member with a card of its own number, and everything by which it could be known. */
async function newMember() {
  members += 1;
  const lastFour = String(7000 + members);
  const key = await registerKey(world, { card_number: `5409-1357-2468-${lastFour}` });
  const buyer = {
    name: `Canary ${members}`,
    email: `canary-${members}@example.com`,
    tel: `010-5555-${lastFour}`,
    addr: `${members} Canary-ro`,
    postcode: String(90_000 + members),
  };
  const customData = { note: `canary-data-${members}` };
  const canaries = [...Object.values(buyer), customData.note, key.memberId, `,${lastFour},`, `-${lastFour}`];
  return { ...key, buyer, customData, canaries };
}
type Member = Awaited<ReturnType<typeof newMember>>;

const fieldsOf = ({ memberId, buyer, customData }: Member) => ({
  member_id: memberId,
  buyer,
  custom_data: customData,
});

/** An order of the member that is paid with its card. */
async function paidOrder(member: Member): Promise<{ merchantUid: string; svcUid: string }> {
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  expect((await charge(world, merchantUid, member.customerUid)).status).toBe(200);
  return { merchantUid, svcUid: (await getOrder(world, merchantUid)).payments[0].svc_uid };
}

/** The canaries of a member that stand in any row of any table. */
async function found({ canaries }: Member): Promise<string[]> {
  const dump = await world.rows.dump();
  return canaries.filter((canary) => dump.includes(canary));
}

/** Every row that names the member, its card, or its orders. */
async function rowsOf(member: Member): Promise<string[]> {
  const orders = await world.rows.query<{ uid: string }>(
    'select merchant_uid as uid from orders where member_id = $1',
    [member.memberId],
  );
  const ids = [member.memberId, member.customerUid, ...orders.map(({ uid }) => uid)];
  const lines = (await world.rows.dump()).split('\n');
  return lines
    .filter((line) => !line.startsWith('graphile_worker') && ids.some((id) => line.includes(id)))
    .sort();
}

test('M26 erasing a member revokes, closes and deletes, and leaves nothing personal in any row of any table', async () => {
  const other = await newMember();
  await paidOrder(other);
  await subscribe(world, other, { first_payment_at: inSeconds(world, 300 * DAY) });
  const member = await newMember();
  const { merchantUid, svcUid } = await paidOrder(member);
  const open = await registerOrder(world, newUid(), fieldsOf(member));
  const declined = await registerOrder(world, newUid(), fieldsOf(member));
  await world.sandbox.pay({ merchant_uid: declined, amount: 1000, outcome: 'failed' });
  // It names nobody, and the member's card has paid for it.
  const unnamed = await registerOrder(world, newUid(), { ...fieldsOf(member), member_id: undefined });
  await charge(world, unnamed, member.customerUid);
  const subscription = await subscribe(world, member, { first_payment_at: inSeconds(world, HOUR) });
  const scheduled = newUid();
  const plan = {
    customer_uid: member.customerUid,
    ...fieldsOf(member),
    merchant_uid: scheduled,
    name: 'Tea',
    amount: 500,
    schedule_at: Math.floor(world.clock.nowMs() / 1000) + 2 * HOUR,
  };
  expect((await world.api('POST', '/api/schedules', plan)).status).toBe(201);
  await pass(world, 0);
  const others = await rowsOf(other);
  expect(await found(member)).toEqual(member.canaries);
  world.log.clear();

  let answer = { status: 0, body: {} as any };
  const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
    answer = await erase(member.memberId);
  });

  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ status: 'erased', waiting: [], to_check: [] }),
  ]);
  expect(answer.body.kept.columns).toEqual(
    expect.arrayContaining([
      'orders.amount',
      'payments.svc_uid',
      'refunds.cancel_reason',
      'payments.paid_at',
    ]),
  );
  expect(answer.body.kept.columns).not.toContain('orders.buyer_name');
  expect(deletions).toBe(1);
  expect(await found(member)).toEqual([]);
  expect(world.log.text()).not.toContain(member.memberId);

  expect((await keyOf(world, member.customerUid))?.['status']).toBe('removed');
  expect(await getOrder(world, merchantUid)).toMatchObject({
    status: 'paid',
    amount: 1000,
    member_id: null,
    payments: [{ svc_uid: svcUid, status: 'paid', amount: 1000, customer_uid: member.customerUid }],
  });
  expect(await orderStatus(world, unnamed)).toBe('paid');
  for (const uid of [open, declined, scheduled, `${subscription}-1`])
    expect([uid, await orderStatus(world, uid)]).toEqual([uid, 'closed']);
  expect(await chargesOf(world, scheduled)).toMatchObject([{ status: 'revoked' }]);
  expect(await getSubscription(world, subscription)).toMatchObject({ status: 'cancelled', member_id: null });
  expect(await eventsOf(world, subscription)).toEqual(['ended 1.0 cancelled']);
  expect(await scheduledWith(world, member)).toEqual([]);
  expect((await erasures())[0]).toMatchObject({ member_id: null, finished_at: world.clock.now() });
  expect(await rowsOf(other)).toEqual(others);

  const paid = (await bothSides(world)).service;
  await pass(world, 3 * HOUR);
  expect((await bothSides(world)).service).toEqual(paid);
});

test('twice is the same answer, and the second time nothing is sent or written', async () => {
  const member = await newMember();
  await paidOrder(member);
  await pass(world, 0);
  const first = await erase(member.memberId);
  await pass(world, 0);
  expect(await expectNoEffect(world, () => erase(member.memberId))).toEqual(first);
  expect(await expectNoEffect(world, () => erase('nobody'))).toEqual(first);
  expect((await expectNoEffect(world, () => erase('%00'))).status).toBe(200);
});

test('M26 what the service still shows of the buyer does not come back by a notification, a sync, a refund or reconciliation', async () => {
  const member = await newMember();
  const { merchantUid, svcUid } = await paidOrder(member);
  expect((await erase(member.memberId)).status).toBe(200);

  const before = await world.rows.money();
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unchanged');
  const sync = await world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid });
  expect(sync.body.outcome).toBe('unchanged');
  const newer = await world.notify({ tx_id: svcUid, payment_id: merchantUid, status: 'PAID' });
  expect(newer.outcome).toBe('unchanged');
  expect(await world.rows.money()).toBe(before);

  const refund = { amount: 300, checksum: 1000, reason: 'one was broken' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, refund)).status).toBe(200);
  expect(await getOrder(world, merchantUid)).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 300, record: { cancel_history: [{ amount: 300 }] } }],
  });
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 700 }));
  await runReconcileJob(world);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  expect((await sendNotification(world, svcUid, merchantUid, 'cancelled')).outcome).toBe('unchanged');
  await pass(world, 0);
  expect(await found(member)).toEqual([]);
});

test('M26 a payment that comes after the erasure is recorded without its buyer', async () => {
  const member = await newMember();
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  expect((await erase(member.memberId)).status).toBe(200);
  const { name, email, tel } = member.buyer;
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    buyer_name: name,
    buyer_email: email,
    buyer_tel: tel,
    custom_data: JSON.stringify(member.customData),
  });
  expect((await notificationsOf(world, merchantUid)).at(-1)).toMatchObject({ outcome: 'recorded' });
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'paid', payments: [{ amount: 1000 }] });
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unchanged');
  expect(await found(member)).toEqual([]);
});

test('a sync that began before the erasure writes nothing of what it has fetched', async () => {
  const member = await newMember();
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    buyer_name: member.buyer.name,
  });
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 100 }));
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1500 });
  const fetches = await world.sandbox.requests(FETCH_PAYMENT);
  const slow = sendNotification(world, svcUid, merchantUid, 'cancelled');
  await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) > fetches);
  expect((await erase(member.memberId)).status).toBe(200);
  expect((await slow).outcome).toBe('recorded');
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');
  expect(await found(member)).toEqual([]);
});

test('M26 a charge whose outcome is not known is waited for, and the job finishes what is left', async () => {
  const member = await newMember();
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(() => charge(world, merchantUid, member.customerUid));
  const first = await erase(member.memberId);
  expect([first.status, first.body]).toEqual([
    202,
    expect.objectContaining({
      status: 'in_progress',
      waiting: [{ kind: 'order', id: merchantUid, reason: 'charge_pending' }],
    }),
  ]);
  expect(await found(member)).toContain(member.buyer.name);
  world.log.clear();
  await pass(world, 2 * MINUTE);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await found(member)).toEqual([]);
  expect(world.log.events('erasure_finished')).toHaveLength(1);
  expect(world.log.text()).not.toContain(member.memberId);
  expect((await erase(member.memberId)).status).toBe(200);
});

test('a charge that a person has to decide about keeps its order, and nothing else', async () => {
  const member = await newMember();
  const { merchantUid } = await paidOrder(member);
  const stuck = await registerOrder(world, newUid(), {
    member_id: member.memberId,
    buyer: { name: 'Stuck' },
  });
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ($1, $2, 'again', $3, 'needs_review', now())`,
    [`stuckcharge${members}`, stuck, member.customerUid],
  );
  expect((await erase(member.memberId)).body.waiting).toEqual([
    { kind: 'order', id: stuck, reason: 'charge_needs_review' },
  ]);
  expect((await getOrder(world, merchantUid)).buyer).toBeNull();
  expect((await getOrder(world, stuck)).buyer).toMatchObject({ name: 'Stuck' });
  await pass(world, DAY);
  expect(world.log.events('erasure_unfinished').at(-1)).toMatchObject({ level: 40 });
  const settle = { outcome: 'not_executed', note: 'not there' };
  expect((await world.api('POST', `/api/charges/stuckcharge${members}/settle`, settle)).status).toBe(200);
  const last = await erase(member.memberId);
  expect(last.status).toBe(200);
  expect((await getOrder(world, stuck)).buyer).toBeNull();
  expect(await found(member)).toEqual([]);
});

test('M26 a card that the service does not delete now is waited for, and the second call finishes', async () => {
  const member = await newMember();
  await paidOrder(member);
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  const first = await erase(member.memberId);
  expect([first.status, first.body.waiting]).toEqual([
    202,
    [{ kind: 'card', id: member.customerUid, reason: 'removal_pending' }],
  ]);
  await world.advance(MINUTE);
  await world.rows.query(`select graphile_worker.add_job('recover-removals')`);
  await world.advance(0);
  expect((await keyOf(world, member.customerUid))?.['status']).toBe('removed');
  const second = await erase(member.memberId);
  expect([second.status, second.body.waiting]).toEqual([200, []]);
  expect(await found(member)).toEqual([]);
});

test('a card that the service refuses to delete stays, says so, and is tried again', async () => {
  const member = await newMember();
  const refusal = { code: 1, message: 'not now', response: null };
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status: 200, body: refusal });
  expect((await erase(member.memberId)).body.waiting).toEqual([
    { kind: 'card', id: member.customerUid, reason: 'removal_refused' },
  ]);
  expect((await keyOf(world, member.customerUid))?.['status']).toBe('active');
  await pass(world, 2 * MINUTE);
  expect((await keyOf(world, member.customerUid))?.['status']).toBe('removed');
  expect(await found(member)).toEqual([]);
});

test('a subscription that cannot be cancelled now goes on until it is', async () => {
  const member = await newMember();
  const id = await subscribe(world, member, { first_payment_at: inSeconds(world, 5 * DAY) });
  const endpoint = 'POST /subscribe/payments/unschedule';
  await world.sandbox.fault({ endpoint, kind: 'status', status: 429, times: 2 });
  const { status, body } = await erase(member.memberId);
  expect([status, body.waiting]).toEqual([
    202,
    [
      { kind: 'subscription', id, reason: 'service_unavailable' },
      { kind: 'card', id: member.customerUid, reason: expect.stringMatching(/^removal_/) },
      { kind: 'order', id: `${id}-1`, reason: 'order_scheduled' },
    ],
  ]);
  expect((await getSubscription(world, id)).status).toBe('active');
  await pass(world, 2 * MINUTE);
  await pass(world, 2 * MINUTE);
  expect((await getSubscription(world, id)).status).toBe('cancelled');
  expect(await found(member)).toEqual([]);
});

test('a virtual account that can still be paid into keeps its order until it cannot', async () => {
  const member = await newMember();
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect((await erase(member.memberId)).body.waiting).toEqual([
    { kind: 'order', id: merchantUid, reason: 'awaiting_deposit' },
  ]);
  await world.sandbox.control(svcUid, 'deposit');
  expect((await erase(member.memberId)).status).toBe(200);
  const [payment] = (await getOrder(world, merchantUid)).payments;
  expect(payment).toMatchObject({ status: 'paid', vbank_num: null, vbank_holder: null });
  expect(payment.vbank_code).not.toBeNull();
  expect(await found(member)).toEqual([]);
});

test('a refund whose outcome is not known is waited for, and what people have typed is named', async () => {
  const member = await newMember();
  const { merchantUid, svcUid } = await paidOrder(member);
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'Mrs Kim was unhappy' });
  const [refund] = await world.rows.query<{ id: string }>('select id from refunds where svc_uid = $1', [
    svcUid,
  ]);
  expect((await erase(member.memberId)).body).toMatchObject({
    waiting: [{ kind: 'order', id: merchantUid, reason: 'refund_pending' }],
    to_check: [{ kind: 'refund', id: refund?.id }],
  });
  await world.advance(MINUTE);
  const last = await erase(member.memberId);
  expect([last.status, last.body.to_check]).toEqual([200, [{ kind: 'refund', id: refund?.id }]]);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
});

/** What no statement can write meanwhile: the process fails there, as one that is killed before it. */
const STEPS = [
  ['it was asked for', 'subscriptions', `status <> 'cancelled'`],
  ['the subscription is cancelled', 'billing_keys', `status <> 'removed'`],
  ['the card is removed', 'orders', `status <> 'closed' or merchant_uid like 'sub-%'`],
  ['the orders are closed', 'orders', 'erased_at is null'],
  ['the orders are erased', 'erasures', 'finished_at is null'],
] as const;

test('M26 a process that dies after any step leaves an erasure that the next one finishes', async () => {
  for (const [step, table, condition] of STEPS) {
    const member = await newMember();
    const { merchantUid } = await paidOrder(member);
    await registerOrder(world, newUid(), fieldsOf(member));
    await subscribe(world, member, { first_payment_at: inSeconds(world, 5 * DAY) });
    await world.rows.query(`alter table ${table} add constraint dead check (${condition}) not valid`);
    try {
      expect([step, (await erase(member.memberId)).status]).toEqual([step, 503]);
    } finally {
      await world.rows.query(`alter table ${table} drop constraint dead`);
    }
    await world.forgetJobs();
    expect([step, await found(member)]).toEqual([step, expect.arrayContaining([member.memberId])]);
    await pass(world, 2 * MINUTE);
    await pass(world, 2 * MINUTE);
    expect([step, await found(member)]).toEqual([step, []]);
    expect(await orderStatus(world, merchantUid)).toBe('paid');
  }
});

test('two calls and the job at the same time erase once', async () => {
  const member = await newMember();
  await paidOrder(member);
  const process = openContext(world);
  try {
    await Promise.all([
      eraseMember(process, member.memberId),
      erase(member.memberId),
      world.runEveryMinute(),
    ]);
  } finally {
    await closeContext(process);
  }
  await pass(world, 2 * MINUTE);
  expect((await erase(member.memberId)).status).toBe(200);
  expect(await found(member)).toEqual([]);
});

test('an order that was erased can be charged by nobody, should the service take its payment back', async () => {
  const member = await newMember();
  const { merchantUid } = await paidOrder(member);
  await erase(member.memberId);
  await world.rows.query(`update orders set status = 'open' where merchant_uid = $1`, [merchantUid]);
  const other: StoredKey = await registerKey(world);
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const { status, body } = await charge(world, merchantUid, other.customerUid);
    expect([status, body.error.code]).toEqual([409, 'order_not_payable']);
  });
  expect(calls).toBe(0);
});

test('a card that is removed keeps no digits, and the consent to it stays', async () => {
  const member = createMemberBrowser(world);
  const { customerUid } = await member.register({ card_number: CARD_THAT_FAILS });
  await member.remove(await member.openForm('/cards'));
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed', card_number: null });
  const [issuance] = await world.rows.query('select * from billing_key_issuances where customer_uid = $1', [
    customerUid,
  ]);
  expect(issuance).toMatchObject({
    status: 'issued',
    card_last_four: '****',
    privacy_version: expect.any(String),
  });
});
