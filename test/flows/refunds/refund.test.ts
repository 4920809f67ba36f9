// Payments are refunded in full and in part, once, and never beyond their amount. A deposit to a virtual account is refunded to an
// account of the buyer, which is required before anything is sent, passed on, and not stored.

import { codeOf } from '../../support/calls';
import { CANCEL_PAYMENT, refundsOf } from '../../support/discrepancies';
import { getOrder, newUid, orderStatus, registerOrder } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';
import { expectNoEffect } from '../../support/rows';

const ACCOUNT = { holder: '김카나리아', bank: '088', account: '110-4321-987654', tel: '010-7777-6666' };
/** As a person or a service may write them. */
const CANARIES = [ACCOUNT.holder, ACCOUNT.account, '1104321987654', ACCOUNT.tel, '01077776666'];

const world = useRecordedWorld({ logLevel: 'trace' });
// After every test the account is in no row, no job and no log.
afterEach(async () => {
  const everything = `${await world.rows.dump()}\n${world.log.text()}`;
  for (const canary of CANARIES) expect(everything).not.toContain(canary);
});

/** An order of 1000 won that is paid, by the method of the window. */
async function paid(payment: Record<string, unknown> = {}) {
  const merchantUid = await registerOrder(world, newUid());
  const order = { merchant_uid: merchantUid, amount: 1000 };
  const { svc_uid: svcUid } = await world.sandbox.pay({ ...order, ...payment });
  const cancelledAmount = async () => (await getOrder(world, merchantUid)).payments[0].cancel_amount;
  return { merchantUid, svcUid, cancelledAmount };
}
async function deposit(): Promise<string> {
  const { merchantUid, svcUid } = await paid({ outcome: 'virtual_account' });
  expect(await codeOf(cancel(svcUid))).toEqual([409, 'nothing_to_cancel']);
  await world.sandbox.control(svcUid, 'deposit');
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  return svcUid;
}
const cancel = (svcUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'changed my mind', ...fields });
const PART = { amount: 300, checksum: 1000 };

test('a part and then the rest are refunded without a notification, and the requester is stored and logged', async () => {
  const { merchantUid, svcUid } = await paid();
  const notified = (await world.rows.query('select * from notifications')).length;
  const part = await cancel(svcUid, { ...PART, reason: 'one of three', by: 'support tool, kim' });
  expect([part.status, part.body.outcome]).toEqual([200, 'cancelled']);
  expect(part.body.payment).toMatchObject({ cancel_amount: 300, cancel_reason: 'one of three' });
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');

  const rest = await cancel(svcUid);
  expect(rest.body.payment).toMatchObject({ status: 'cancelled', cancel_amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  const first = { amount: '300', cancelled_before: '0', cancel_reason: 'one of three' };
  expect(await refundsOf(world, svcUid)).toMatchObject([
    { ...first, status: 'refunded', requested_by: 'support tool, kim' },
    { amount: '700', cancelled_before: '300', status: 'refunded', requested_by: null },
  ]);
  expect(await world.rows.query('select * from notifications')).toHaveLength(notified);
  const source = '127.0.0.1';
  expect(await world.log.requests({ svc_uid: svcUid, outcome: 'refunded' }, 2)).toMatchObject([
    { by: 'support tool, kim', source },
    { by: null, source },
  ]);
  expect(await codeOf(cancel(svcUid))).toEqual([409, 'nothing_to_cancel']);
  expect(await codeOf(cancel('svc_none'))).toEqual([404, 'payment_not_found']);
});

test('a double click cancels once, and a repeated request differs from the checksum', async () => {
  const { svcUid, cancelledAmount } = await paid();
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    const answers = await Promise.all([1, 2, 3].map(() => cancel(svcUid, PART)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await codeOf(cancel(svcUid, PART))).toEqual([409, 'balance_differs']);
  });
  expect(calls).toBe(1);
  expect(await cancelledAmount()).toBe(300);
});

test('a lost answer is 202, nothing more is cancelled meanwhile, and the payment shows what happened', async () => {
  const { svcUid, cancelledAmount } = await paid();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const lost = await cancel(svcUid, PART);
  expect([lost.status, lost.body.outcome, lost.body.payment.cancel_amount]).toEqual([202, 'unknown', 0]);
  const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect(await codeOf(cancel(svcUid))).toEqual([409, 'refund_pending']);
    await world.advance(6);
  });
  expect(calls).toBe(0);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await cancelledAmount()).toBe(300);
  expect((await cancel(svcUid)).status).toBe(200);
});

test('nothing is cancelled while the books differ from the service, and they are updated', async () => {
  const { svcUid, cancelledAmount } = await paid();
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 200 }));
  const { status, body } = await cancel(svcUid, { amount: 900, checksum: 1000 });
  expect([status, body.error.code]).toEqual([400, 'refund_refused']);
  expect(body.error.message).toContain('balance is 800');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refused' }]);
  expect(await cancelledAmount()).toBe(200);
});

test('the tax-free part of a refund is stored and sent, and the service refuses more than is left of it', async () => {
  const { svcUid } = await paid({ tax_free: 500 });
  const lost = { endpoint: CANCEL_PAYMENT, kind: 'lost_response' };
  await world.sandbox.fault(lost);
  expect((await cancel(svcUid, { ...PART, tax_free: 200 })).status).toBe(202);
  await world.advance(6);
  const tooMuch = { amount: 400, checksum: 700, tax_free: 301 };
  expect((await cancel(svcUid, tooMuch)).body.error).toMatchObject({
    code: 'refund_refused',
    message: expect.stringContaining('tax_free: more than the 300'),
  });
  const none = { amount: 400, checksum: 700, tax_free: 0 };
  expect((await cancel(svcUid, none)).body.payment?.cancel_amount).toBe(700);
  expect((await cancel(svcUid)).status).toBe(200);
  const stored = (await refundsOf(world, svcUid)).map((row) => [row.status, row.tax_free]);
  expect(stored).toEqual([
    ['refunded', '200'],
    ['refused', '301'],
    ['refunded', '0'],
    ['refunded', null],
  ]);
  const sent = world.sent('/payments/cancel').filter((body) => body['abc_uid'] === svcUid);
  expect(sent.map((body) => body['tax_free'])).toEqual([200, 301, 0, undefined]);
  const [last] = (await world.api('GET', `/api/refunds?svc_uid=${svcUid}&limit=2`)).body.list.slice(1);
  expect(last).toMatchObject({ amount: 400, tax_free: 0 });
});

test.each([
  ['more than was paid', { amount: 1001, checksum: 1000 }, 409, 'amount_exceeds_balance'],
  ['a part without the balance in mind', { amount: 300 }, 400, 'invalid_request'],
  ['a tax-free part above the refund', { ...PART, tax_free: 301 }, 400, 'invalid_request'],
  ['a tax-free part above all that is left', { tax_free: 1001 }, 400, 'invalid_request'],
])('cancelling %s is refused, and nothing is sent', async (_, fields, status, code) => {
  const { svcUid } = await paid();
  expect(await expectNoEffect(world, () => codeOf(cancel(svcUid, fields)))).toEqual([status, code]);
});

async function expectRefused(svcUid: string, fields: Record<string, unknown>, words: string): Promise<void> {
  const { status, body } = await expectNoEffect(world, () => cancel(svcUid, fields));
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(words);
  for (const canary of CANARIES) expect(body.error.message).not.toContain(canary);
}

test('M32 a refund of a deposit without a refund account gets a 400, and nothing is sent', async () => {
  const svcUid = await deposit();
  await expectRefused(svcUid, {}, 'refund_account: holder, bank and account are required');
  await expectRefused(svcUid, { amount: 300, checksum: 1000 }, 'refund_account');
});

test.each([
  ['without a holder', { holder: undefined }, 'refund_account.holder'],
  ['with a number as number', { account: 1104321987654 }, 'refund_account.account'],
  ['with a number of two lines', { account: '110\n111' }, 'refund_account.account'],
])('M32 a refund account %s is a 400 that names the field and not the value', async (_, changes, words) => {
  await expectRefused(await deposit(), { refund_account: { ...ACCOUNT, ...changes } }, words);
});

test('a deposit is refunded to the account, in part and then the rest', async () => {
  const svcUid = await deposit();
  const part = await cancel(svcUid, { amount: 300, checksum: 1000, refund_account: ACCOUNT });
  expect([part.status, part.body.payment?.cancel_amount]).toEqual([200, 300]);
  const rest = await cancel(svcUid, { refund_account: { ...ACCOUNT, tel: undefined } });
  expect(rest.body.outcome).toBe('cancelled');
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

test('a message of the service about the account is returned without the account', async () => {
  const svcUid = await deposit();
  const message = `refund_account: ${ACCOUNT.account} (1104321987654, ${ACCOUNT.tel}) of ${ACCOUNT.holder} is closed`;
  const body = { code: 1, message, response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, status: 200, body });
  const { status, body: answer } = await cancel(svcUid, { refund_account: ACCOUNT });
  expect([status, answer.error]).toMatchObject([
    400,
    expect.objectContaining({
      code: 'refund_refused',
      message: 'refund_account: *** (***, ***) of *** is closed',
    }),
  ]);
});

test('an account is never stored for another try', async () => {
  for (const [fault, status] of [
    [{ kind: 'lost_response' }, 202],
    [{ kind: 'status', status: 429 }, 503],
    [{ kind: 'garbage' }, 202],
  ] as const) {
    const svcUid = await deposit();
    await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, ...fault });
    expect([fault, (await cancel(svcUid, { refund_account: ACCOUNT })).status]).toEqual([fault, status]);
    await world.advance(6);
  }
});
