// What has to be true when a story has ended and time has passed: the books equal the service, no order was charged twice, no
// key is without a row, every event was told in its order, nothing is left open, and no card stands anywhere.

import { deliverEvents } from '../../src/merchant/events/deliver-events';
import type { ShopEvent } from '../../src/merchant/events/event';
import { reconcile } from '../../src/merchant/reconciliation/reconcile';
import { CARD_INPUT, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../support/cards';
import type { Stage } from './stage';
import type { Story } from './story';

type Payment = { status: string; amount: number; cancelAmount: number; byKey: boolean };

/** Returns one sentence for each thing that is not true. */
export async function checkBooks(stage: Stage, story: Story): Promise<string[]> {
  const problems = [...(await checkAcknowledged(stage, story)), ...(await checkLeftOpen(stage))];
  // Only now: what no notification told of is found in the service's lists, and the shop is told of that as well.
  await reconcile(stage.outside, { lookBack: true });
  const told = [...story.told];
  await deliverEvents(stage.outside, (event) => {
    told.push(event);
    return Promise.resolve();
  });
  return [
    ...problems,
    ...(await checkMoney(stage, story)),
    ...(await checkKeys(stage, story)),
    ...(await checkEvents(stage, told)),
    ...(await checkCards(stage)),
  ];
}

/** Before anything is looked for in the service's lists: what was answered 200 is in the books. */
async function checkAcknowledged(stage: Stage, { acknowledged, orders }: Story): Promise<string[]> {
  const problems: string[] = [];
  for (const { svcUid, merchantUid } of acknowledged) {
    const [stored] = await stage.rows.query('select from payments where svc_uid = $1', [svcUid]);
    const { amount } = orders.find((order) => order.merchantUid === merchantUid) ?? { amount: 0 };
    const [genuine] = (await paymentsAtService(stage, merchantUid)).filter((each) => each.svcUid === svcUid);
    if (genuine?.amount === amount && !stored)
      problems.push(`${svcUid} was acknowledged and is not in the books`);
  }
  return problems;
}

async function checkLeftOpen({ rows }: Stage): Promise<string[]> {
  const left = await rows.query<{ what: string; count: number }>(LEFT_OPEN);
  return left.filter(({ count }) => count > 0).map(({ what, count }) => `${count} left open: ${what}`);
}

const LEFT_OPEN = `
  select 'notifications' as what, count(*)::int as count from notifications where next_attempt_at is not null
  union all select 'issuances', count(*)::int from billing_key_issuances where status in ('pending', 'unknown')
  union all select 'keys', count(*)::int from billing_keys where status in ('pending', 'removing')
  union all select 'charges', count(*)::int from charges where status in ('pending', 'unknown')
  union all select 'refunds', count(*)::int from refunds where status in ('pending', 'unknown')
  union all select 'deliveries', count(*)::int from event_deliveries where delivered_at is null`;

async function checkMoney(stage: Stage, { orders }: Story): Promise<string[]> {
  const problems: string[] = [];
  for (const { merchantUid, amount } of orders) {
    const there = await paymentsAtService(stage, merchantUid);
    const genuine = there.filter((payment) => payment.amount === amount);
    const stored = await stage.rows.query<Record<string, unknown>>(
      `select svc_uid, status, amount::int, cancel_amount::int from payments where merchant_uid = $1 order by svc_uid`,
      [merchantUid],
    );
    const expected = genuine
      .map(({ svcUid, status, amount: paid, cancelAmount }) => ({
        svc_uid: svcUid,
        status,
        amount: paid,
        cancel_amount: cancelAmount,
      }))
      .sort((one, other) => (one.svc_uid < other.svc_uid ? -1 : 1));
    const found = [...stored].sort((one, other) =>
      String(one['svc_uid']) < String(other['svc_uid']) ? -1 : 1,
    );
    if (JSON.stringify(found) !== JSON.stringify(expected))
      problems.push(
        `${merchantUid}: the books have ${JSON.stringify(found)}, the service ${JSON.stringify(expected)}`,
      );
    const [order] = await stage.rows.query<{ status: string }>(
      'select status from orders where merchant_uid = $1',
      [merchantUid],
    );
    const status = expectedStatus(genuine);
    if (order?.status !== status) problems.push(`${merchantUid} is ${order?.status} and not ${status}`);
    const charged = there.filter((payment) => payment.byKey && held(payment) > 0);
    if (charged.length > 1) problems.push(`${merchantUid} was charged ${charged.length} times`);
  }
  return problems;
}

const held = ({ status, amount, cancelAmount }: Payment) =>
  status === 'paid' || status === 'cancelled' ? amount - cancelAmount : 0;

function expectedStatus(payments: readonly Payment[]): string {
  if (payments.some((payment) => held(payment) > 0 && payment.cancelAmount === 0)) return 'paid';
  if (payments.some((payment) => held(payment) > 0)) return 'partially_cancelled';
  if (payments.some(({ status }) => status === 'cancelled' || status === 'paid')) return 'cancelled';
  return payments.some(({ status }) => status === 'failed') ? 'failed' : 'open';
}

async function paymentsAtService({ outside }: Stage, merchantUid: string) {
  const found = await outside.service.findAllPaymentsByMerchantUid(merchantUid);
  return found.map(({ svcUid, status, amount, cancelAmount, customerUid }) => ({
    svcUid,
    status,
    amount,
    cancelAmount,
    byKey: customerUid !== null,
  }));
}

async function checkKeys({ rows, outside }: Stage, { keys }: Story): Promise<string[]> {
  if (keys.length === 0) return [];
  const there = new Set((await outside.service.findBillingKeys(keys)).map(({ customerUid }) => customerUid));
  const stored = await rows.query<{ customer_uid: string; status: string }>(
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

async function checkEvents({ rows }: Stage, told: readonly ShopEvent[]): Promise<string[]> {
  const problems: string[] = [];
  const events = await rows.query<{ stream: string; version: number; position: string | null }>(
    'select stream, version, position from events order by stream, version',
  );
  const toldIds = told.map(({ id }) => id);
  for (const { stream, version, position } of events) {
    const id = `${stream}:${version}`;
    if (position === null) problems.push(`${id} was not published`);
    else if (!toldIds.includes(id)) problems.push(`${id} was not told`);
  }
  const first = [...new Set(toldIds)];
  const inOrder = [...first].sort((one, other) => {
    const [oneStream = '', oneVersion] = one.split(':');
    const [otherStream = '', otherVersion] = other.split(':');
    return oneStream === otherStream ? Number(oneVersion) - Number(otherVersion) : 0;
  });
  for (const stream of new Set(events.map((event) => event.stream))) {
    const of = (ids: string[]) => ids.filter((id) => id.startsWith(`${stream}:`)).join();
    if (of(first) !== of(inOrder)) problems.push(`${stream} was told of in the order ${of(first)}`);
  }
  return problems;
}

const CARDS = [CARD_INPUT.cardNumber, CARD_WITH_LOST_ANSWER, DECLINED_CARD];

async function checkCards({ rows, log }: Stage): Promise<string[]> {
  const texts = [await rows.dump(), log.text()].map((text) => text.replaceAll('-', ''));
  return CARDS.filter((card) => texts.some((text) => text.includes(card.replaceAll('-', '')))).map(
    (card) => `the card that ends in ${card.slice(-4)} stands in the rows or the log`,
  );
}
