// Notifications of the newer generation (§6.2, §6.4), alone or beside the legacy one (§9): the rows are the same, data of one is never
// deleted by the other, and an order with a member counts as paid only when the payer is known.

import { registerKey } from '../../support/keys';
import { discrepanciesOf, getOrder, newUid, paySilently, registerOrder } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const NEWER = 'GET /v2/payments/:payment_id';
type Generation = 'legacy' | 'newer';

/** An order, paid at the service, which has sent no notification. */
async function payOrder(order: object = {}, payment: object = {}) {
  const uid = await registerOrder(world, newUid(), { ...order });
  const { svc_uid: svcUid } = await paySilently(world, uid, { ...payment });
  const words = {
    legacy: { svc_uid: svcUid, merchant_uid: uid, status: 'paid' },
    newer: { tx_id: svcUid, payment_id: uid, status: 'PAID' },
  };
  const tell = async (generation: Generation) => (await world.notify(words[generation])).outcome;
  const tellInTurn = async (...generations: Generation[]) => {
    const outcomes = [];
    for (const generation of generations) outcomes.push(await tell(generation));
    return outcomes;
  };
  return { uid, svcUid, tell, tellInTurn, show: () => getOrder(world, uid) };
}

/** Runs something while the service sends notifications of the newer generation. */
async function inNewerWords(act: () => Promise<void>): Promise<void> {
  await world.sandbox.settings({ generation: 'newer' });
  try {
    await act();
  } finally {
    await world.sandbox.settings({ generation: 'legacy' });
  }
}

test('paid, cancelled in part, cancelled: each is notified and recorded', () =>
  inNewerWords(async () => {
    const legacyFetches = await world.sandbox.requests(FETCH_PAYMENT);
    const uid = await registerOrder(world);
    const { svc_uid } = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
    expect(await getOrder(world, uid)).toMatchObject({ status: 'paid', payments: [{ status: 'paid' }] });
    await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
    const inPart = { status: 'partially_cancelled', payments: [{ cancel_amount: 400 }] };
    expect(await getOrder(world, uid)).toMatchObject(inPart);
    await world.sandbox.control(svc_uid, 'cancel');
    const whole = { status: 'cancelled', payments: [{ cancel_amount: 1000 }] };
    expect(await getOrder(world, uid)).toMatchObject(whole);
    expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(legacyFetches);
  }));

test('a wrong amount is refused as in the legacy generation', () =>
  inNewerWords(async () => {
    const uid = await registerOrder(world);
    await world.sandbox.pay({ merchant_uid: uid, amount: 1 });
    expect(await getOrder(world, uid)).toMatchObject({ status: 'open', payments: [] });
    const mismatch = { kind: 'amount_mismatch', actual: '1 KRW' };
    expect(await discrepanciesOf(world, uid)).toMatchObject([mismatch]);
  }));

test('M30 a payment that both generations notify in turn is recorded once and keeps card, key and receipt', async () => {
  const { uid, svcUid, tellInTurn } = await payOrder();
  const outcomes = await tellInTurn('legacy', 'newer', 'legacy', 'newer', 'legacy', 'newer');
  expect(outcomes).toEqual(['recorded', ...Array.from({ length: 5 }, () => 'unchanged')]);
  const kept = `card_name is not null and card_number like '%*%' and receipt_url like 'http%'`;
  expect(
    await world.rows.query(`select from payments where svc_uid = $1 and ${kept}`, [svcUid]),
  ).toHaveLength(1);
  expect(await discrepanciesOf(world, uid)).toEqual([]);
});

test('M30 fields that only the legacy generation has are added once to a payment of the newer one', async () => {
  const { tellInTurn, show } = await payOrder();
  const outcomes = await tellInTurn('newer', 'legacy', 'newer', 'legacy');
  expect(outcomes).toEqual(['recorded', 'recorded', 'unchanged', 'unchanged']);
  expect(await show()).toMatchObject({ status: 'paid', payments: [{ pay_method: 'card' }] });
});

test('M30 a cancellation in the newer generation keeps the fields of the legacy one', async () => {
  const { svcUid, tell, show } = await payOrder();
  await tell('legacy');
  await inNewerWords(() => world.sandbox.control(svcUid, 'cancel', { amount: 400 }));
  const payments = [{ cancel_amount: 400, pay_method: 'card' }];
  expect(await show()).toMatchObject({ status: 'partially_cancelled', payments });
});

test('M29 a payment with another member’s key does not pay in the newer generation either', async () => {
  const { customerUid } = await registerKey(world);
  const { uid, tell, show } = await payOrder({ member_id: 'somebody-else' }, { customer_uid: customerUid });
  expect(await tell('newer')).toBe('recorded');
  expect(await show()).toMatchObject({ status: 'open', payments: [{ counted: false }] });
  expect(await tell('legacy')).toBe('unchanged');
  expect(await show()).toMatchObject({ status: 'open' });
  expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'foreign_billing_key' }]);
});

test('M29 a payment with the member’s own key pays in the newer generation', async () => {
  const { memberId, customerUid } = await registerKey(world);
  const { tell, show } = await payOrder({ member_id: memberId }, { customer_uid: customerUid });
  expect(await tell('newer')).toBe('recorded');
  expect(await show()).toMatchObject({ status: 'paid', payments: [{ customer_uid: customerUid }] });
});

const openDiscrepancies = (svcUid: string) =>
  world.rows.query('select kind from discrepancies where svc_uid = $1 and resolved_at is null', [svcUid]);

test('M29 the order is paid only once the legacy record shows the payer', async () => {
  const { svcUid, tell, show } = await payOrder({ member_id: 'member-1' });
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, status: 404, times: 1 });
  expect(await tell('newer')).toBe('queued');
  expect(await show()).toMatchObject({ status: 'open', payments: [] });
  expect(await openDiscrepancies(svcUid)).toEqual([{ kind: 'needs_review' }]);
  await world.advance(2);
  expect(await show()).toMatchObject({ status: 'paid' });
  expect(await openDiscrepancies(svcUid)).toEqual([]);
});

/** The newer generation shows these fields of the transaction for this number of fetches. */
function showInstead(uid: string, svcUid: string, transaction: object, times = 1) {
  const transactions = [{ id: svcUid, is_primary: true, currency: 'KRW', ...transaction }];
  const body = { payment: { id: uid, transactions } };
  return world.sandbox.fault({ endpoint: NEWER, kind: 'status', status: 200, times, body });
}

test('M17 the newer generation’s partial cancellation and reason of a failure are recorded', async () => {
  const { uid, svcUid, tell, show } = await payOrder();
  const failure = { reason: 'limit reached' };
  await showInstead(uid, svcUid, { status: 'FAILED', amount: { total: 1000 }, failure });
  expect(await tell('newer')).toBe('recorded');
  expect(await show()).toMatchObject({ status: 'failed', payments: [{ fail_reason: 'limit reached' }] });
  const amount = { total: 1000, cancelled: 300 };
  await showInstead(uid, svcUid, { status: 'PARTIAL_CANCELLED', amount });
  expect(await tell('newer')).toBe('recorded');
  expect(await show()).toMatchObject({ status: 'partially_cancelled', payments: [{ cancel_amount: 300 }] });
});

test('M17 a status that stays unknown for a day becomes a discrepancy, which is resolved once the status is known', async () => {
  const { uid, svcUid, tell, show } = await payOrder();
  await showInstead(uid, svcUid, { status: 'DREAMING', amount: { total: 1000 } }, 1000);
  expect(await tell('newer')).toBe('queued');
  await world.advance(3600);
  expect(await openDiscrepancies(svcUid)).toEqual([]);
  await world.advance(24 * 3600);
  expect(await openDiscrepancies(svcUid)).toEqual([{ kind: 'needs_review' }]);
  await world.sandbox.clearFaults();
  await world.advance(3600);
  expect(await show()).toMatchObject({ status: 'paid' });
  expect(await openDiscrepancies(svcUid)).toEqual([]);
});
