// The money of a deposit to a virtual account goes back to an account that the buyer names: asked for before anything is
// sent, passed on, and kept nowhere.

import { useRecordedWorld } from '../../support/recorded-line';

const CANCEL = 'POST /payments/cancel';
const ACCOUNT = { holder: '김카나리아', bank: '088', account: '110-4321-987654', tel: '010-7777-6666' };
/** As a person or a service may write them. */
const CANARIES = [ACCOUNT.holder, ACCOUNT.account, '1104321987654', ACCOUNT.tel, '01077776666'];

const world = useRecordedWorld({ logLevel: 'trace' });

/** A paid order, by the pay method of the window; returns the svc_uid. */
async function paid(merchantUid: string, payment: Record<string, unknown>): Promise<string> {
  await world.api('POST', '/api/orders', { merchant_uid: merchantUid, name: 'Tea', amount: 1000 });
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, ...payment });
  if (payment['outcome'] === 'virtual_account') await world.sandbox.control(svc_uid, 'deposit');
  expect((await world.api('GET', `/api/orders/${merchantUid}`)).body.status).toBe('paid');
  return svc_uid;
}
const deposited = (merchantUid: string) => paid(merchantUid, { outcome: 'virtual_account' });
const cancel = (svcUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'changed my mind', ...fields });
const refunds = (svcUid: string) => world.rows.query('select * from refunds where svc_uid = $1', [svcUid]);

async function expectRefused(svcUid: string, fields: Record<string, unknown>, words: string): Promise<void> {
  const before = await world.sandbox.requests(CANCEL);
  const { status, body } = await cancel(svcUid, fields);
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(words);
  for (const canary of CANARIES) expect(body.error.message).not.toContain(canary);
  expect(await refunds(svcUid)).toEqual([]);
  expect(await world.sandbox.requests(CANCEL)).toBe(before);
}

test('M32 a deposit to a virtual account is not refunded without an account: 400 with the fields, nothing is sent', async () => {
  const svcUid = await deposited('vbank-missing');
  await expectRefused(svcUid, {}, 'refund_account: holder, bank and account are required');
  await expectRefused(svcUid, { amount: 300, checksum: 1000 }, 'refund_account');
  expect((await world.api('GET', '/api/orders/vbank-missing')).body.status).toBe('paid');
});

test.each([
  ['without a holder', { holder: undefined }, 'refund_account.holder'],
  ['without a bank', { bank: undefined }, 'refund_account.bank'],
  ['without a number', { account: undefined }, 'refund_account.account'],
  ['with an empty holder', { holder: ' ' }, 'refund_account.holder'],
  ['with a number as number', { account: 1104321987654 }, 'refund_account.account'],
  ['with a number of two lines', { account: '110\n111' }, 'refund_account.account'],
])('M32 a refund account %s is 400, named, and not repeated', async (name, changes, words) => {
  const svcUid = await deposited(`vbank-${name.replace(/\W/g, '')}`);
  await expectRefused(svcUid, { refund_account: { ...ACCOUNT, ...changes } }, words);
});

test('a deposit is refunded to the account, in part and then the rest', async () => {
  const svcUid = await deposited('vbank-refunded');
  const part = await cancel(svcUid, { amount: 300, checksum: 1000, refund_account: ACCOUNT });
  expect([part.status, part.body.payment?.cancel_amount]).toEqual([200, 300]);
  expect((await cancel(svcUid, { refund_account: { ...ACCOUNT, tel: undefined } })).body.outcome).toBe(
    'cancelled',
  );
  const [first, second] = world.sent('/payments/cancel').filter((body) => body['abc_uid'] === svcUid);
  expect(first).toEqual({
    abc_uid: svcUid,
    amount: 300,
    checksum: 1000,
    reason: 'changed my mind',
    refund_holder: ACCOUNT.holder,
    refund_bank: ACCOUNT.bank,
    refund_account: ACCOUNT.account,
    refund_tel: ACCOUNT.tel,
  });
  expect(second).toMatchObject({ amount: 700, refund_account: ACCOUNT.account });
  expect(second).not.toHaveProperty('refund_tel');
});

test('an account for a payment that was made by card is refused: its money goes back the way it came', async () => {
  const svcUid = await paid('card-account', {});
  await expectRefused(svcUid, { refund_account: ACCOUNT }, 'refund_account: is for deposits');
  expect((await cancel(svcUid)).status).toBe(200);
});

test('where no record has named the method the account is passed on', async () => {
  const svcUid = await deposited('vbank-unnamed');
  await world.rows.query('update payments set pay_method = null where svc_uid = $1', [svcUid]);
  expect((await cancel(svcUid, { refund_account: ACCOUNT })).status).toBe(200);
  expect(world.sent('/payments/cancel').at(-1)).toMatchObject({ refund_account: ACCOUNT.account });
});

test('a virtual account without a deposit has nothing to give back, and needs no account for that answer', async () => {
  await world.api('POST', '/api/orders', { merchant_uid: 'vbank-empty', name: 'Tea', amount: 1000 });
  const { svc_uid } = await world.sandbox.pay({
    merchant_uid: 'vbank-empty',
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect((await cancel(svc_uid)).body.error.code).toBe('nothing_to_cancel');
});

test('what the service says about the account is told without it', async () => {
  const svcUid = await deposited('vbank-echo');
  const message = `refund_account: ${ACCOUNT.account} (1104321987654, ${ACCOUNT.tel}) of ${ACCOUNT.holder} is closed`;
  await world.sandbox.fault({ endpoint: CANCEL, status: 200, body: { code: 1, message, response: null } });
  const { status, body } = await cancel(svcUid, { refund_account: ACCOUNT });
  expect([status, body.error]).toEqual([
    400,
    { code: 'refund_refused', message: 'refund_account: *** (***, ***) of *** is closed' },
  ]);
});

test.each([
  ['lost', { kind: 'lost_response' }],
  ['500', { kind: 'status', status: 500 }],
  ['429', { kind: 'status', status: 429 }],
  ['garbage', { kind: 'garbage' }],
])('with an answer of %s the account is not kept for another try', async (name, fault) => {
  const svcUid = await deposited(`vbank-fault-${name}`);
  await world.sandbox.fault({ endpoint: CANCEL, ...fault });
  expect([202, 503]).toContain((await cancel(svcUid, { refund_account: ACCOUNT })).status);
  await world.advance(6);
});

test('the account stands in no row, no job and no log', async () => {
  const everything = `${await world.rows.dump()}\n${world.log.text()}`;
  expect(everything).toContain('vbank-refunded');
  for (const canary of CANARIES) expect(everything).not.toContain(canary);
});
