// What is left of a payment (§4.9).

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const NOTHING = { tax_free: 0, supply: 0, vat: 0, service: 0 };
const balance = async (svcUid: string) => (await service.get(`/payments/${svcUid}/balance`)).body.response;

test('shows the amount and what can still be cancelled by its parts, with nothing for points and discounts', async () => {
  const { svc_uid } = await service.pay({ amount: 11_000 });
  expect(await balance(svc_uid)).toEqual({
    amount: 11_000,
    cash_receipt: NOTHING,
    primary: { ...NOTHING, supply: 10_000, vat: 1000 },
    secondary: NOTHING,
    discount: NOTHING,
  });
  await service.post('/payments/cancel', { svc_uid, amount: 5500 });
  expect(await balance(svc_uid)).toMatchObject({ amount: 11_000, primary: { supply: 5000, vat: 500 } });
  await service.post('/payments/cancel', { svc_uid });
  expect((await balance(svc_uid)).primary).toEqual(NOTHING);
});

test('has the cash receipt of a payment that has one', async () => {
  const { svc_uid } = await service.pay({ amount: 1100, pay_method: 'trans', cash_receipt_issued: true });
  expect((await balance(svc_uid)).cash_receipt).toEqual({ ...NOTHING, supply: 1000, vat: 100 });
});

test('is nothing for a payment that was not paid, and 404 for an unknown one', async () => {
  for (const outcome of ['failed', 'virtual_account']) {
    const { svc_uid } = await service.pay({ outcome });
    expect(await balance(svc_uid)).toMatchObject({ amount: 0, primary: NOTHING });
  }
  expect((await service.get('/payments/svc_0/balance')).status).toBe(404);
});
