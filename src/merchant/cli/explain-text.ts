// The story of one payment, for people and for programs. Amounts and states only: no record in full.

import type { Order } from '../../generated/prisma/client';
import type { PaymentRecord } from '../payment-service/records';
import type { Verdict } from '../payments/judge-payment';
import type { PaymentHistory } from './explain-store';
import { serviceTime } from './service-time';

export type Explanation = {
  svcUid: string;
  merchantUid: string | null;
  history: PaymentHistory;
  order: Order | null;
  /** What the service says now; null where it knows no such payment. */
  record: PaymentRecord | null;
  /** Null where nothing names an order. */
  verdict: Verdict | null;
};

export function explanationText(explanation: Explanation): string {
  const { svcUid, merchantUid, order, record, verdict, history } = explanation;
  const lines = events(history)
    .sort((one, other) => +one.at - +other.at)
    .map(({ at, what }) => `  ${serviceTime(at)}  ${what}\n`);
  return [
    `${svcUid}${merchantUid === null ? '' : ` for ${merchantUid}`}\n\n`,
    ...(lines.length > 0 ? lines : ['  Nothing ever came or was found.\n']),
    '\n',
    `  Order    ${order ? `${order.status}, ${order.amount} ${order.currency} expected` : 'none is registered'}\n`,
    `  Stored   ${history.payment ? state(history.payment) : 'nothing'}\n`,
    `  Service  ${record ? `${state(record)}, for ${record.merchantUid}` : 'knows no such payment'}\n`,
    `  A look   ${verdict ? verdictText(verdict) : 'has no order to judge it by'}\n`,
  ].join('');
}

function events({ payment, notifications, discrepancies, sweepDifference }: PaymentHistory) {
  return [
    ...notifications.map((each) => ({
      at: each.receivedAt,
      what: `notification ${each.id} from ${each.sourceAddress} said ${each.claimedStatus ?? 'nothing'}: ${each.outcome ?? 'not judged yet'}${each.reason ? ` (${each.reason})` : ''}, ${each.checks} look(s)`,
    })),
    ...discrepancies.map((each) => ({
      at: each.firstSeenAt,
      what: `${each.kind}: expected ${each.expected ?? '-'}, found ${each.actual ?? '-'}; seen ${each.timesSeen} time(s), ${each.resolvedAt ? 'settled' : 'open'}`,
    })),
    ...(payment ? [{ at: payment.createdAt, what: 'stored for the first time' }] : []),
    ...(payment && +payment.updatedAt > +payment.createdAt
      ? [{ at: payment.updatedAt, what: `last changed: ${state(payment)}` }]
      : []),
    ...(sweepDifference
      ? [
          {
            at: sweepDifference.firstSeenAt,
            what: `a sweep could not repair it: ${sweepDifference.reason ?? sweepDifference.outcome}`,
          },
        ]
      : []),
  ];
}

type Amounts = {
  status: string;
  amount: number | bigint;
  cancelAmount: number | bigint;
  currency: string | null;
};

function state({ status, amount, cancelAmount, currency }: Amounts): string {
  const back = cancelAmount > 0 ? `, ${cancelAmount} given back` : '';
  return `${status} ${amount} ${currency ?? 'without a currency'}${back}`;
}

function verdictText(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'unchanged':
      return 'finds nothing new: stored as the service has it';
    case 'recorded':
      return `would store it, and the order would be ${verdict.orderStatus}: run npm run reconcile`;
    case 'queued':
      return `could not judge it (${verdict.reason})`;
    case 'doubtful':
      return 'would ask once more';
    case 'test':
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_payment':
      return `says ${verdict.outcome}${verdict.findings.map(({ expected, actual }) => `: expected ${expected ?? '-'}, found ${actual ?? '-'}`).join('')}`;
  }
}

/** With the document's names. */
export function explanationJson({
  svcUid,
  merchantUid,
  history,
  order,
  record,
  verdict,
}: Explanation): unknown {
  const amounts = (each: Amounts) => ({
    status: each.status,
    amount: Number(each.amount),
    cancel_amount: Number(each.cancelAmount),
    currency: each.currency,
  });
  return {
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    events: events(history).sort((one, other) => +one.at - +other.at),
    order: order && { status: order.status, amount: Number(order.amount), currency: order.currency },
    stored: history.payment && amounts(history.payment),
    service: record && { merchant_uid: record.merchantUid, ...amounts(record) },
    verdict: verdict && { outcome: verdict.outcome, findings: 'findings' in verdict ? verdict.findings : [] },
  };
}
