// A paid order told of by the newer interface generation (§6.2, §6.4): the same rows, by another road.

import { startWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.sandbox.settings({ generation: 'newer' });
});
afterAll(() => world.close());

const order = async (merchantUid: string): Promise<void> => {
  await world.api('POST', '/api/orders', { merchant_uid: merchantUid, name: 'Tea', amount: 1000 });
};
const shown = async (merchantUid: string) => (await world.api('GET', `/api/orders/${merchantUid}`)).body;

test('paid, cancelled in part, cancelled: each is told and followed', async () => {
  await order('newer-paid');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'newer-paid', amount: 1000 });
  expect(await shown('newer-paid')).toMatchObject({ status: 'paid', payments: [{ status: 'paid' }] });
  await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
  expect(await shown('newer-paid')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 400 }],
  });
  await world.sandbox.control(svc_uid, 'cancel');
  expect(await shown('newer-paid')).toMatchObject({
    status: 'cancelled',
    payments: [{ cancel_amount: 1000 }],
  });
  expect(await world.sandbox.requests('GET /payments/:svc_uid')).toBe(0);
  expect(await world.sandbox.requests('POST /v2/signin/api-key')).toBe(1);
});

test('a virtual account, then its deposit', async () => {
  await order('newer-vbank');
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: 'newer-vbank',
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect(await shown('newer-vbank')).toMatchObject({ status: 'awaiting_deposit' });
  await world.sandbox.control(svc_uid, 'deposit');
  expect(await shown('newer-vbank')).toMatchObject({ status: 'paid' });
});

test('a failed attempt is told of, and a later one pays; a late word about the first changes nothing', async () => {
  await order('newer-retry');
  const failed = await world.sandbox.pay({ merchant_uid: 'newer-retry', amount: 1000, outcome: 'failed' });
  expect(await shown('newer-retry')).toMatchObject({ status: 'failed' });
  await world.sandbox.pay({ merchant_uid: 'newer-retry', amount: 1000 });
  expect(await shown('newer-retry')).toMatchObject({ status: 'paid', payments: [{}, {}] });
  const before = await world.rows.query('select status from orders where merchant_uid = $1', ['newer-retry']);
  await world.sandbox.control(failed.svc_uid, 'notify');
  expect(
    await world.rows.query('select status from orders where merchant_uid = $1', ['newer-retry']),
  ).toEqual(before);
  expect(
    await world.rows.query('select kind from discrepancies where merchant_uid = $1', ['newer-retry']),
  ).toEqual([]);
});

test('a wrong amount is refused as in the legacy generation', async () => {
  await order('newer-forged');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'newer-forged', amount: 1 });
  expect(await shown('newer-forged')).toMatchObject({ status: 'open', payments: [] });
  const rows = await world.rows.query('select kind, actual from discrepancies where svc_uid = $1', [svc_uid]);
  expect(rows).toEqual([{ kind: 'amount_mismatch', actual: '1 KRW' }]);
});

test('one payment told of in both generations is one payment', async () => {
  await order('both');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'both', amount: 1000 });
  await world.sandbox.settings({ generation: 'legacy' });
  await world.sandbox.control(svc_uid, 'notify');
  await world.sandbox.settings({ generation: 'newer' });
  expect(await shown('both')).toMatchObject({ status: 'paid', payments: [{ svc_uid }] });
  expect(await world.rows.query('select kind from discrepancies where merchant_uid = $1', ['both'])).toEqual(
    [],
  );
});
