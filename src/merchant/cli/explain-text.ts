// The history of one payment or order, for people and for programs. It shows only amounts and states, never a full
// record.

import type { StoredOrder } from '../core/orders/order-store';
import { DISCREPANCY_KINDS } from '../core/payments/discrepancy-kinds';
import type { Verdict } from '../core/payments/judge-payment';
import type { OrderCharge, PaymentHistory } from '../core/reconciliation/payment-history-store';
import type { Explanation, OrderExplanation } from './explain-payment';
import { labelled, serviceTime, type Terminal } from './terminal';

export function explanationText(explanation: Explanation, terminal: Terminal): string {
  const { svcUid, merchantUid, order, record, verdict, history } = explanation;
  return [
    `${terminal.paint(svcUid, 'bold')}${merchantUid === null ? '' : ` for ${merchantUid}`}\n\n`,
    eventsText(
      eventsOf(history, currencyOf(explanation)),
      'No notification has arrived, and reconciliation has found nothing.',
      terminal.columns,
    ),
    '\n',
    row('Order', orderText(order), terminal),
    row('Stored', history.payment ? stateOf(history.payment) : 'nothing', terminal),
    row(
      'Service',
      record ? `${stateOf(record)}, for ${record.merchantUid}` : 'knows no such payment',
      terminal,
    ),
    row('Verdict', verdict ? verdictText(verdict) : 'none: there is no order to compare it with', terminal),
  ].join('');
}

export function orderExplanationText(
  { merchantUid, order, charges, payments }: OrderExplanation,
  terminal: Terminal,
): string {
  return [
    `${terminal.paint(merchantUid, 'bold')}\n\n`,
    eventsText(
      [...(order ? [{ at: order.createdAt, what: 'registered' }] : []), ...charges.map(chargeEvent)],
      'It is not registered here.',
      terminal.columns,
    ),
    '\n',
    row('Order', orderText(order), terminal, 'Payments'),
    row(
      'Payments',
      payments.length === 0 ? 'none, neither here nor at the service' : `${payments.length}, as follows`,
      terminal,
      'Payments',
    ),
    ...payments.map((payment) => `\n${explanationText(payment, terminal)}`),
  ].join('');
}

function row(label: string, text: string, { columns }: Terminal, longest = 'Verdict'): string {
  return `${labelled(`  ${label}`, text, columns, longest.length + 2)}\n`;
}

type Event = { at: Date; what: string };

function eventsText(events: Event[], none: string, columns: number): string {
  if (events.length === 0) return `${labelled('', none, columns)}\n`;
  return events.map(({ at, what }) => `${labelled(`  ${serviceTime(at)}`, what, columns)}\n`).join('');
}

function orderText(order: StoredOrder | null): string {
  return order
    ? `${order.status}, ${amountText(order.amount, order.currency)} expected`
    : 'none is registered';
}

function chargeEvent({ id, kind, status, startedAt, svcUid, reason, settledBy }: OrderCharge): Event {
  return {
    at: startedAt,
    what: `charge ${id} (${kind}): ${status}${reason ? ` (${reason})` : ''}${svcUid ? `, payment ${svcUid}` : ''}${settledBy ? `, settled by ${settledBy}` : ''}`,
  };
}

/** With the document's names. */
export function orderExplanationJson({ merchantUid, order, charges, payments }: OrderExplanation): unknown {
  return {
    merchant_uid: merchantUid,
    order: order && orderJson(order),
    charges: charges.map(({ id, kind, status, startedAt, svcUid, reason, settledBy }) => ({
      ...{ id, kind, status, reason },
      ...{ started_at: startedAt, svc_uid: svcUid, settled_by: settledBy },
    })),
    payments: payments.map(explanationJson),
  };
}

function orderJson({ status, amount, currency }: StoredOrder) {
  return { status, amount: Number(amount), currency };
}

/** With the document's names. */
export function explanationJson(explanation: Explanation): unknown {
  const { svcUid, merchantUid, history, order, record, verdict } = explanation;
  return {
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    events: eventsOf(history, currencyOf(explanation)),
    order: order && orderJson(order),
    stored: history.payment && amountsJson(history.payment),
    service: record && { merchant_uid: record.merchantUid, ...amountsJson(record) },
    verdict: verdict && {
      outcome: verdict.outcome,
      discrepancies: 'discrepancies' in verdict ? verdict.discrepancies : [],
    },
  };
}

/** Oldest first. */
function eventsOf(
  { payment, notifications, discrepancies, difference, refunds }: PaymentHistory,
  currency: string | null,
): Event[] {
  const events = [
    ...notifications.map((each) => ({
      at: each.receivedAt,
      what: `notification ${each.id} from ${each.sourceAddress} reported ${each.claimedStatus ?? 'nothing'}: ${each.outcome ?? 'not checked yet'}${each.reason ? ` (${each.reason})` : ''}, ${counted(each.attempts, 'attempt')}${each.requestId ? `, request ${each.requestId}` : ''}`,
    })),
    ...discrepancies.map((each) => ({
      at: each.firstSeenAt,
      what: `${each.kind}: expected ${each.expected ?? '-'}, found ${each.actual ?? '-'}; seen ${counted(each.timesSeen, 'time')}, ${each.resolvedAt ? (each.resolution ?? 'resolved') : 'open'}`,
    })),
    ...refunds.map((each) => ({
      at: each.startedAt,
      what: `refund #${each.id}: ${amountText(each.amount, currency)}, ${each.status}${each.reason ? ` (${each.reason})` : ''}${each.requestedBy ? `, requested by ${each.requestedBy}` : ''}${each.settledBy ? `, settled by ${each.settledBy}` : ''}`,
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
  const back = cancelAmount > 0 ? `, ${amountText(cancelAmount, currency)} refunded` : '';
  return `${status} ${amountText(amount, currency)}${back}`;
}

function amountText(amount: number | bigint, currency: string | null): string {
  return `${amount.toLocaleString('en')} ${currency ?? 'without a currency'}`;
}

const currencyOf = ({ history, record }: Explanation): string | null =>
  history.payment?.currency ?? record?.currency ?? null;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function amountsJson({ status, amount, cancelAmount, currency }: Amounts) {
  return { status, amount: Number(amount), cancel_amount: Number(cancelAmount), currency };
}

function verdictText(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'unchanged':
      return 'nothing new: it is stored as the service shows it, or nothing was paid';
    case 'recorded':
      return `matches and would be stored, and the order would be ${verdict.orderStatus}: run npm run reconcile`;
    case 'queued':
      return `cannot be verified (${verdict.reason})`;
    case 'needs_confirmation':
      return 'the payment would be fetched once more';
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
