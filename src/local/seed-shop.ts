// The last 30 days of a tea shop, as calls to the merchant's API and to the sandbox, which plays the buyers. A seeded
// generator decides, so each run makes the same orders. The clock of both is put back to the first day, follows the days up
// to now, and shows the real time again in the end.

import { createScene, type CallAnswer } from '../sandbox/stories/scene';
import type { RunningPlaces } from './running-places';
import { createSeedClock } from './seed-clock';

const DAYS = 30;
const DAY_SECONDS = 86_400;
/** In Seoul. */
const MORNING_NOON_EVENING = [9, 13, 19];
const NIGHT = 23;
const GOODS = [
  ['우전 녹차 80g', 12_000],
  ['백자 찻잔', 18_000],
  ['옹기 다관', 54_000],
  ['세작 녹차 50g', 9_000],
  ['다과 세트', 27_000],
] as const;
const REASONS = ['단순 변심', '배송 지연', '상품 파손', '중복 주문'];
const NAMES = ['김민수', '이서연', '박지훈', '최유진', '정하늘', '강도윤'];

/** How many of each were made. */
type Made = Record<(typeof KINDS)[number], number>;
const KINDS = [
  'cards',
  'plans',
  'orders',
  'paid in the window',
  'paid with a card',
  'failed',
  'waiting for a deposit',
  'deposited',
  'left unpaid',
  'refunded in full',
  'refunded in part',
  'discrepancies',
] as const;

type Shop = ReturnType<typeof openShop>;
type Order = { merchant_uid: string; amount: number; member: number };

/** The seeded orders by status; null if there is none. `isWhole`: false if an earlier run did not come to its end. */
export async function findSeeded(
  places: RunningPlaces,
): Promise<{ orders: Record<string, number>; isWhole: boolean } | null> {
  const shop = openShop(places);
  const isThere = async (uid: string) => (await shop.merchant('GET', `/api/orders/${uid}`)).status === 200;
  if (!(await isThere(orderId(1, 1)))) return null;
  const orders: Record<string, number> = {};
  let next: string | null = '';
  while (next !== null) {
    const after = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
    const { body } = succeeded('list', await shop.merchant('GET', `/api/orders?limit=1000${after}`));
    const page = body as { list: { merchant_uid: string; status: string }[]; next: string | null };
    for (const { merchant_uid: uid, status } of page.list)
      if (uid.startsWith('seed-')) orders[status] = (orders[status] ?? 0) + 1;
    next = page.next;
  }
  return { orders, isWhole: await isThere(LAST_ORDER) };
}

/** Back to the real time. */
export const resetClock = (places: RunningPlaces): Promise<void> => openShop(places).clock.reset();

export async function fillShop(
  places: RunningPlaces,
  onDay: (day: number, days: number) => void,
): Promise<Made> {
  const shop = openShop(places);
  await shop.clock.putBack(DAYS);
  try {
    await makeDays(shop, onDay);
  } finally {
    await shop.clock.reset();
  }
  return shop.made;
}

async function makeDays(shop: Shop, onDay: (day: number, days: number) => void): Promise<void> {
  for (let day = 1; day <= DAYS; day += 1) {
    onDay(day, DAYS);
    let number = 0;
    for (const hour of MORNING_NOON_EVENING) {
      await shop.clock.moveTo(DAYS - day, hour);
      if (day === 1 && number === 0) await makeCards(shop);
      if (day === 2 && number === 0) await makePlans(shop);
      for (let left = 1 + shop.upTo(day > 15 ? 3 : 2); left > 0; left -= 1) {
        number += 1;
        await buy(shop, day, number);
      }
      await refundSometimes(shop);
    }
    await shop.clock.moveTo(DAYS - day, NIGHT);
    await depositSome(shop);
    if (day % 10 === 0) await makeDiscrepancies(shop, day);
  }
}

function openShop(places: RunningPlaces) {
  const scene = createScene(places);
  const made = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Made;
  const next = seededRandom(20_261_125);
  const sandbox = async (path: string, body?: object, method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'POST') => {
    const answer = await scene.ask({
      to: 'sandbox',
      method,
      path: `/_sandbox${path}`,
      ...(body && { body }),
    });
    return succeeded(`sandbox ${path}`, answer);
  };
  return {
    made,
    sandbox,
    clock: createSeedClock(sandbox),
    /** Payments that may be refunded, and those that wait for a deposit. */
    paid: [] as { svcUid: string; merchantUid: string; amount: number }[],
    waiting: [] as string[],
    /** A whole number from 0 to `most`. */
    upTo: (most: number) => Math.floor(next() * (most + 1)),
    chance: (share: number) => next() < share,
    merchant: (method: 'GET' | 'POST', path: string, body?: object) =>
      scene.ask({ to: 'merchant', method, path, ...(body && { body }) }),
  };
}

const pad = (number: number) => String(number).padStart(2, '0');
const orderId = (day: number, number: number) => `seed-${pad(day)}-${pad(number)}`;
/** Made at the end of the last day. */
const LAST_ORDER = `seed-${DAYS}-short`;
const memberId = (member: number) => `seed-member-${member}`;
const cardId = (member: number) => `seed-member-${member}-card`;

/** With their first purchase, as a shop does that stores the card on the way (§4.3). */
async function makeCards(shop: Shop): Promise<void> {
  for (const [member, name] of NAMES.entries()) {
    const merchantUid = member === 0 ? orderId(1, 1) : `seed-first-${member}`;
    const answer = await shop.merchant('POST', '/api/onetime', {
      merchant_uid: merchantUid,
      name: GOODS[0][0],
      amount: GOODS[0][1],
      buyer: { name },
      member_id: memberId(member),
      customer_uid: cardId(member),
      card_number: withCheckDigit(`9${member + 1}55400012345${pad(member * 11)}`),
      expiry: '2037-12',
      birth: '880101',
      pwd_2digit: '12',
    });
    succeeded('card', answer);
    shop.made.cards += 1;
    count(shop, 'orders', 'paid with a card');
  }
}

async function makePlans(shop: Shop): Promise<void> {
  for (const [member, interval, amount] of [
    [0, 'week', 6_900],
    [1, 'week', 9_900],
    [2, 'month', 29_000],
  ] as const) {
    const { body } = await shop.merchant('GET', `/api/orders/${orderId(1, 1)}`);
    const { created_at: from } = body as { created_at: string };
    const firstPayment = new Date(Date.parse(from) + 3 * DAY_SECONDS * 1000).toISOString();
    const answer = await shop.merchant('POST', '/api/subscriptions', {
      subscription_id: `seed-plan-${member}`,
      customer_uid: cardId(member),
      member_id: memberId(member),
      name: interval === 'week' ? '이번 주의 차' : '이달의 차',
      amount,
      interval,
      first_payment_at: firstPayment,
    });
    // The option subscriptions was removed.
    if (answer.status === 404) return;
    succeeded('plan', answer);
    shop.made.plans += 1;
  }
}

async function buy(shop: Shop, day: number, number: number): Promise<void> {
  const [name, price] = GOODS[shop.upTo(GOODS.length - 1)] ?? GOODS[0];
  const member = shop.upTo(NAMES.length - 1);
  const amount = price * (1 + shop.upTo(1));
  const order = { merchant_uid: `${orderId(day, number)}b`, amount, member };
  const { merchant_uid } = order;
  const buyer = { name: NAMES[member] };
  const registered = await shop.merchant('POST', '/api/orders', {
    merchant_uid,
    name,
    amount,
    buyer,
    member_id: memberId(member),
  });
  succeeded('order', registered);
  count(shop, 'orders');
  const choice = shop.upTo(99);
  if (choice < 25) return payWithCard(shop, order);
  if (choice < 33) return count(shop, 'left unpaid');
  const outcome = choice < 42 ? 'failed' : choice < 52 ? 'virtual_account' : 'paid';
  const { body } = await shop.sandbox('/payments', { merchant_uid, amount, name, outcome });
  const { svc_uid: svcUid } = body as { svc_uid: string };
  // A failed payment has no notification (§6.2): the page to which the buyer returns looks.
  if (outcome === 'failed') await syncPayment(shop, svcUid, merchant_uid);
  if (outcome === 'virtual_account') shop.waiting.push(svcUid);
  if (outcome === 'paid') shop.paid.push({ svcUid, merchantUid: merchant_uid, amount });
  count(
    shop,
    ({ failed: 'failed', virtual_account: 'waiting for a deposit', paid: 'paid in the window' } as const)[
      outcome
    ],
  );
}

async function payWithCard(shop: Shop, { merchant_uid, member, amount }: Order): Promise<void> {
  const path = `/api/orders/${merchant_uid}/charge`;
  const { body } = succeeded('charge', await shop.merchant('POST', path, { customer_uid: cardId(member) }));
  const { order } = body as { order: { payments: { svc_uid: string }[] } };
  for (const { svc_uid: svcUid } of order.payments)
    shop.paid.push({ svcUid, merchantUid: merchant_uid, amount });
  count(shop, 'paid with a card');
}

/** Not there without the option checkout. */
const syncPayment = (shop: Shop, svcUid: string, merchant_uid: string) =>
  shop.merchant('POST', `/api/payments/${svcUid}/sync`, { merchant_uid });

/** The sync makes sure that the payment is in the books, as its notification may be on the way. */
async function refundSometimes(shop: Shop): Promise<void> {
  if (!shop.chance(0.2)) return;
  const payment = shop.paid.splice(shop.upTo(shop.paid.length - 1), 1)[0];
  if (payment === undefined) return;
  const isPart = shop.chance(0.4);
  const reason = REASONS[shop.upTo(REASONS.length - 1)];
  const amount = isPart ? { amount: Math.floor(payment.amount / 3), checksum: payment.amount } : {};
  const path = `/api/payments/${payment.svcUid}`;
  await syncPayment(shop, payment.svcUid, payment.merchantUid);
  succeeded('refund', await shop.merchant('POST', `${path}/cancel`, { reason, ...amount }));
  count(shop, isPart ? 'refunded in part' : 'refunded in full');
}

/** Most buyers transfer the money within a day. */
async function depositSome(shop: Shop): Promise<void> {
  for (const svcUid of shop.waiting.splice(0)) {
    if (shop.chance(0.25)) continue;
    await shop.sandbox(`/payments/${svcUid}/deposit`, {});
    count(shop, 'deposited');
    shop.made['waiting for a deposit'] -= 1;
  }
}

/** What needs a person: a payment of another amount, and one that fits no order. */
async function makeDiscrepancies(shop: Shop, day: number): Promise<void> {
  const merchant_uid = `seed-${pad(day)}-short`;
  succeeded(
    'order',
    await shop.merchant('POST', '/api/orders', { merchant_uid, name: GOODS[1][0], amount: GOODS[1][1] }),
  );
  await shop.sandbox('/payments', { merchant_uid, amount: 100 });
  await shop.sandbox('/payments', { merchant_uid: `seed-${pad(day)}-unknown`, amount: 9_000 });
  count(shop, 'orders', 'discrepancies', 'discrepancies');
}

function count({ made }: Shop, ...kinds: (keyof Made)[]): void {
  for (const kind of kinds) made[kind] += 1;
}

/** @throws Error with the answer, if it is no success */
function succeeded(what: string, answer: CallAnswer): CallAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(`The ${what} was refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Adds the check digit of Luhn to 15 digits. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`.replace(/(\d{4})(?=\d)/g, '$1-');
}

/** Numbers from 0 to 1, always the same (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
