// Checks the end of a story: the books equal the service, no order was charged twice, every key has a row, all events were
// delivered in order, nothing is open, and no card data is stored.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import {
  CARD_INPUT,
  CARD_THAT_FAILS,
  CARD_WITH_LOST_ANSWER,
  DECLINED_CARD,
} from '../../../test/support/cards';
import { checkEvents } from './check-events';
import { checkMoney, paymentsAtService, type StoredOrder, type StoredPayment } from './check-money';
import { PARTS } from './parts';
import { deliverTheRest } from './pass-time';
import type { AllRows } from './prepared-rows';
import type { Tale } from './tale';
import { tallyRows } from './tally-rows';

type Discrepancy = { svc_uid: string; merchant_uid: string; kind: string; resolved_at: string | null };
type Refund = { svc_uid: string; status: string; amount: number };
type Key = { customer_uid: string; status: string };

/** Reconciliation leaves the latest minutes to its next run. */
const UNTIL_LISTED_SECONDS = 3_600;

/** Returns one sentence for each problem. */
export async function checkBooks(tale: Tale): Promise<string[]> {
  const { stage } = tale;
  let rows = await stage.rows.readAll();
  tallyRows(rows, stage.tally);
  const problems = [
    ...new Set(tale.problems),
    ...stage.network.sentTwice.map((body) => `sent twice: ${body}`),
    ...tale.leftOpen.map(({ what, count }) => `${count} left open: ${what}`),
    ...checkBeforeSweep(tale, rows),
  ];
  // Payments without a notification are found only now, in the service's lists, and cause events as well.
  if (checkMoney(tale, rows).length > 0) {
    await sweepAtTheEnd(tale);
    rows = await stage.rows.readAll();
  }
  return [
    ...problems,
    ...checkMoney(tale, rows),
    ...PARTS.flatMap((part) => part.check(tale, rows)),
    ...checkKeys(tale, rows),
    ...checkSchedules(tale),
    ...checkEvents(tale, rows),
    ...checkCards(tale, rows),
  ];
}

async function sweepAtTheEnd(tale: Tale): Promise<void> {
  const { stage } = tale;
  stage.tally.add('sweep in the end');
  stage.clock.advance(UNTIL_LISTED_SECONDS);
  await reconcile(stage.outside, { ninetyDays: true });
  for (const reported of doubtful(await stage.rows.readAll())) await syncPayment(stage.outside, reported);
  await deliverTheRest(tale);
}

/**
 * Checks before the reconciliation: the books have every notification answered with 200 (with the amount cancelled when it was
 * sent) and our own refunds, and nothing else.
 */
function checkBeforeSweep({ stage, acknowledged, orders }: Tale, rows: AllRows): string[] {
  const payments = rows.of<StoredPayment>('payments');
  const registered = rows.of<StoredOrder>('orders');
  const inDoubt = doubtful(rows);
  const problems: string[] = [];
  for (const { svc_uid: svcUid, merchant_uid: merchantUid, amount } of payments)
    if (registered.find((order) => order.merchant_uid === merchantUid)?.amount !== amount)
      problems.push(`${svcUid} is in the books with another amount than its order's`);
  for (const { svcUid, merchantUid, cancelled } of acknowledged) {
    const stored = payments.find((payment) => payment.svc_uid === svcUid);
    if (stored) {
      if (stored.cancel_amount < cancelled && !stage.network.hasDistorted())
        problems.push(`${svcUid} was acknowledged with ${cancelled} cancelled, and the books have less`);
      continue;
    }
    if (inDoubt.some((reported) => reported.svcUid === svcUid)) continue;
    if (!registered.some((order) => order.merchant_uid === merchantUid)) continue;
    const { amount } = orders.find((order) => order.merchantUid === merchantUid) ?? { amount: 0 };
    if (
      paymentsAtService(stage, merchantUid).some((each) => each.svcUid === svcUid && each.amount === amount)
    )
      problems.push(`${svcUid} was acknowledged and is not in the books`);
  }
  for (const { svc_uid: svcUid, cancel_amount: cancelled } of payments) {
    const refunded = rows
      .of<Refund>('refunds')
      .filter((refund) => refund.svc_uid === svcUid && refund.status === 'refunded')
      .reduce((sum, refund) => sum + refund.amount, 0);
    if (cancelled < refunded && !stage.network.hasDistorted())
      problems.push(`${svcUid} was refunded ${refunded}, and the books have ${cancelled}`);
  }
  return problems;
}

/**
 * A discrepancy stays open until the service lists the payment differently or a person syncs it. Answers forged in the network
 * cause such discrepancies, so each is synced here.
 */
function doubtful(rows: AllRows): { svcUid: string; merchantUid: string }[] {
  const kinds = ['amount_mismatch', 'order_mismatch', 'unknown_payment'];
  return rows
    .of<Discrepancy>('discrepancies')
    .filter(({ kind, resolved_at: resolvedAt }) => resolvedAt === null && kinds.includes(kind))
    .map(({ svc_uid: svcUid, merchant_uid: merchantUid }) => ({ svcUid, merchantUid }))
    .sort((one, other) =>
      `${one.svcUid} ${one.merchantUid}` < `${other.svcUid} ${other.merchantUid}` ? -1 : 1,
    );
}

function checkKeys({ stage, keys }: Tale, rows: AllRows): string[] {
  const there = new Set([...keys].filter((key) => stage.atService.billingKeys.find(key) !== undefined));
  const withStatus = (status: string) =>
    new Set(
      rows
        .of<Key>('billing_keys')
        .filter((key) => key.status === status)
        .map((key) => key.customer_uid),
    );
  const [usable, inDoubt] = [withStatus('active'), withStatus('needs_review')];
  return [
    ...[...there]
      .filter((key) => !usable.has(key) && !inDoubt.has(key))
      .map((key) => `${key} is a key without a usable row`),
    ...[...usable].filter((key) => !there.has(key)).map((key) => `${key} is a row without a key`),
  ];
}

/** The service has no schedules left, because all have been due. */
function checkSchedules({ stage }: Tale): string[] {
  return stage.atService.schedules
    .find({ from: 0, to: Number.POSITIVE_INFINITY, status: 'scheduled' })
    .map(({ merchantUid }) => `${merchantUid} is still scheduled at the service`);
}

const CARDS = [CARD_INPUT.cardNumber, CARD_WITH_LOST_ANSWER, DECLINED_CARD, CARD_THAT_FAILS];

function checkCards({ stage }: Tale, rows: AllRows): string[] {
  const texts = [rows.text, stage.log.text()].map((text) => text.replaceAll('-', ''));
  return CARDS.filter((card) => texts.some((text) => text.includes(card.replaceAll('-', '')))).map(
    (card) => `the card that ends in ${card.slice(-4)} stands in the rows or the log`,
  );
}
