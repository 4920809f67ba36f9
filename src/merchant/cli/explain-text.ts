// The history of one payment, for people and for programs. It shows amounts and states only, no record in full.

import type { StoredOrder } from '../orders/order-store';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import { DISCREPANCY_KINDS } from '../payments/discrepancy-kinds';
import type { Verdict } from '../payments/judge-payment';
import type { PaymentHistory } from '../operator/payment-history-store';
import { serviceTime } from './terminal';

export type Explanation = {
  svcUid: string;
  merchantUid: string | null;
  history: PaymentHistory;
  order: StoredOrder | null;
  /** What the service says now; null if it knows no such payment. */
  record: PaymentRecord | null;
  /** Null if nothing names an order. */
  verdict: Verdict | null;
};

export function explanationText(explanation: Explanation): string {
  const { svcUid, merchantUid, order, record, verdict, history } = explanation;
  const lines = eventsOf(history).map(({ at, what }) => `  ${serviceTime(at)}  ${what}\n`);
  return [
    `${svcUid}${merchantUid === null ? '' : ` for ${merchantUid}`}\n\n`,
    ...(lines.length > 0 ? lines : ['  No notification came, and reconciliation has found nothing.\n']),
    '\n',
    `  Order    ${order ? `${order.status}, ${order.amount} ${order.currency} expected` : 'none is registered'}\n`,
    `  Stored   ${history.payment ? stateOf(history.payment) : 'nothing'}\n`,
    `  Service  ${record ? `${stateOf(record)}, for ${record.merchantUid}` : 'knows no such payment'}\n`,
    `  Verdict  ${verdict ? verdictText(verdict) : 'none: there is no order to judge it by'}\n`,
  ].join('');
}

/** With the document's names. */
export function explanationJson(explanation: Explanation): unknown {
  const { svcUid, merchantUid, history, order, record, verdict } = explanation;
  return {
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    events: eventsOf(history),
    order: order && { status: order.status, amount: Number(order.amount), currency: order.currency },
    stored: history.payment && amountsJson(history.payment),
    service: record && { merchant_uid: record.merchantUid, ...amountsJson(record) },
    verdict: verdict && {
      outcome: verdict.outcome,
      discrepancies: 'discrepancies' in verdict ? verdict.discrepancies : [],
    },
  };
}

/** The oldest first. */
function eventsOf({ payment, notifications, discrepancies, difference }: PaymentHistory) {
  const events = [
    ...notifications.map((each) => ({
      at: each.receivedAt,
      what: `notification ${each.id} from ${each.sourceAddress} said ${each.claimedStatus ?? 'nothing'}: ${each.outcome ?? 'not judged yet'}${each.reason ? ` (${each.reason})` : ''}, ${each.attempts} attempt(s)${each.requestId ? `, request ${each.requestId}` : ''}`,
    })),
    ...discrepancies.map((each) => ({
      at: each.firstSeenAt,
      what: `${each.kind}: expected ${each.expected ?? '-'}, found ${each.actual ?? '-'}; seen ${each.timesSeen} time(s), ${each.resolvedAt ? (each.resolution ?? 'settled') : 'open'}`,
    })),
    ...(payment ? [{ at: payment.createdAt, what: 'stored for the first time' }] : []),
    ...(payment && +payment.updatedAt > +payment.createdAt
      ? [{ at: payment.updatedAt, what: `last changed: ${stateOf(payment)}` }]
      : []),
    ...(difference
      ? [
          {
            at: difference.firstSeenAt,
            what: `reconciliation could not repair it: ${difference.reason ?? difference.outcome}`,
          },
        ]
      : []),
  ];
  return events.sort((one, other) => +one.at - +other.at);
}

type Amounts = {
  status: string;
  amount: number | bigint;
  cancelAmount: number | bigint;
  currency: string | null;
};

function stateOf({ status, amount, cancelAmount, currency }: Amounts): string {
  const back = cancelAmount > 0 ? `, ${cancelAmount} given back` : '';
  return `${status} ${amount} ${currency ?? 'without a currency'}${back}`;
}

function amountsJson({ status, amount, cancelAmount, currency }: Amounts) {
  return { status, amount: Number(amount), cancel_amount: Number(cancelAmount), currency };
}

function verdictText(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'unchanged':
      return 'nothing new: stored as the service has it';
    case 'recorded':
      return `fits and would be stored, and the order would be ${verdict.orderStatus}: run npm run reconcile`;
    case 'queued':
      return `cannot be judged (${verdict.reason})`;
    case 'needs_confirmation':
      return 'the service would be asked once more';
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_payment':
      return verdict.discrepancies
        .map(
          ({ kind, expected, actual }) =>
            `${kind}, expected ${expected ?? '-'}, found ${actual ?? '-'}: ${DISCREPANCY_KINDS[kind].means}`,
        )
        .join('; ');
  }
}
