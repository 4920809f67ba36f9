// faults.md C: which payment it is, and whether it is true.

import { startWorld, type World } from '../support/world';

let world: World;
let sequence = 0;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const newUid = (): string => `order-${(sequence += 1)}`;

async function order(merchantUid: string, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...fields };
  expect((await world.api('POST', '/api/orders', body)).status).toBe(201);
  return merchantUid;
}
const pay = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false, ...fields });
const ring = (svcUid: string, merchantUid: string, status = 'paid') =>
  world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status });
const status = async (uid: string) => (await world.api('GET', `/api/orders/${uid}`)).body.status as string;
const discrepancies = (uid: string) =>
  world.rows.query(
    'select kind, expected, actual, times_seen from discrepancies where merchant_uid = $1 order by kind',
    [uid],
  );
const outcomes = (uid: string) =>
  world.rows.query('select outcome, reason from notifications where merchant_uid = $1 order by id', [uid]);

/** A verdict that must leave the money alone. */
async function expectRefused(svcUid: string, uid: string, outcome: string): Promise<void> {
  const before = await world.rows.money();
  expect(await ring(svcUid, uid)).toEqual({ status: 400, outcome });
  expect(await world.rows.money()).toBe(before);
}

test.each([
  ['C1', '../users/getToken'],
  ['C2', '..'],
  ['C2', '.'],
  ['C2', ''],
  ['C3', '..%2Fusers%2FgetToken'],
  ['C3', '%2e%2e'],
  ['C3', '..\\users'],
  ['C3', 'status/all'],
  ['C3', 'a?x'],
  ['C3', 'a#f'],
  ['C3', 'a;x'],
  ['C4', 'http://evil.example/x'],
  ['C4', '//evil.example/x'],
  ['C5', `x'; drop table orders; --`],
  ['C5', '%'],
  ['C5', '$1'],
])('%s the id %j is malformed, and nothing is asked', async (_row, id) => {
  const uid = await order(newUid());
  const calls = await world.sandbox.allRequests();
  const before = await world.rows.dump();
  expect(await ring(id, uid)).toEqual({ status: 400, outcome: 'malformed' });
  expect(await ring('svc_1', id)).toEqual({ status: 400, outcome: 'malformed' });
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.dump()).toBe(before);
});

test('C2 a payment_id of dots only is malformed', async () => {
  const calls = await world.sandbox.allRequests();
  expect(await world.notify({ tx_id: 'a', payment_id: '...', status: 'paid' })).toEqual({
    status: 400,
    outcome: 'malformed',
  });
  expect(await world.sandbox.allRequests()).toBe(calls);
});

test('C6 a filter in place of an id matches no row', async () => {
  await order(newUid());
  const before = await world.rows.dump();
  const answer = await world.notify({ svc_uid: 'svc_1', merchant_uid: { not: '' } });
  expect(answer).toEqual({ status: 400, outcome: 'malformed' });
  expect(await world.rows.dump()).toBe(before);
});

test('C8 a genuine payment replayed for another order pays for neither', async () => {
  const cheap = await order(newUid());
  const other = await order(newUid());
  const { svc_uid } = await pay(cheap);
  await expectRefused(svc_uid, other, 'order_mismatch');
  expect(await discrepancies(other)).toEqual([
    { kind: 'order_mismatch', expected: other, actual: cheap, times_seen: 1 },
  ]);
  expect(await status(cheap)).toBe('open');
  expect(await ring(svc_uid, cheap)).toEqual({ status: 200, outcome: 'recorded' });
});

test('C8 a payment that moves to another order after it was stored pays for one order only', async () => {
  const first = await order(newUid());
  const second = await order(newUid());
  const { svc_uid } = await pay(first);
  await ring(svc_uid, first);
  await world.sandbox.control(svc_uid, 'tamper', { merchant_uid: second });
  await expectRefused(svc_uid, second, 'order_mismatch');
  expect([await status(first), await status(second)]).toEqual(['paid', 'open']);
});

test.each([999, 1001])(
  'C9 %d won for an order of 1000 is a mismatch, told once however often it is seen',
  async (amount) => {
    const uid = await order(newUid());
    const { svc_uid } = await pay(uid, { amount });
    for (let times = 1; times <= 5; times += 1) await expectRefused(svc_uid, uid, 'amount_mismatch');
    expect(await discrepancies(uid)).toEqual([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: `${amount} KRW`, times_seen: 5 },
    ]);
    expect(await status(uid)).toBe('open');
    expect((await world.api('GET', `/api/payments/${svc_uid}`)).status).toBe(404);
  },
);

test('C9 an amount that was changed at the service after it was stored is not taken over', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  await ring(svc_uid, uid);
  await world.sandbox.control(svc_uid, 'tamper', { amount: 1 });
  await expectRefused(svc_uid, uid, 'amount_mismatch');
  expect(await status(uid)).toBe('paid');
});

/** A payment record as the service would send it, with this text in place of its amount. */
async function answerWithAmount(svcUid: string, uid: string, amount: string): Promise<void> {
  const body = `{"code":0,"message":null,"response":{"abc_uid":"${svcUid}","merchant_uid":"${uid}","status":"paid","currency":"KRW"${amount}}}`;
  await world.sandbox.fault({
    endpoint: 'GET /payments/:svc_uid',
    kind: 'status',
    status: 200,
    body,
    headers: { 'content-type': 'application/json' },
  });
}

test.each([
  ',"amount":"1000"',
  ',"amount":null',
  '',
  ',"amount":-1000',
  ',"amount":9007199254740993',
  ',"amount":10.5',
])(
  'C10 the amount %j is no amount: asked again later, never paid, never called a mismatch',
  async (amount) => {
    const uid = await order(newUid());
    const { svc_uid } = await pay(uid);
    await answerWithAmount(svc_uid, uid, amount);
    expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
    expect(await outcomes(uid)).toEqual([{ outcome: 'queued', reason: 'bad_answer' }]);
    expect(await discrepancies(uid)).toEqual([]);
    expect(await status(uid)).toBe('open');
    await world.advance(2);
    expect(await status(uid)).toBe('paid');
  },
);

test.each([',"amount":1000.0', ',"amount":1e3'])('C11 %s is the integer it equals', async (amount) => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  await answerWithAmount(svc_uid, uid, amount);
  expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await status(uid)).toBe('paid');
});

test('C12 a thousand dollars are not a thousand won', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid, { currency: 'USD' });
  await expectRefused(svc_uid, uid, 'currency_mismatch');
  expect(await discrepancies(uid)).toEqual([
    { kind: 'currency_mismatch', expected: 'KRW', actual: 'USD', times_seen: 1 },
  ]);
});

test('C7 an answer about another payment is refused and told', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  await answerWithAmount('svc_of_somebody_else', uid, ',"amount":1000');
  await expectRefused(svc_uid, uid, 'order_mismatch');
  expect(await discrepancies(uid)).toMatchObject([
    { kind: 'order_mismatch', expected: svc_uid, actual: 'svc_of_somebody_else' },
  ]);
});

test('C13 an amount without a currency is held for review', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  const body = {
    code: 0,
    message: null,
    response: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid', amount: 1000 },
  };
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 200, body });
  expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'needs_review', expected: 'KRW', actual: null }]);
  expect(await status(uid)).toBe('open');
});

test('C14 an unknown order is looked at again for ten minutes, and no longer', async () => {
  const uid = newUid();
  const { svc_uid } = await pay(uid);
  expect(await ring(svc_uid, uid)).toEqual({ status: 400, outcome: 'unknown_order' });
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  const calls = await world.sandbox.requests('GET /payments/:svc_uid');
  await world.advance(3600);
  expect(await world.sandbox.requests('GET /payments/:svc_uid')).toBe(calls);
  expect(
    await world.rows.query('select next_check_at from notifications where svc_uid = $1', [svc_uid]),
  ).toEqual([{ next_check_at: null }]);
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'unknown_order', times_seen: 7 }]);
});

test('C15 a fetched status behind the notification is stored, and looked at again', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid, { outcome: 'virtual_account' });
  expect(await ring(svc_uid, uid, 'paid')).toEqual({ status: 200, outcome: 'recorded' });
  expect(await status(uid)).toBe('awaiting_deposit');
  await world.sandbox.settings({ webhook_url: 'http://127.0.0.1:9/nobody' });
  await world.sandbox.control(svc_uid, 'deposit');
  await world.advance(1);
  expect(await status(uid)).toBe('paid');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
});

test.each(['failed', 'cancelled', 'ready'])(
  'C16 a notification that says %s of a paid payment pays the order',
  async (word) => {
    const uid = await order(newUid());
    const { svc_uid } = await pay(uid);
    expect(await ring(svc_uid, uid, word)).toEqual({ status: 200, outcome: 'recorded' });
    expect(await status(uid)).toBe('paid');
  },
);

test('C17 an unknown payment is looked at five times more in ten minutes, then closed', async () => {
  const uid = await order(newUid());
  await expectRefused('svc_that_is_not_there', uid, 'unknown_payment');
  for (let minute = 0; minute < 12; minute += 1) await world.advance(60);
  expect(
    await world.rows.query('select checks, next_check_at from notifications where merchant_uid = $1', [uid]),
  ).toEqual([{ checks: 6, next_check_at: null }]);
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'unknown_payment', times_seen: 6 }]);
});

test('C19 a second payment of a paid order is kept, and told', async () => {
  const uid = await order(newUid());
  const first = await pay(uid);
  await ring(first.svc_uid, uid);
  const second = await pay(uid);
  expect(await ring(second.svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'duplicate_payment' }]);
  expect((await world.api('GET', `/api/orders/${uid}`)).body).toMatchObject({
    status: 'paid',
    payments: [{}, {}],
  });
});

test('C22 more cancelled than paid is held for review', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  await answerWithAmount(svc_uid, uid, ',"amount":1000,"cancel_amount":1001');
  expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'needs_review' }]);
});

test('C24 a payment of a cancelled order is kept, and told', async () => {
  const uid = await order(newUid());
  const first = await pay(uid);
  await ring(first.svc_uid, uid);
  await world.sandbox.control(first.svc_uid, 'cancel');
  expect(await status(uid)).toBe('cancelled');
  const second = await pay(uid);
  await ring(second.svc_uid, uid);
  expect(await discrepancies(uid)).toMatchObject([{ kind: 'paid_after_close' }]);
});

test('C27 huge and marked-up texts of the record are bounded', async () => {
  const uid = await order(newUid());
  const { svc_uid } = await pay(uid);
  await answerWithAmount(
    svc_uid,
    uid,
    `,"amount":1000,"buyer_name":"${'<b>'.repeat(50_000)}","fail_reason":"${'x'.repeat(5000)}","custom_data":"'; drop table orders; --"`,
  );
  expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  const [row] = await world.rows.query<{ size: number }>(
    'select length(record::text) as size from payments where svc_uid = $1',
    [svc_uid],
  );
  expect(row?.size).toBeLessThan(10_000);
});

describe('orders say what is expected, once', () => {
  test('the same again is 200, another amount or currency is 409 and changes nothing', async () => {
    const uid = await order(newUid());
    const again = { merchant_uid: uid, name: 'Tea', amount: 1000 };
    expect((await world.api('POST', '/api/orders', again)).status).toBe(200);
    const before = await world.rows.money();
    for (const changed of [{ amount: 1001 }, { currency: 'USD' }]) {
      const answer = await world.api('POST', '/api/orders', { ...again, ...changed });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'order_conflict' } } });
    }
    expect(await world.rows.money()).toBe(before);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['a zero amount', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['a fraction', { amount: 10.5 }],
    ['an amount as text', { amount: '1000' }],
    ['an amount that no number holds', { amount: 2 ** 53 }],
    ['an unknown currency', { currency: 'XXX' }],
    ['an id with a slash', { merchant_uid: 'a/b' }],
    ['an id of dots', { merchant_uid: '..' }],
    ['an id of 41 characters', { merchant_uid: 'a'.repeat(41) }],
    ['no name', { name: '' }],
  ])('%s is 400 and registers nothing', async (_name, change) => {
    const before = await world.rows.money();
    const answer = await world.api('POST', '/api/orders', {
      merchant_uid: newUid(),
      name: 'Tea',
      amount: 1000,
      ...change,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await world.rows.money()).toBe(before);
  });

  test('F12 an amount above 2^31 is stored as it is', async () => {
    const uid = await order(newUid(), { amount: 2_147_483_648 });
    const { svc_uid } = await pay(uid, { amount: 2_147_483_648 });
    expect(await ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
    expect((await world.api('GET', `/api/orders/${uid}`)).body.amount).toBe(2_147_483_648);
  });

  test('without the key the API is closed', async () => {
    const response = await fetch(`${world.url}/api/orders/x`, { headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });
});
