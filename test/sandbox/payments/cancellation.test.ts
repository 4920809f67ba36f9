// Payments are cancelled in full and in part, through the API and from the admin console, and what is left of them is
// shown (§2.4, §3, §4.9).

import { NOW, refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const cancel = (fields: object) => service.post('/payments/cancel', fields);
const show = async (svcUid: string) => (await service.get(`/payments/${svcUid}`)).body.response;

test('cancels all that is left where no amount is given', async () => {
  const { svc_uid } = await service.pay();
  await service.advance(60);
  const { body } = await cancel({ svc_uid, reason: '단순 변심' });
  const entry = {
    cancellation_id: expect.stringMatching(/^\w+$/),
    pg_tid: expect.any(String),
    amount: 1000,
    cancelled_at: NOW + 60,
    reason: '단순 변심',
    receipt_url: expect.stringMatching(/^http:.{1,295}$/),
  };
  expect(body).toMatchObject({
    code: 0,
    response: {
      status: 'cancelled',
      cancel_amount: 1000,
      cancelled_at: NOW + 60,
      cancel_reason: '단순 변심',
      paid_at: NOW,
    },
  });
  expect(body.response.cancel_history).toEqual([entry]);
  expect(body.response.cancel_receipt_urls).toEqual([body.response.cancel_history[0].receipt_url]);
});

test('cancels in parts: cancelled, with cancel_amount below amount, each part in the history', async () => {
  const { svc_uid } = await service.pay();
  const part = { status: 'cancelled', cancel_amount: 300, amount: 1000 };
  expect((await cancel({ svc_uid, amount: 300 })).body.response).toMatchObject(part);
  expect((await cancel({ svc_uid, amount: 0 })).body.response.cancel_amount).toBe(1000);
  const { cancel_history } = await show(svc_uid);
  expect(cancel_history.map((entry: any) => entry.amount)).toEqual([300, 700]);
  expect(new Set(cancel_history.map((entry: any) => entry.cancellation_id)).size).toBe(2);
});

test('refuses more than the balance, another checksum, a second time and a payment that was not paid', async () => {
  const { svc_uid } = await service.pay();
  expect((await cancel({ svc_uid, amount: 1001 })).body.code).toBe(1);
  expect((await cancel({ svc_uid, checksum: 999 })).body.code).toBe(1);
  expect((await cancel({ svc_uid, checksum: 1000 })).body.code).toBe(0);
  expect((await cancel({ svc_uid })).body.code).toBe(1);
  const failed = await service.pay({ outcome: 'failed' });
  expect((await cancel({ svc_uid: failed.svc_uid })).body.code).toBe(1);
});

test('takes merchant_uid, and svc_uid wins over it', async () => {
  const one = await service.pay();
  const other = await service.pay({ merchant_uid: 'order-2' });
  const { body } = await cancel({ svc_uid: one.svc_uid, merchant_uid: 'order-2' });
  expect(body.response.svc_uid).toBe(one.svc_uid);
  expect((await cancel({ merchant_uid: 'order-2' })).body.response.svc_uid).toBe(other.svc_uid);
});

test('refuses no id, a reason over 256 characters and an unknown payment', async () => {
  const { svc_uid } = await service.pay();
  for (const [fields, message] of [
    [{}, 'svc_uid, merchant_uid: one is required'],
    [{ svc_uid, reason: 'x'.repeat(257) }, 'reason: '],
    [{ svc_uid: 'svc_0' }, '취소할 결제건이 존재하지 않습니다.'],
  ] as const)
    expect(await cancel(fields)).toMatchObject(refused(message));
});

describe('of a payment by virtual account', () => {
  const account = { refund_holder: '홍길동', refund_bank: '088', refund_account: '110-123-456789' };
  const paid = async () => {
    const { svc_uid } = await service.pay({ outcome: 'virtual_account' });
    expect(await cancel({ svc_uid })).toMatchObject(refused('not paid'));
    await service.control('POST', `/payments/${svc_uid}/deposit`);
    return svc_uid as string;
  };

  test('requires the account to refund to, and names what is missing of it', async () => {
    const svc_uid = await paid();
    const all = 'refund_holder, refund_bank, refund_account: required';
    expect(await cancel({ svc_uid })).toMatchObject(refused(all));
    for (const field of Object.keys(account))
      expect(await cancel({ svc_uid, ...account, [field]: '' })).toMatchObject(refused(`${field}: required`));
    expect((await show(svc_uid)).status).toBe('paid');
  });

  test('takes the account, with refund_tel or without, and shows nothing of it', async () => {
    const svc_uid = await paid();
    const part = await cancel({ svc_uid, amount: 400, ...account });
    expect(part.body).toMatchObject({ code: 0, response: { status: 'cancelled', cancel_amount: 400 } });
    const rest = await cancel({ svc_uid, ...account, refund_tel: '010-1234-5678' });
    expect(rest.body).toMatchObject({ code: 0, response: { cancel_amount: 1000 } });
    expect(rest.text).not.toMatch(/110-123-456789|010-1234-5678/);
  });

  test('asks for no account in the admin console, which cancels in parts as well', async () => {
    const path = `/payments/${await paid()}/cancel`;
    const { body } = await service.control('POST', path, { amount: 400, reason: '관리자' });
    expect(body).toMatchObject({ status: 'cancelled', cancel_amount: 400, cancel_reason: '관리자' });
    expect((await service.control('POST', path, { amount: 601 })).status).toBe(409);
  });
});

const NOTHING = { tax_free: 0, supply: 0, vat: 0, service: 0 };
const balance = async (svcUid: string) => (await service.get(`/payments/${svcUid}/balance`)).body.response;

test('the balance shows the amount and what can still be cancelled by its parts, with nothing for points and discounts', async () => {
  const asked = { amount: 11_000, pay_method: 'trans', cash_receipt_issued: true };
  const { svc_uid } = await service.pay(asked);
  const parts = { ...NOTHING, supply: 10_000, vat: 1000 };
  const empty = { secondary: NOTHING, discount: NOTHING };
  expect(await balance(svc_uid)).toEqual({ amount: 11_000, cash_receipt: parts, primary: parts, ...empty });
  await cancel({ svc_uid, amount: 5500 });
  expect(await balance(svc_uid)).toMatchObject({ amount: 11_000, primary: { supply: 5000, vat: 500 } });
  await cancel({ svc_uid });
  expect((await balance(svc_uid)).primary).toEqual(NOTHING);
  const byCard = await service.pay({ cash_receipt_issued: true });
  expect((await balance(byCard.svc_uid)).cash_receipt).toEqual(NOTHING);
});

test('a tax-free part is cancelled no further than it is left, and neither is the taxed part', async () => {
  const { svc_uid } = await service.pay({ amount: 11_000, tax_free: 5500 });
  const refusalOf = async (amount: number, tax_free: number) =>
    (await cancel({ svc_uid, amount, tax_free })).body.message;
  expect(await refusalOf(6000, 5501)).toContain('more than the 5500');
  expect(await refusalOf(3000, 3001)).toContain('more than the 3000');
  expect(await refusalOf(6000, 499)).toContain('less than 500');
  expect((await cancel({ svc_uid, amount: 3000, tax_free: 2000 })).body.code).toBe(0);
  expect((await balance(svc_uid)).primary).toMatchObject({ tax_free: 3500, supply: 4091, vat: 409 });
  expect(await refusalOf(4000, 3501)).toContain('more than the 3500');
  // Without a division the taxed part goes first.
  expect((await cancel({ svc_uid, amount: 5000 })).body.code).toBe(0);
  expect((await balance(svc_uid)).primary).toMatchObject({ tax_free: 3000, supply: 0, vat: 0 });
  expect((await cancel({ svc_uid })).body.code).toBe(0);
});

test('the balance is nothing for a payment that was not paid, and 404 for an unknown one', async () => {
  for (const outcome of ['failed', 'virtual_account']) {
    const { svc_uid } = await service.pay({ outcome });
    expect(await balance(svc_uid)).toMatchObject({ amount: 0, primary: NOTHING });
  }
  expect((await service.get('/payments/svc_0/balance')).status).toBe(404);
});
