// Fields of the records that are null or false for most payments, and what makes each of them appear (§2.3, §2.4).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARD } from '../../support/cards';
import { NOW, runSandbox, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

describe('card_type', () => {
  test('is null in key and payment of the provider that does not provide it', async () => {
    const key = await service.issueKey('card-1', { pg: 'danal' });
    expect(key.body.response).toMatchObject({ pg_provider: 'danal', card_type: null });
    const order = { merchant_uid: 'order-1', amount: 1000, name: '책', customer_uid: 'card-1' };
    const { body } = await service.post('/subscribe/payments/again', order);
    expect(body.response).toMatchObject({ status: 'paid', card_type: null, card_code: expect.any(String) });
  });

  test('is null for a payment in the window of that provider, and for the key that it issues', async () => {
    const payment = await service.pay({ pg_provider: 'danal', customer_uid: 'card-1' });
    expect(payment).toMatchObject({ pg_provider: 'danal', card_type: null, card_name: expect.any(String) });
    const { body } = await service.get('/subscribe/customers/card-1');
    expect(body.response).toMatchObject({ pg_provider: 'danal', card_type: null });
  });

  test('is there for every other provider', async () => {
    for (const pg of ['nice', 'kcp', 'tosspayments'])
      expect((await service.issueKey('card-1', { pg })).body.response.card_type).toMatch(/^[01]$/);
    expect((await service.pay({ customer_uid: 'card-1' })).pg_provider).toBe('tosspayments');
  });
});

describe('emb_pg_provider', () => {
  test('is the easy-pay method itself', async () => {
    expect(await service.pay({ pay_method: 'kakaopay' })).toMatchObject({
      pay_method: 'kakaopay',
      emb_pg_provider: 'kakaopay',
      card_number: null,
    });
    expect((await service.pay({ pay_method: 'naverpay' })).emb_pg_provider).toBe('naverpay');
  });

  test('is what the request says, and null for a card or a transfer', async () => {
    expect((await service.pay({ emb_pg_provider: 'payco' })).emb_pg_provider).toBe('payco');
    expect((await service.pay({ pay_method: 'trans' })).emb_pg_provider).toBeNull();
  });
});

describe('escrow', () => {
  test('is true where the request asks for it', async () => {
    expect((await service.pay({ escrow: true, pay_method: 'trans' })).escrow).toBe(true);
    expect((await service.pay({ escrow: false })).escrow).toBe(false);
    const answer = await service.control('POST', '/payments', {
      merchant_uid: 'o',
      amount: 1,
      escrow: 'much',
    });
    expect([answer.status, answer.body.message]).toEqual([400, 'escrow: must be true or false']);
  });
});

describe('cash_receipt_issued', () => {
  test('is true for a bank transfer and a virtual account that ask for it', async () => {
    const asked = { cash_receipt_issued: true };
    expect((await service.pay({ ...asked, pay_method: 'trans' })).cash_receipt_issued).toBe(true);
    expect((await service.pay({ ...asked, outcome: 'virtual_account' })).cash_receipt_issued).toBe(true);
  });

  test('is false for a card, whatever is asked', async () => {
    expect((await service.pay({ cash_receipt_issued: true })).cash_receipt_issued).toBe(false);
  });
});

describe('sandbox', () => {
  test('is true for every payment that is made while `test_channel` is set, and stays so', async () => {
    await service.pay({ merchant_uid: 'before' });
    await service.settings({ test_channel: true });
    const order = { amount: 1000, name: '책', customer_uid: 'card-1' };
    expect((await service.pay({ merchant_uid: 'window', customer_uid: 'card-1' })).sandbox).toBe(true);
    await service.post('/subscribe/payments/again', { ...order, merchant_uid: 'again' });
    await service.post('/subscribe/payments/onetime', { ...order, ...CARD, merchant_uid: 'onetime' });
    const schedules = [{ merchant_uid: 'scheduled', schedule_at: NOW + 60, amount: 1000 }];
    await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
    await service.advance(60);
    await service.settings({ test_channel: false });
    const sandboxOf = async (order: string) =>
      (await service.get(`/payments/find/${order}?include_sandbox=true`)).body.response.sandbox;
    for (const made of ['window', 'again', 'onetime', 'scheduled']) expect(await sandboxOf(made)).toBe(true);
    expect(await sandboxOf('before')).toBe(false);
  });
});

describe('what a window says of the payment', () => {
  test('is in the record: the buyer, and why it failed', async () => {
    const payment = await service.pay({
      outcome: 'failed',
      fail_reason: '잔액이 부족합니다.',
      buyer_name: '김철수',
      buyer_email: 'kim@example.com',
    });
    expect(payment).toMatchObject({
      fail_reason: '잔액이 부족합니다.',
      buyer_name: '김철수',
      buyer_email: 'kim@example.com',
      buyer_tel: expect.any(String),
    });
  });

  test('a virtual account is `vbank` whatever the method was, and a paid `vbank` had its deposit at once', async () => {
    const issued = await service.pay({ outcome: 'virtual_account', pay_method: 'card' });
    expect(issued).toMatchObject({ status: 'ready', pay_method: 'vbank', card_number: null });
    expect(await service.pay({ pay_method: 'vbank' })).toMatchObject({
      status: 'paid',
      vbank_num: expect.any(String),
      vbank_issued_at: NOW,
      paid_at: NOW,
    });
    expect(await service.pay({ pay_method: 'vbank', outcome: 'failed' })).toMatchObject({ vbank_num: null });
  });
});

test('are kept across a restart, and false or null in a folder that was written before they existed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-fields-'));
  const first = await runSandbox({ dataDir: folder });
  await first.pay({ merchant_uid: 'plain' });
  await first.pay({ merchant_uid: 'full', pay_method: 'kakaopay', escrow: true });
  await first.close();
  // A row leaves out what is null or false, so that the row of a plain payment is that of an older version.
  const [row = ''] = readFileSync(join(folder, 'payments.rows'), 'utf8').split('\n');
  expect(Object.keys(JSON.parse(row))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/escrow|embPgProvider|cashReceiptIssued|sandbox/)]),
  );
  const second = await runSandbox({ dataDir: folder });
  expect((await second.get('/payments/find/plain')).body.response).toMatchObject({
    emb_pg_provider: null,
    escrow: false,
    cash_receipt_issued: false,
    sandbox: false,
  });
  expect((await second.get('/payments/find/full')).body.response).toMatchObject({
    emb_pg_provider: 'kakaopay',
    escrow: true,
  });
  await second.close();
  rmSync(folder, { recursive: true });
});
