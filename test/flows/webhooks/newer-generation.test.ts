// The newer interface generation notifies of a payment in its own words (§6.2, §6.4). The rows are those of the legacy
// one.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { discrepanciesOf, getOrder, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeAll(async () => {
  await world.sandbox.settings({ generation: 'newer' });
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
  const before = await world.rows.query('select status from orders where merchant_uid = $1', ['newer-retry']);
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
  const discrepancies = await world.rows.query('select kind, actual from discrepancies where svc_uid = $1', [
    svc_uid,
  ]);
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
