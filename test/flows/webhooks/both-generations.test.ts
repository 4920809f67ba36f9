// One payment told of by both interface generations (§6.2, §9): what one has shown is never wiped by the other, and the
// member whose key paid is known before an order that names its member counts as paid.

import { createCharging } from '../../support/charging';
import { startWorld, type World } from '../../support/world';

let world: World;
let charging: ReturnType<typeof createCharging>;
beforeAll(async () => {
  world = await startWorld();
  charging = createCharging(world);
});
afterAll(() => world.close());

const order = async (merchantUid: string, changes: object = {}): Promise<void> => {
  await world.api('POST', '/api/orders', {
    merchant_uid: merchantUid,
    name: 'Tea',
    amount: 1000,
    ...changes,
  });
};
const shown = async (merchantUid: string) => (await world.api('GET', `/api/orders/${merchantUid}`)).body;
const tell = (svcUid: string, merchantUid: string, generation: 'legacy' | 'newer') =>
  world.notify(
    generation === 'legacy'
      ? { svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }
      : { tx_id: svcUid, payment_id: merchantUid, status: 'PAID' },
  );
const rowOf = async (svcUid: string) =>
  (await world.rows.query('select * from payments where svc_uid = $1', [svcUid]))[0];

test('M30 told of in turn, six times, it is recorded once, and card, key and receipt stay', async () => {
  await order('in-turn');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'in-turn', amount: 1000, notify: false });
  const outcomes = [];
  for (const generation of ['legacy', 'newer', 'legacy', 'newer', 'legacy', 'newer'] as const)
    outcomes.push((await tell(svc_uid, 'in-turn', generation)).outcome);
  expect(outcomes).toEqual(['recorded', ...Array.from({ length: 5 }, () => 'unchanged')]);
  expect(await rowOf(svc_uid)).toMatchObject({
    pay_method: 'card',
    card_name: expect.any(String),
    card_number: expect.stringContaining('*'),
    receipt_url: expect.stringContaining('http'),
  });
});

test('M30 what the legacy generation adds to a payment that the newer one has told of is stored once', async () => {
  await order('newer-first');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'newer-first', amount: 1000, notify: false });
  const outcomes = [];
  for (const generation of ['newer', 'legacy', 'newer', 'legacy'] as const)
    outcomes.push((await tell(svc_uid, 'newer-first', generation)).outcome);
  expect(outcomes).toEqual(['recorded', 'recorded', 'unchanged', 'unchanged']);
  expect(await rowOf(svc_uid)).toMatchObject({ pay_method: 'card', status: 'paid' });
});

test('M30 a cancellation told of by the newer generation keeps what the legacy one has shown', async () => {
  await order('then-cancelled');
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: 'then-cancelled',
    amount: 1000,
    notify: false,
  });
  await tell(svc_uid, 'then-cancelled', 'legacy');
  await world.sandbox.settings({ generation: 'newer' });
  await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
  await world.sandbox.settings({ generation: 'legacy' });
  expect(await shown('then-cancelled')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 400, pay_method: 'card' }],
  });
});

test('M29 a payment made with the key of another member is not taken from the newer generation either', async () => {
  const stranger = await charging.registerKey();
  await order('members-own', { member_id: 'somebody-else' });
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: 'members-own',
    amount: 1000,
    customer_uid: stranger.customerUid,
    notify: false,
  });
  expect((await tell(svc_uid, 'members-own', 'newer')).outcome).toBe('recorded');
  expect(await shown('members-own')).toMatchObject({ status: 'open', payments: [{ counted: false }] });
  expect((await tell(svc_uid, 'members-own', 'legacy')).outcome).toBe('unchanged');
  expect(await shown('members-own')).toMatchObject({ status: 'open' });
  expect(
    await world.rows.query('select kind from discrepancies where merchant_uid = $1', ['members-own']),
  ).toEqual([{ kind: 'foreign_billing_key' }]);
});

test('M29 a payment with the member’s own key, told of by the newer generation, pays', async () => {
  const own = await charging.registerKey();
  await order('own-key', { member_id: own.memberId });
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: 'own-key',
    amount: 1000,
    customer_uid: own.customerUid,
    notify: false,
  });
  expect((await tell(svc_uid, 'own-key', 'newer')).outcome).toBe('recorded');
  expect(await shown('own-key')).toMatchObject({
    status: 'paid',
    payments: [{ customer_uid: own.customerUid }],
  });
});

test('M29 while the payer cannot be seen the order is not paid, and it is when the legacy record is back', async () => {
  await order('payer-hidden', { member_id: 'member-1' });
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'payer-hidden', amount: 1000, notify: false });
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', status: 404, times: 1 });
  expect((await tell(svc_uid, 'payer-hidden', 'newer')).outcome).toBe('queued');
  expect(await shown('payer-hidden')).toMatchObject({ status: 'open', payments: [] });
  await world.advance(2);
  expect(await shown('payer-hidden')).toMatchObject({ status: 'paid' });
  expect(
    await world.rows.query('select kind, resolved_at is null as open from discrepancies where svc_uid = $1', [
      svc_uid,
    ]),
  ).toEqual([{ kind: 'needs_review', open: false }]);
});

const NEWER = 'GET /v2/payments/:payment_id';

test('M17 a partial cancellation in the newer generation’s own word is one, and a reason of failure is kept', async () => {
  await order('partial-word');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'partial-word', amount: 1000, notify: false });
  const answer = (transaction: object) => ({
    payment: {
      id: 'partial-word',
      transactions: [{ id: svc_uid, is_primary: true, currency: 'KRW', ...transaction }],
    },
  });
  await world.sandbox.fault({
    endpoint: NEWER,
    kind: 'status',
    status: 200,
    times: 1,
    body: answer({ status: 'FAILED', amount: { total: 1000 }, failure: { reason: 'limit reached' } }),
  });
  expect((await tell(svc_uid, 'partial-word', 'newer')).outcome).toBe('recorded');
  expect(await shown('partial-word')).toMatchObject({
    status: 'failed',
    payments: [{ fail_reason: 'limit reached' }],
  });
  await world.sandbox.fault({
    endpoint: NEWER,
    kind: 'status',
    status: 200,
    times: 1,
    body: answer({ status: 'PARTIAL_CANCELLED', amount: { total: 1000, cancelled: 300 } }),
  });
  expect((await tell(svc_uid, 'partial-word', 'newer')).outcome).toBe('recorded');
  expect(await shown('partial-word')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 300 }],
  });
});

test('M17 a status that stays unknown for a day becomes a discrepancy, which is settled once it is known', async () => {
  await order('unknown-word');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'unknown-word', amount: 1000, notify: false });
  const body = {
    payment: {
      id: 'unknown-word',
      transactions: [
        { id: svc_uid, is_primary: true, status: 'DREAMING', amount: { total: 1000 }, currency: 'KRW' },
      ],
    },
  };
  await world.sandbox.fault({ endpoint: NEWER, kind: 'status', status: 200, times: 1000, body });
  expect((await tell(svc_uid, 'unknown-word', 'newer')).outcome).toBe('queued');
  const open = () =>
    world.rows.query('select kind from discrepancies where svc_uid = $1 and resolved_at is null', [svc_uid]);
  await world.advance(3600);
  expect(await open()).toEqual([]);
  await world.advance(24 * 3600);
  expect(await open()).toEqual([{ kind: 'needs_review' }]);
  await world.sandbox.call('DELETE', '/faults');
  await world.advance(3600);
  expect(await shown('unknown-word')).toMatchObject({ status: 'paid' });
  expect(await open()).toEqual([]);
});
