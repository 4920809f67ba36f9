// The money of a deposit to a virtual account goes back to an account that the buyer names: asked for before anything is
// sent, passed on, and kept nowhere.

import { codeOf } from '../../support/call-api';
import {
  CANCEL_PAYMENT,
  expectRefundNotSent,
  payForNobody,
  refundDiscrepancy,
  refundsOf,
} from '../../support/discrepancies';
import { expectNoEffect } from '../../support/no-effect';
import { newUid, orderStatus, registerOrder } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';

const ACCOUNT = { holder: '김카나리아', bank: '088', account: '110-4321-987654', tel: '010-7777-6666' };
/** As a person or a service may write them. */
const CANARIES = [ACCOUNT.holder, ACCOUNT.account, '1104321987654', ACCOUNT.tel, '01077776666'];

const world = useRecordedWorld({ logLevel: 'trace' });

// Whatever a test did, the account stands in no row, no job and no log.
afterEach(async () => {
  const everything = `${await world.rows.dump()}\n${world.log.text()}`;
  for (const canary of CANARIES) expect(everything).not.toContain(canary);
});

/** An order of 1000 won, and its payment by the method of the window. */
async function pay(payment: Record<string, unknown> = {}) {
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    ...payment,
  });
  return { merchantUid, svcUid };
}
async function deposit(): Promise<string> {
  const { merchantUid, svcUid } = await pay({ outcome: 'virtual_account' });
  expect(await codeOf(cancel(svcUid))).toEqual([409, 'nothing_to_cancel']);
  await world.sandbox.control(svcUid, 'deposit');
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  return svcUid;
}
const cancel = (svcUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'changed my mind', ...fields });

async function expectRefused(svcUid: string, fields: Record<string, unknown>, words: string): Promise<void> {
  const { status, body } = await expectNoEffect(world, () => cancel(svcUid, fields));
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(words);
  for (const canary of CANARIES) expect(body.error.message).not.toContain(canary);
}

test('M32 a deposit to a virtual account is not refunded without an account: 400 with the fields, nothing is sent', async () => {
  const svcUid = await deposit();
  await expectRefused(svcUid, {}, 'refund_account: holder, bank and account are required');
  await expectRefused(svcUid, { amount: 300, checksum: 1000 }, 'refund_account');
});

test.each([
  ['without a holder', { holder: undefined }, 'refund_account.holder'],
  ['with a number as number', { account: 1104321987654 }, 'refund_account.account'],
  ['with a number of two lines', { account: '110\n111' }, 'refund_account.account'],
])('M32 a refund account %s is 400, named, and not repeated', async (_, changes, words) => {
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

test('an account for a payment that was made by card is refused: its money goes back the way it came', async () => {
  const { svcUid } = await pay();
  await expectRefused(svcUid, { refund_account: ACCOUNT }, 'refund_account: is for deposits');
  expect((await cancel(svcUid)).status).toBe(200);
});

test('a deposit that fits no order needs the account as well, which is passed on', async () => {
  const { svcUid, id } = await payForNobody(world, newUid(), { outcome: 'virtual_account' });
  expect(await expectRefundNotSent(world, id)).toEqual([400, 'invalid_request']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect((await refundDiscrepancy(world, id, { refund_account: ACCOUNT })).body.outcome).toBe('refunded');
  expect(world.sent('/payments/cancel').at(-1)).toMatchObject({ refund_account: ACCOUNT.account });
});

test('what the service says about the account is told without it', async () => {
  const svcUid = await deposit();
  const message = `refund_account: ${ACCOUNT.account} (1104321987654, ${ACCOUNT.tel}) of ${ACCOUNT.holder} is closed`;
  const body = { code: 1, message, response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, status: 200, body });
  const { status, body: answer } = await cancel(svcUid, { refund_account: ACCOUNT });
  expect([status, answer.error]).toEqual([
    400,
    { code: 'refund_refused', message: 'refund_account: *** (***, ***) of *** is closed' },
  ]);
});

test('an account is not kept for another try, whatever the service answers', async () => {
  for (const fault of [{ kind: 'lost_response' }, { kind: 'status', status: 429 }, { kind: 'garbage' }]) {
    const svcUid = await deposit();
    await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, ...fault });
    expect([202, 503]).toContain((await cancel(svcUid, { refund_account: ACCOUNT })).status);
    await world.advance(6);
  }
});
