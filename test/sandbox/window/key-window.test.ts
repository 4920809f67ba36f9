// The payment window issues billing keys (§1, `customer_uid_usage` of §2.4): of a card or a wallet, with a payment or with an amount
// of 0. Also through POST /_sandbox/payments.

import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

type Fields = Record<string, string>;
const REQUEST = { merchant_uid: 'key-1', amount: '0', customer_uid: 'wallet-1' };
const RETURN = { return_url: 'https://shop.example/return' };

const addressOf = (fields: Fields) => `/window?${new URLSearchParams({ ...REQUEST, ...fields }).toString()}`;
const open = async (fields: Fields = {}) =>
  (await service.call('GET', addressOf({ ...RETURN, lang: 'en', ...fields }))).text;
const choose = (outcome: string, fields: Fields = {}, sent: Fields = {}) =>
  service.call('POST', addressOf({ ...RETURN, ...fields }), new URLSearchParams({ outcome, ...sent }));
const key = async () => (await service.get('/subscribe/customers/wallet-1')).body.response;
const payment = async () => (await service.get('/payments/find/key-1')).body.response;
const statuses = async () => (await service.notifications()).map((each: any) => each.body.status);
const choicesIn = (html: string) =>
  [...html.matchAll(/name="outcome" value="(\w+)"/g)].map(([, choice]) => choice);

const NO_CARD = { card_name: null, card_code: null, card_number: null, card_type: null };

test('a window of 0 won registers a method: it shows no amount, and the method that a person chooses gets the key', async () => {
  const html = await open();
  expect(html).toContain('<h1>Register a payment method</h1>');
  expect(html).not.toContain('₩');
  expect([...html.matchAll(/name="pay_method" value="(\w+)"/g)].map(([, method]) => method)).toEqual([
    'card',
    'kakaopay',
    'naverpay',
    'tosspay',
  ]);
  expect(choicesIn(html)).toEqual(['paid', 'later_payments_fail', 'declined', 'closed', 'left', 'lost']);
  const notice_url = `${receiver.url}/of-the-window`;
  const { headers } = await choose('paid', { notice_url }, { pay_method: 'kakaopay' });
  const wallet = { pay_method: 'kakaopay', pg_provider: 'kakaopay', emb_pg_provider: null, ...NO_CARD };
  const { svc_uid, ...record } = await payment();
  expect(record).toMatchObject({
    ...wallet,
    status: 'paid',
    amount: 0,
    paid_at: NOW,
    customer_uid: 'wallet-1',
    customer_uid_usage: 'issue',
    receipt_url: null,
  });
  expect(headers.get('location')).toBe(
    `${RETURN.return_url}?svc_uid=${svc_uid}&merchant_uid=key-1&svc_success=true`,
  );
  expect(await key()).toMatchObject({ pg_provider: 'kakaopay', ...NO_CARD, inserted: NOW });
  const body = { svc_uid, merchant_uid: 'key-1', status: 'paid' };
  expect(await service.notifications()).toMatchObject([{ url: notice_url, body }]);
});

test('a window that names its method offers no other, and a card has its number in the key', async () => {
  for (const fields of [{ pay_method: 'tosspay' }, { pg: 'tosspay.MID', pay_method: 'card' }]) {
    const html = await open(fields);
    expect(html).not.toContain('name="pay_method"');
    expect(html).toContain('Toss Pay');
  }
  await choose('paid', { pg: 'tosspay.MID', pay_method: 'card' });
  expect(await payment()).toMatchObject({ pay_method: 'tosspay', pg_provider: 'tosspay', pg_id: 'MID' });
  await choose('paid', { pg: 'nice', pay_method: 'naverpay' });
  expect(await payment()).toMatchObject({ pg_provider: 'nice', emb_pg_provider: 'naverpay' });
  // The amount 0 issues a new key in place of the old one (§1).
  await choose('paid');
  expect(await key()).toMatchObject({ pg_provider: 'nice', card_number: '4242-42**-****-4242' });
});

test('a window with an amount issues the key and takes the payment', async () => {
  const fields = { amount: '9900', pay_method: 'naverpay' };
  const html = await open(fields);
  expect(html).toContain('₩9,900');
  expect(choicesIn(html)).toEqual(['paid', 'later_payments_fail', 'declined', 'closed', 'left', 'lost']);
  await choose('paid', fields);
  expect(await payment()).toMatchObject({ amount: 9900, status: 'paid', customer_uid_usage: 'issue' });
  expect(await key()).toMatchObject({ pg_provider: 'naverpay' });
  expect(choicesIn(await open(fields))).toContain('virtual_account');
});

test.each([
  ['declined', '한도초과'],
  ['closed', '[결제포기]'],
])('no key is issued where the outcome is %s', async (outcome, reason) => {
  const { headers } = await choose(outcome);
  expect(headers.get('location')).toContain('svc_success=false');
  const fail_reason = expect.stringContaining(reason);
  expect(await payment()).toMatchObject({ status: 'failed', customer_uid_usage: 'issue', fail_reason });
  expect((await service.get('/subscribe/customers/wallet-1')).status).toBe(404);
  expect(await statuses()).toEqual([]);
});

test.each([
  ['left', ['paid']],
  ['lost', []],
])(
  'the key exists where the buyer closes the window afterwards (%s), and nobody is redirected',
  async (outcome, sent) => {
    const { status, headers, text } = await choose(outcome);
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(text).toContain('창을 닫았어요');
    expect(await key()).toMatchObject({ customer_uid: 'wallet-1' });
    expect(await statuses()).toEqual(sent);
    // The page of the browser script hears of a closed window only.
    const framed = addressOf({ customer_uid: 'wallet-2', callback_origin: 'https://shop.example' });
    const page = await service.call('POST', framed, new URLSearchParams({ outcome }));
    expect(page.text).toMatch(/&quot;success&quot;:false[^>]*결제포기/);
    expect(page.text).not.toContain('svc_uid');
  },
);

test('the key of a wallet pays and is scheduled without a card, and fails where the window was told so', async () => {
  await choose('paid', { pay_method: 'kakaopay' });
  const again = (merchant_uid: string) =>
    service.post('/subscribe/payments/again', {
      merchant_uid,
      amount: 900,
      name: '책',
      customer_uid: 'wallet-1',
    });
  const wallet = { pay_method: 'kakaopay', pg_provider: 'kakaopay', ...NO_CARD, apply_num: null };
  const paid = { ...wallet, status: 'paid', customer_uid_usage: 'payment' };
  expect((await again('order-1')).body.response).toMatchObject(paid);
  const schedules = [{ merchant_uid: 'plan-1', schedule_at: NOW + 60, amount: 900 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'wallet-1', schedules });
  await service.advance(60);
  expect((await service.get('/payments/find/plan-1')).body.response).toMatchObject({
    ...wallet,
    status: 'paid',
  });
  const { list } = (await service.get('/subscribe/customers/wallet-1/payments')).body.response;
  expect(list.map(({ amount }: any) => amount)).toEqual([900, 900, 0]);
  await choose('later_payments_fail', { pay_method: 'kakaopay' });
  expect((await again('order-2')).body.response).toMatchObject({ ...wallet, status: 'failed' });
});

test('a program makes the key by POST /_sandbox/payments, also without a notification', async () => {
  const made = { merchant_uid: 'key-1', amount: 0, customer_uid: 'wallet-1', pay_method: 'kakaopay' };
  const record = await service.pay({ ...made, notify: false });
  expect(record).toMatchObject({ status: 'paid', amount: 0, customer_uid_usage: 'issue' });
  expect(await key()).toMatchObject({ pg_provider: 'kakaopay' });
  expect(await statuses()).toEqual([]);
  const account = await service.control('POST', '/payments', { ...made, outcome: 'virtual_account' });
  expect([account.status, account.body.message]).toEqual([400, expect.stringContaining('outcome')]);
  const cancelled = await service.post('/payments/cancel', { svc_uid: record.svc_uid });
  expect(cancelled.body).toMatchObject({ code: 1, message: expect.stringContaining('no money') });
});
