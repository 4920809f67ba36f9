// Nobody finds out the data of a card by key-in payments (§4.3) of the shop's own server (row K4 of docs/faults.md).

import { CARD_LIMITS } from '../../src/merchant/card-limits';
import { attempt, countOf, endWindows, forgetAttempts, stranger } from '../support/card-attempts';
import { CARD } from '../support/cards';
import { API_KEY } from '../support/config';
import { expectNoEffect } from '../support/no-effect';
import { useWorld } from '../support/use-world';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

const world = useWorld({ cardLimits: CARD_LIMITS });
beforeEach(() => forgetAttempts(world));
afterEach(() => world.sandbox.waitForNotifications());

let orders = 0;
const pay = (changes: Record<string, unknown> = {}) => {
  orders += 1;
  const order = { merchant_uid: `onetime-${orders}`, name: 'Tea', amount: 1000 };
  return world.api('POST', '/api/onetime', { ...order, ...CARD, ...changes });
};
const decline = (times: number) =>
  world.sandbox.fault({
    endpoint: PAY_ONETIME,
    kind: 'status',
    status: 200,
    body: { code: 1, message: '비밀번호 오류' },
    times,
  });

/** Of a refusal, in seconds. */
async function retryAfter(card: object): Promise<number> {
  const { headers } = await fetch(`${world.url}/api/onetime`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: 'onetime-refused', name: 'Tea', amount: 1000, ...card }),
  });
  return Number(headers.get('retry-after'));
}

test('K4: a key-in payment counts one card with the tries of the card form: five a day, then 429', async () => {
  const card_number = '9410-5566-7788-9901';
  for (let tries = 0; tries < 2; tries += 1) await attempt(world, stranger(world), { card_number });
  await decline(100);
  for (let password = 10; password < 13; password += 1)
    expect((await pay({ card_number, pwd_2digit: String(password) })).status).toBe(402);
  const before = await countOf(world, 'card');
  const spelled = { card_number: card_number.replaceAll('-', ''), pwd_2digit: '86' };
  const refused = await expectNoEffect(world, () => pay(spelled));
  expect([refused.status, refused.body.error.code]).toEqual([429, 'card_tried_too_often']);
  const seconds = await retryAfter({ ...CARD, ...spelled });
  expect(seconds).toBeGreaterThan(23 * 3600);
  expect(seconds).toBeLessThanOrEqual(24 * 3600);
  expect((await countOf(world, 'card')) - before).toBe(2);
  expect((await attempt(world, stranger(world), { card_number })).status).toBe(429);
  // Another card is not in question.
  await world.sandbox.clearFaults();
  expect((await pay({ card_number: '9410-5566-7788-9902' })).status).toBe(200);
  await endWindows(world, 'card');
  expect((await pay({ card_number })).status).toBe(200);
});

test('K4: payments that were paid, and calls that sent nothing, are no tries of a card', async () => {
  for (let paid = 0; paid < 7; paid += 1) expect((await pay()).status).toBe(200);
  await pay({ merchant_uid: 'onetime-paid' });
  for (let again = 0; again < 7; again += 1)
    expect((await pay({ merchant_uid: 'onetime-paid' })).status).toBe(409);
  await decline(1);
  expect((await pay()).status).toBe(402);
});
