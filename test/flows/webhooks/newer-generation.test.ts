// The newer interface generation notifies of a payment in its own words (§6.2, §6.4), alone or beside the legacy one (§9): the
// rows are the same, what one has shown is never wiped by the other, and the member whose key paid is known before an order
// that names its member counts as paid.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import { discrepanciesOf, getOrder, paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

describe('in the words of the newer generation', () => {
  beforeAll(async () => {
    await world.sandbox.settings({ generation: 'newer' });
  });
  afterAll(async () => {
    await world.sandbox.settings({ generation: 'legacy' });
  });

  test('paid, cancelled in part, cancelled: each is told and followed', async () => {
    const legacyFetches = await world.sandbox.requests(FETCH_PAYMENT);
    await registerOrder(world, 'newer-paid');
    const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'newer-paid', amount: 1000 });
    expect(await getOrder(world, 'newer-paid')).toMatchObject({
      status: 'paid',
      payments: [{ status: 'paid' }],
    });
    await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
    expect(await getOrder(world, 'newer-paid')).toMatchObject({
      status: 'partially_cancelled',
      payments: [{ cancel_amount: 400 }],
    });
    await world.sandbox.control(svc_uid, 'cancel');
    expect(await getOrder(world, 'newer-paid')).toMatchObject({
      status: 'cancelled',
      payments: [{ cancel_amount: 1000 }],
    });
    expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(legacyFetches);
    expect(await world.sandbox.requests('POST /v2/signin/api-key')).toBe(1);
  });

  test('a virtual account, then its deposit', async () => {
    await registerOrder(world, 'newer-vbank');
    const { svc_uid } = await world.sandbox.pay({
      merchant_uid: 'newer-vbank',
      amount: 1000,
      outcome: 'virtual_account',
    });
    expect(await getOrder(world, 'newer-vbank')).toMatchObject({ status: 'awaiting_deposit' });
    await world.sandbox.control(svc_uid, 'deposit');
    expect(await getOrder(world, 'newer-vbank')).toMatchObject({ status: 'paid' });
  });

  test('a failed attempt is told of, and a later one pays; a late word about the first changes nothing', async () => {
    await registerOrder(world, 'newer-retry');
    const failed = await world.sandbox.pay({ merchant_uid: 'newer-retry', amount: 1000, outcome: 'failed' });
    expect(await getOrder(world, 'newer-retry')).toMatchObject({ status: 'failed' });
    await world.sandbox.pay({ merchant_uid: 'newer-retry', amount: 1000 });
    expect(await getOrder(world, 'newer-retry')).toMatchObject({ status: 'paid', payments: [{}, {}] });
    const before = await world.rows.query('select status from orders where merchant_uid = $1', [
      'newer-retry',
    ]);
    await world.sandbox.control(failed.svc_uid, 'notify');
    expect(
      await world.rows.query('select status from orders where merchant_uid = $1', ['newer-retry']),
    ).toEqual(before);
    expect(await discrepanciesOf(world, 'newer-retry')).toEqual([]);
  });

  test('a wrong amount is refused as in the legacy generation', async () => {
    await registerOrder(world, 'newer-forged');
    const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'newer-forged', amount: 1 });
    expect(await getOrder(world, 'newer-forged')).toMatchObject({ status: 'open', payments: [] });
    const discrepancies = await world.rows.query(
      'select kind, actual from discrepancies where svc_uid = $1',
      [svc_uid],
    );
    expect(discrepancies).toEqual([{ kind: 'amount_mismatch', actual: '1 KRW' }]);
  });

  test('one payment told of in both generations is one payment', async () => {
    await registerOrder(world, 'both');
    const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'both', amount: 1000 });
    await world.sandbox.settings({ generation: 'legacy' });
    await world.sandbox.control(svc_uid, 'notify');
    await world.sandbox.settings({ generation: 'newer' });
    expect(await getOrder(world, 'both')).toMatchObject({ status: 'paid', payments: [{ svc_uid }] });
    expect(await discrepanciesOf(world, 'both')).toEqual([]);
  });
});

const tell = (svcUid: string, merchantUid: string, generation: 'legacy' | 'newer') =>
  world.notify(
    generation === 'legacy'
      ? { svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }
      : { tx_id: svcUid, payment_id: merchantUid, status: 'PAID' },
  );
const rowOf = async (svcUid: string) =>
  (await world.rows.query('select * from payments where svc_uid = $1', [svcUid]))[0];

test('M30 told of in turn, six times, it is recorded once, and card, key and receipt stay', async () => {
  await registerOrder(world, 'in-turn');
  const { svc_uid } = await paySilently(world, 'in-turn');
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
  await registerOrder(world, 'newer-first');
  const { svc_uid } = await paySilently(world, 'newer-first');
  const outcomes = [];
  for (const generation of ['newer', 'legacy', 'newer', 'legacy'] as const)
    outcomes.push((await tell(svc_uid, 'newer-first', generation)).outcome);
  expect(outcomes).toEqual(['recorded', 'recorded', 'unchanged', 'unchanged']);
  expect(await rowOf(svc_uid)).toMatchObject({ pay_method: 'card', status: 'paid' });
});

test('M30 a cancellation told of by the newer generation keeps what the legacy one has shown', async () => {
  await registerOrder(world, 'then-cancelled');
  const { svc_uid } = await paySilently(world, 'then-cancelled');
  await tell(svc_uid, 'then-cancelled', 'legacy');
  await world.sandbox.settings({ generation: 'newer' });
  await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
  await world.sandbox.settings({ generation: 'legacy' });
  expect(await getOrder(world, 'then-cancelled')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 400, pay_method: 'card' }],
  });
});

test('M30 a second cancellation that only the newer generation tells of is not held against the history of the first', async () => {
  await registerOrder(world, 'cancelled-twice');
  const { svc_uid } = await paySilently(world, 'cancelled-twice');
  await world.sandbox.control(svc_uid, 'cancel', { amount: 400, notify: false });
  await tell(svc_uid, 'cancelled-twice', 'legacy');
  await world.sandbox.settings({ generation: 'newer' });
  await world.sandbox.control(svc_uid, 'cancel', { amount: 300 });
  await world.sandbox.settings({ generation: 'legacy' });
  expect(await discrepanciesOf(world, 'cancelled-twice')).toEqual([]);
  expect(await getOrder(world, 'cancelled-twice')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 700 }],
  });
});

test('M29 a payment made with the key of another member is not taken from the newer generation either', async () => {
  const stranger = await registerKey(world);
  await registerOrder(world, 'members-own', { member_id: 'somebody-else' });
  const { svc_uid } = await paySilently(world, 'members-own', { customer_uid: stranger.customerUid });
  expect((await tell(svc_uid, 'members-own', 'newer')).outcome).toBe('recorded');
  expect(await getOrder(world, 'members-own')).toMatchObject({
    status: 'open',
    payments: [{ counted: false }],
  });
  expect((await tell(svc_uid, 'members-own', 'legacy')).outcome).toBe('unchanged');
  expect(await getOrder(world, 'members-own')).toMatchObject({ status: 'open' });
  expect(await discrepanciesOf(world, 'members-own')).toMatchObject([{ kind: 'foreign_billing_key' }]);
});

test('M29 a payment with the member’s own key, told of by the newer generation, pays', async () => {
  const own = await registerKey(world);
  await registerOrder(world, 'own-key', { member_id: own.memberId });
  const { svc_uid } = await paySilently(world, 'own-key', { customer_uid: own.customerUid });
  expect((await tell(svc_uid, 'own-key', 'newer')).outcome).toBe('recorded');
  expect(await getOrder(world, 'own-key')).toMatchObject({
    status: 'paid',
    payments: [{ customer_uid: own.customerUid }],
  });
});

test('M29 while the payer cannot be seen the order is not paid, and it is when the legacy record is back', async () => {
  await registerOrder(world, 'payer-hidden', { member_id: 'member-1' });
  const { svc_uid } = await paySilently(world, 'payer-hidden');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, status: 404, times: 1 });
  expect((await tell(svc_uid, 'payer-hidden', 'newer')).outcome).toBe('queued');
  expect(await getOrder(world, 'payer-hidden')).toMatchObject({ status: 'open', payments: [] });
  await world.advance(2);
  expect(await getOrder(world, 'payer-hidden')).toMatchObject({ status: 'paid' });
  expect(
    await world.rows.query('select kind, resolved_at is null as open from discrepancies where svc_uid = $1', [
      svc_uid,
    ]),
  ).toEqual([{ kind: 'needs_review', open: false }]);
});

const NEWER = 'GET /v2/payments/:payment_id';

test('M17 a partial cancellation in the newer generation’s own word is one, and a reason of failure is kept', async () => {
  await registerOrder(world, 'partial-word');
  const { svc_uid } = await paySilently(world, 'partial-word');
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
  expect(await getOrder(world, 'partial-word')).toMatchObject({
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
  expect(await getOrder(world, 'partial-word')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 300 }],
  });
});

test('M17 a status that stays unknown for a day becomes a discrepancy, which is settled once it is known', async () => {
  await registerOrder(world, 'unknown-word');
  const { svc_uid } = await paySilently(world, 'unknown-word');
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
  await world.sandbox.clearFaults();
  await world.advance(3600);
  expect(await getOrder(world, 'unknown-word')).toMatchObject({ status: 'paid' });
  expect(await open()).toEqual([]);
});
