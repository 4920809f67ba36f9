// The history of one payment or order, for people and for programs. It shows only amounts and states, never a full
// record.

import { DISCREPANCY_KINDS } from '../core/discrepancies/kinds';
import type { StoredOrder } from '../core/orders/order-store';
import type { Verdict } from '../core/payments/judge-payment';
import type { Moment } from '../core/payments/payment-chain';
import { isMerchantUid } from '../payment-service/identifiers';
import type { ServiceError } from '../payment-service/records/service-error';
import { UnreadableRecordError } from '../payment-service/records/shown-record';
import type { PaymentLink } from '../platform/context';
import { unreadableFields, type Explanation, type OrderExplanation } from './explain-payment';
import { serviceErrorText } from './service-error-text';
import { labelled, serviceTime, type Terminal } from './terminal';

export function explanationText(explanation: Explanation, terminal: Terminal): string {
  const { svcUid, merchantUid, order, verdict, history } = explanation;
  const isSeen = explanation.moments.some(({ what }) => what !== 'registered');
  const open = history.discrepancies.filter(({ resolvedAt }) => resolvedAt === null);
  return [
    `${terminal.paint(svcUid, 'bold')}${merchantUid === null ? '' : ` for ${merchantUid}`}\n\n`,
    eventsText(
      isSeen ? explanation.moments.map((each) => lineOf(each, explanation)) : [],
      'No notification has arrived, and reconciliation has found nothing.',
      terminal.columns,
    ),
    '\n',
    row('Order', orderText(order), terminal),
    row('Stored', history.payment ? stateOf(history.payment) : 'nothing', terminal),
    row('Service', serviceText(explanation), terminal),
    row('Verdict', verdict ? verdictText(verdict) : noVerdictText(explanation), terminal),
    ...explanation.links.map((link) => row('Seen', linkText(link), terminal)),
    ...open.map(({ id, kind }) => row('Open', `${kind} #${id}: ${DISCREPANCY_KINDS[kind].means}`, terminal)),
  ].join('');
}

function serviceText({ record, problem }: Explanation): string {
  if (record) return `${stateOf(record)}, for ${record.merchantUid}`;
  if (problem === null) return 'shows no such payment';
  if (!(problem instanceof UnreadableRecordError)) return serviceErrorText(problem);
  const { amount, currency, status, merchantUid, fields } = problem.shown;
  const shown = [status, amount, currency].filter((each) => each !== null).join(' ');
  return `${shown || 'nothing'}, for ${merchantUid ?? 'no order'}; cannot be read: ${fields.join(', ')}`;
}

function noVerdictText({ problem }: Explanation): string {
  if (problem === null) return 'none: there is no order to compare it with';
  return problem instanceof UnreadableRecordError
    ? 'none: a person decides, in the action queue or by the API'
    : 'none: the service could not be asked';
}

export function orderExplanationText(
  { merchantUid, order, moments, payments, problem }: OrderExplanation,
  terminal: Terminal,
): string {
  return [
    `${terminal.paint(merchantUid, 'bold')}\n\n`,
    eventsText(
      moments.map((each) => lineOf(each, null)),
      'It is not registered here.',
      terminal.columns,
    ),
    '\n',
    row('Order', orderText(order), terminal, 'Payments'),
    row('Payments', paymentsText(payments.length, problem, merchantUid), terminal, 'Payments'),
    ...payments.map((payment) => `\n${explanationText(payment, terminal)}`),
  ].join('');
}

function paymentsText(count: number, problem: ServiceError | null, merchantUid: string): string {
  const known = count === 0 ? 'none' : `${count}, as follows`;
  if (problem) return `${known}; there may be more: ${serviceErrorText(problem)}`;
  if (!isMerchantUid(merchantUid))
    return `${known}; the service cannot be asked for an order with these characters`;
  return count === 0 ? 'none, neither here nor at the service' : known;
}

function row(label: string, text: string, { columns }: Terminal, longest = 'Verdict'): string {
  return `${labelled(`  ${label}`, text, columns, longest.length + 2)}\n`;
}

type Line = { at: Date; what: string };

function eventsText(events: Line[], none: string, columns: number): string {
  if (events.length === 0) return `${labelled('', none, columns)}\n`;
  return events.map(({ at, what }) => `${labelled(`  ${serviceTime(at)}`, what, columns)}\n`).join('');
}

function orderText(order: StoredOrder | null): string {
  return order
    ? `${order.status}, ${amountText(order.amount, order.currency)} expected`
    : 'none is registered';
}

function linkText({ name, href, at, amount, currency }: PaymentLink): string {
  const money = amount === undefined ? '' : ` ${amountText(amount, currency ?? null)}`;
  return `${name.en}${money}${at ? ` at ${serviceTime(at)}` : ''}: ${href}`;
}

/** One moment as a line. @param explanation of its payment; null for a moment of the order */
function lineOf({ at, what, id, status, facts, deliveries }: Moment, explanation: Explanation | null): Line {
  const reason = facts['reason'] ? ` (${facts['reason']})` : '';
  const decided = facts['settled_by'] ? `, decided by ${facts['settled_by']}` : '';
  const currency = explanation && currencyOf(explanation);
  const amount = facts['amount'] ?? null;
  const texts: Record<Moment['what'], () => string> = {
    registered: () => 'registered',
    notification: () =>
      `notification ${id} from ${facts['source_address']} reported ${facts['claimed_status'] ?? 'nothing'}: ${status === 'queued' ? 'not checked yet' : status}${reason}, ${counted(Number(facts['attempts']), 'attempt')}${facts['request_id'] ? `, request ${facts['request_id']}` : ''}`,
    judged: () => `notification ${id} verified with the service: ${status ?? 'not yet'}`,
    discrepancy: () =>
      `${status} #${id}: expected ${facts['expected'] ?? '-'}, found ${facts['actual'] ?? '-'}; seen ${counted(Number(facts['times_seen']), 'time')}`,
    resolved: () => `discrepancy #${id} resolved: ${status}${decided}`,
    charge: () =>
      `charge ${id} (${facts['kind']}): ${status}${reason}${facts['svc_uid'] ? `, payment ${facts['svc_uid']}` : ''}${decided}`,
    refund: () =>
      `refund #${id}: ${amount === null ? 'all that was left' : amountText(Number(amount), currency)}, ${status}${reason}${facts['requested_by'] ? `, requested by ${facts['requested_by']}` : ''}${decided}`,
    stored: () => 'stored for the first time',
    changed: () =>
      `last changed: ${explanation?.history.payment ? stateOf(explanation.history.payment) : status}`,
    event: () => `event ${id} ${facts['type']}: ${deliveries.map(deliveryText).join(', ') || 'no target'}`,
  };
  return { at, what: texts[what]() };
}

function deliveryText({
  target,
  state,
  attempts,
  delivered_at,
  reason,
}: Moment['deliveries'][number]): string {
  const when = delivered_at === null ? '' : ` at ${serviceTime(new Date(delivered_at))}`;
  return `${target} ${state}${when}, ${counted(attempts, 'attempt')}${reason ? ` (${reason})` : ''}`;
}

/** With the document's names. */
export function orderExplanationJson(explanation: OrderExplanation): unknown {
  const { merchantUid, order, charges, payments, moments, problem } = explanation;
  return {
    merchant_uid: merchantUid,
    order: order && orderJson(order),
    charges: charges.map(({ id, kind, status, startedAt, svcUid, reason, settledBy }) => ({
      ...{ id, kind, status, reason },
      ...{ started_at: startedAt, svc_uid: svcUid, settled_by: settledBy },
    })),
    payments: payments.map(explanationJson),
    events: eventsIn(moments),
    problem: problem && serviceErrorText(problem),
  };
}

function orderJson({ status, amount, currency }: StoredOrder) {
  return { status, amount: Number(amount), currency };
}

/** With the document's names. */
export function explanationJson(explanation: Explanation): unknown {
  const { svcUid, merchantUid, history, order, record, verdict, problem } = explanation;
  return {
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    events: explanation.moments.map((each) => lineOf(each, explanation)),
    links: explanation.links,
    order: order && orderJson(order),
    stored: history.payment && amountsJson(history.payment),
    service: record && { merchant_uid: record.merchantUid, ...amountsJson(record) },
    verdict: verdict && {
      outcome: verdict.outcome,
      discrepancies: 'discrepancies' in verdict ? verdict.discrepancies : [],
    },
    unreadable: unreadableFields(problem),
    problem: problem && serviceErrorText(problem),
    open_discrepancies: history.discrepancies
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map(({ id, kind, expected, actual }) => ({ id: String(id), kind, expected, actual })),
  };
}

/** With each delivery. */
function eventsIn(moments: readonly Moment[]) {
  return moments
    .filter(({ what }) => what === 'event')
    .map(({ id, at, facts, deliveries }) => ({ id, type: facts['type'], timestamp: at, deliveries }));
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
