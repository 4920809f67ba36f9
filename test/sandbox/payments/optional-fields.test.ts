// Fields of the records that are null or false for most payments, and what makes each of them appear (§2.3, §2.4).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARD } from '../../support/cards';
import { NOW, runSandbox, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const again = (order: object) =>
  service.post('/subscribe/payments/again', { amount: 1000, name: '책', customer_uid: 'card-1', ...order });

const NO_TYPE = { pg_provider: 'danal', card_type: null, card_code: expect.any(String) };

test('card_type is null in key and payment of the provider that does not provide it', async () => {
  expect((await service.issueKey('card-1', { pg: 'danal' })).body.response).toMatchObject(NO_TYPE);
  expect((await again({ merchant_uid: 'order-1' })).body.response).toMatchObject(NO_TYPE);
  expect(await service.pay({ pg_provider: 'danal', customer_uid: 'card-2' })).toMatchObject(NO_TYPE);
  expect((await service.get('/subscribe/customers/card-2')).body.response).toMatchObject(NO_TYPE);
});

test.each(['nice', 'kcp', 'tosspayments'])('card_type is there for %s', async (pg) => {
  expect((await service.issueKey('card-1', { pg })).body.response.card_type).toMatch(/^[01]$/);
  expect((await service.pay({ customer_uid: 'card-1' })).pg_provider).toBe(pg);
});

const KAKAO = { pay_method: 'kakaopay', emb_pg_provider: 'kakaopay', card_number: null };
test.each([
  ['emb_pg_provider is the easy-pay method itself', { pay_method: 'kakaopay' }, KAKAO],
  ['emb_pg_provider is what the request says', { emb_pg_provider: 'payco' }, { emb_pg_provider: 'payco' }],
  ['emb_pg_provider is null for a transfer', { pay_method: 'trans' }, { emb_pg_provider: null }],
  ['escrow is true where the request asks for it', { escrow: true, pay_method: 'trans' }, { escrow: true }],
  ['escrow is false where the request says so', { escrow: false }, { escrow: false }],
  [
    'cash_receipt_issued is true for a bank transfer that asks for it',
    { cash_receipt_issued: true, pay_method: 'trans' },
    { cash_receipt_issued: true },
  ],
  [
    'cash_receipt_issued is true for a virtual account that asks for it',
    { cash_receipt_issued: true, outcome: 'virtual_account' },
    { cash_receipt_issued: true },
  ],
  [
    'cash_receipt_issued is false for a card, whatever is asked',
    { cash_receipt_issued: true },
    { cash_receipt_issued: false },
  ],
  [
    'the record names the buyer, and why it failed',
    { outcome: 'failed', fail_reason: '잔액이 부족합니다.', buyer_name: '김철수' },
    { fail_reason: '잔액이 부족합니다.', buyer_name: '김철수', buyer_tel: expect.any(String) },
  ],
  [
    'a virtual account is `vbank` whatever the method was',
    { outcome: 'virtual_account', pay_method: 'card' },
    { status: 'ready', pay_method: 'vbank', card_number: null },
  ],
  [
    'a paid `vbank` had its deposit at once',
    { pay_method: 'vbank' },
    { status: 'paid', vbank_num: expect.any(String), vbank_issued_at: NOW, paid_at: NOW },
  ],
  ['a failed `vbank` has no account', { pay_method: 'vbank', outcome: 'failed' }, { vbank_num: null }],
])('%s', async (_, asked, record) => {
  expect(await service.pay(asked)).toMatchObject(record);
});

test('sandbox is true for every payment that is made while `test_channel` is set, and stays so', async () => {
  await service.pay({ merchant_uid: 'before' });
  await service.settings({ test_channel: true });
  expect((await service.pay({ merchant_uid: 'window', customer_uid: 'card-1' })).sandbox).toBe(true);
  await again({ merchant_uid: 'again' });
  await service.post('/subscribe/payments/onetime', {
    ...CARD,
    merchant_uid: 'onetime',
    amount: 1,
    name: '책',
  });
  const schedules = [{ merchant_uid: 'scheduled', schedule_at: NOW + 60, amount: 1000 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  await service.advance(60);
  await service.settings({ test_channel: false });
  for (const made of ['before', 'window', 'again', 'onetime', 'scheduled']) {
    const { body } = await service.get(`/payments/find/${made}?include_sandbox=true`);
    expect([made, body.response.sandbox]).toEqual([made, made !== 'before']);
  }
});

test('are kept across a restart, and false or null in a folder that was written before they existed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-fields-'));
  const first = await runSandbox({ dataDir: folder });
  const plain = await first.pay({ merchant_uid: 'plain' });
  const full = await first.pay({ merchant_uid: 'full', pay_method: 'kakaopay', escrow: true });
  await first.close();
  // A row leaves out what is null or false, so that the row of a plain payment is that of an older version.
  const [row = ''] = readFileSync(join(folder, 'payments.rows'), 'utf8').split('\n');
  expect(Object.keys(JSON.parse(row)).join()).not.toMatch(/escrow|embPgProvider|cashReceiptIssued|sandbox/);
  const second = await runSandbox({ dataDir: folder });
  expect((await second.get('/payments/find/plain')).body.response).toEqual(plain);
  expect((await second.get('/payments/find/full')).body.response).toEqual(full);
  await second.close();
  rmSync(folder, { recursive: true });
});
