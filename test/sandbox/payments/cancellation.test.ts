// Payments are cancelled in full and in part, through the API and from the admin console (§2.4, §3, §4.9).

import { NOW, refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const cancel = (fields: object) => service.post('/payments/cancel', fields);

test('cancels all that is left where no amount is given', async () => {
  const { svc_uid } = await service.pay();
  await service.advance(60);
  const { body } = await cancel({ svc_uid, reason: '단순 변심' });
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
  expect(body.response.cancel_history).toEqual([
    {
      cancellation_id: expect.stringMatching(/^\w+$/),
      pg_tid: expect.any(String),
      amount: 1000,
      cancelled_at: NOW + 60,
      reason: '단순 변심',
      receipt_url: expect.stringMatching(/^https:.{1,294}$/),
    },
  ]);
  expect(body.response.cancel_receipt_urls).toEqual([body.response.cancel_history[0].receipt_url]);
});

test('cancels in parts: cancelled, with cancel_amount below amount, each part in the history', async () => {
  const { svc_uid } = await service.pay();
  expect((await cancel({ svc_uid, amount: 300 })).body.response).toMatchObject({
    status: 'cancelled',
    cancel_amount: 300,
    amount: 1000,
  });
  expect((await cancel({ svc_uid, amount: 0 })).body.response.cancel_amount).toBe(1000);
  const { response } = (await service.get(`/payments/${svc_uid}`)).body;
  expect(response.cancel_history.map((entry: any) => entry.amount)).toEqual([300, 700]);
  expect(new Set(response.cancel_history.map((entry: any) => entry.cancellation_id)).size).toBe(2);
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
  expect(await cancel({})).toMatchObject(refused('svc_uid, merchant_uid: one is required'));
  const { svc_uid } = await service.pay();
  expect(await cancel({ svc_uid, reason: 'x'.repeat(257) })).toMatchObject(refused('reason: '));
  expect(await cancel({ svc_uid: 'svc_0' })).toMatchObject(refused('취소할 결제건이 존재하지 않습니다.'));
});

describe('of a payment by virtual account', () => {
  const account = { refund_holder: '홍길동', refund_bank: '088', refund_account: '110-123-456789' };
  const paid = async () => {
    const { svc_uid } = await service.pay({ outcome: 'virtual_account' });
    await service.control('POST', `/payments/${svc_uid}/deposit`);
    return svc_uid as string;
  };

  test('requires the account to refund to, and names what is missing of it', async () => {
    const svc_uid = await paid();
    expect(await cancel({ svc_uid })).toMatchObject(
      refused('refund_holder, refund_bank, refund_account: required'),
    );
    for (const field of Object.keys(account))
      expect(await cancel({ svc_uid, ...account, [field]: '' })).toMatchObject(refused(`${field}: required`));
    expect((await service.get(`/payments/${svc_uid}`)).body.response.status).toBe('paid');
  });

  test('takes the account, with refund_tel or without, and shows nothing of it', async () => {
    const svc_uid = await paid();
    const part = await cancel({ svc_uid, amount: 400, ...account });
    expect(part.body).toMatchObject({ code: 0, response: { status: 'cancelled', cancel_amount: 400 } });
    const rest = await cancel({ svc_uid, ...account, refund_tel: '010-1234-5678' });
    expect(rest.body).toMatchObject({ code: 0, response: { cancel_amount: 1000 } });
    expect(rest.text).not.toContain(account.refund_account);
    expect(rest.text).not.toContain('010-1234-5678');
  });

  test('says that nothing was paid before the deposit, and asks for no account in the admin console', async () => {
    const { svc_uid } = await service.pay({ outcome: 'virtual_account' });
    expect(await cancel({ svc_uid })).toMatchObject(refused('not paid'));
    const other = await paid();
    expect((await service.control('POST', `/payments/${other}/cancel`)).body.status).toBe('cancelled');
  });
});

test('happens from the admin console as well', async () => {
  const { svc_uid } = await service.pay();
  const { body } = await service.control('POST', `/payments/${svc_uid}/cancel`, {
    amount: 400,
    reason: '관리자',
  });
  expect(body).toMatchObject({ status: 'cancelled', cancel_amount: 400, cancel_reason: '관리자' });
  expect((await service.control('POST', `/payments/${svc_uid}/cancel`, { amount: 601 })).status).toBe(409);
});
