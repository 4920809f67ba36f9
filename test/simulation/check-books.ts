// What has to be true when a story has ended and time has passed: the books equal the service, no order was charged twice, no
// key is without a row, every event was told in its order, nothing is left open, and no card stands anywhere.

import { syncPayment } from '../../src/merchant/payments/sync-payment';
import { reconcile } from '../../src/merchant/reconciliation/reconcile';
import { CARD_INPUT, CARD_THAT_FAILS, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../support/cards';
import { checkEvents } from './check-events';
import { findLeftOpen } from './left-open';
import { tellTheRest } from './pass-time';
import type { Tale } from './tale';
import { tallyRows } from './tally-rows';

type Payment = { svcUid: string; status: string; amount: number; cancelAmount: number; byKey: boolean };
type StoredPayment = { svcUid: string; status: string; amount: number; cancelAmount: number };

/** What is newer than some minutes is left to the next sweep. */
const UNTIL_LISTED_SECONDS = 3_600;

/** Returns one sentence for each thing that is not true. */
export async function checkBooks(tale: Tale): Promise<string[]> {
  const { stage } = tale;
  await tallyRows(stage);
  const problems = [
    ...new Set(tale.problems),
    ...stage.network.sentTwice.map((body) => `sent twice: ${body}`),
    ...(await checkBeforeSweep(tale)),
    ...(await checkLeftOpen(tale)),
  ];
  // Only now: what no notification told of is found in the service's lists, and the shop is told of that as well.
  if ((await checkMoney(tale)).length > 0) await sweepAtTheEnd(tale);
  return [
    ...problems,
    ...(await checkMoney(tale)),
    ...(await checkKeys(tale)),
    ...(await checkEvents(tale)),
    ...(await checkCards(tale)),
  ];
}

async function sweepAtTheEnd(tale: Tale): Promise<void> {
  const { stage } = tale;
  stage.tally.add('sweep in the end');
  stage.clock.advance(UNTIL_LISTED_SECONDS);
  await reconcile(stage.outside, { lookBack: true });
  for (const claim of await findDoubtful(stage)) await syncPayment(stage.outside, claim);
  await tellTheRest(tale);
}

/** Before anything is looked for in the service's lists: what was answered 200 is in the books, and nothing else. */
async function checkBeforeSweep({ stage, acknowledged, orders }: Tale): Promise<string[]> {
  const stored = await stage.rows.query<{ svcUid: string; fits: boolean }>(`
    select p.svc_uid as "svcUid", p.amount = o.amount as fits from payments p join orders o using (merchant_uid)`);
  const doubtful = await findDoubtful(stage);
  const lost = acknowledged.filter(
    ({ svcUid }) => ![...stored, ...doubtful].some((payment) => payment.svcUid === svcUid),
  );
  const problems = stored
    .filter(({ fits }) => !fits)
    .map(({ svcUid }) => `${svcUid} is in the books with another amount than its order's`);
  const registered = await stage.rows.query<{ merchantUid: string }>(
    'select merchant_uid as "merchantUid" from orders',
  );
  for (const { svcUid, merchantUid } of lost) {
    const { amount } = orders.find((order) => order.merchantUid === merchantUid) ?? { amount: 0 };
    if (!registered.some((order) => order.merchantUid === merchantUid)) continue;
    const there = await paymentsAtService(stage, merchantUid);
    if (there.some((payment) => payment.svcUid === svcUid && payment.amount === amount))
      problems.push(`${svcUid} was acknowledged and is not in the books`);
  }
  return problems;
}

/**
 * What the service has shown to be wrong stays so for the merchant, until the service lists it otherwise or a person asks
 * again. An answer that was forged on its way leaves such a discrepancy; here a person asks again for each.
 */
function findDoubtful({ rows }: Tale['stage']): Promise<{ svcUid: string; merchantUid: string }[]> {
  return rows.query(`
    select distinct svc_uid as "svcUid", merchant_uid as "merchantUid" from discrepancies
    where resolved_at is null and kind in ('amount_mismatch', 'order_mismatch', 'unknown_payment') order by 1, 2`);
}

async function checkLeftOpen({ stage }: Tale): Promise<string[]> {
  return (await findLeftOpen(stage.rows)).map(({ what, count }) => `${count} left open: ${what}`);
}

async function checkMoney({ stage, orders }: Tale): Promise<string[]> {
  const problems: string[] = [];
  const stored = await stage.rows.query<StoredPayment & { merchantUid: string }>(`
    select merchant_uid as "merchantUid", svc_uid as "svcUid", status, amount::int,
      cancel_amount::int as "cancelAmount" from payments`);
  const statuses = await stage.rows.query<{ merchantUid: string; status: string }>(
    'select merchant_uid as "merchantUid", status from orders',
  );
  for (const { merchantUid, amount, isRegistered } of orders) {
    const there = await paymentsAtService(stage, merchantUid);
    const order = statuses.find((each) => each.merchantUid === merchantUid);
    if (!order && isRegistered) problems.push(`${merchantUid} is not there`);
    // What a buyer pays for an order that was never registered is in nobody's books.
    const genuine = there.filter((payment) => payment.amount === amount && (order || payment.byKey));
    const expected = inWords(genuine);
    const found = inWords(stored.filter((payment) => payment.merchantUid === merchantUid));
    if (found !== expected) problems.push(`${merchantUid}: the books have ${found}, the service ${expected}`);
    const status = expectedStatus(genuine);
    if (order && order.status !== status)
      problems.push(`${merchantUid} is ${order.status} and not ${status}`);
    const charged = there.filter((payment) => payment.byKey && held(payment) > 0);
    if (charged.length > 1) problems.push(`${merchantUid} was charged ${charged.length} times`);
  }
  return problems;
}

function inWords(payments: readonly StoredPayment[]): string {
  return payments
    .map(
      ({ svcUid, status, amount, cancelAmount }) =>
        `${svcUid} ${status} ${amount}, ${cancelAmount} cancelled`,
    )
    .sort()
    .join('; ');
}

const held = ({ status, amount, cancelAmount }: Payment) =>
  status === 'paid' || status === 'cancelled' ? amount - cancelAmount : 0;

function expectedStatus(payments: readonly Payment[]): string {
  if (payments.some((payment) => held(payment) > 0 && payment.cancelAmount === 0)) return 'paid';
  if (payments.some((payment) => held(payment) > 0)) return 'partially_cancelled';
  if (payments.some(({ status }) => status === 'cancelled' || status === 'paid')) return 'cancelled';
  return payments.some(({ status }) => status === 'failed') ? 'failed' : 'open';
}

async function paymentsAtService({ outside }: Tale['stage'], merchantUid: string): Promise<Payment[]> {
  const found = await outside.service.findAllPaymentsByMerchantUid(merchantUid);
  return found.map(({ svcUid, status, amount, cancelAmount, customerUid }) => ({
    svcUid,
    status,
    amount,
    cancelAmount,
    byKey: customerUid !== null,
  }));
}

async function checkKeys({ stage, keys }: Tale): Promise<string[]> {
  if (keys.size === 0) return [];
  const found = await stage.outside.service.findBillingKeys([...keys]);
  const there = new Set(found.map(({ customerUid }) => customerUid));
  const stored = await stage.rows.query<{ customer_uid: string; status: string }>(
    'select customer_uid, status from billing_keys',
  );
  const usable = new Set(stored.filter(({ status }) => status === 'active').map((key) => key.customer_uid));
  const doubtful = new Set(
    stored.filter(({ status }) => status === 'needs_review').map((key) => key.customer_uid),
  );
  return [
    ...[...there]
      .filter((key) => !usable.has(key) && !doubtful.has(key))
      .map((key) => `${key} is a key without a usable row`),
    ...[...usable].filter((key) => !there.has(key)).map((key) => `${key} is a row without a key`),
  ];
}

const CARDS = [CARD_INPUT.cardNumber, CARD_WITH_LOST_ANSWER, DECLINED_CARD, CARD_THAT_FAILS];

async function checkCards({ stage }: Tale): Promise<string[]> {
  const texts = [await stage.rows.dump(), stage.log.text()].map((text) => text.replaceAll('-', ''));
  return CARDS.filter((card) => texts.some((text) => text.includes(card.replaceAll('-', '')))).map(
    (card) => `the card that ends in ${card.slice(-4)} stands in the rows or the log`,
  );
}
