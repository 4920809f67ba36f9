// What happened to one payment, or to an order with its payments, oldest first: the order, notifications with their checks,
// discrepancies, charges, refunds, stored rows, and events with each delivery. The pages of operators and `npm run explain` show
// the same chain.

import type { DiscrepancyKind } from '../../../generated/prisma/client';
import { isMerchantUid } from '../../payment-service/identifiers';
import type { Context, PaymentLink, SeenPayment } from '../../platform/context';
import { eventJson } from '../events/event-list';
import { findEvents } from '../events/event-store';
import {
  findCharges,
  findHistory,
  findRegistered,
  type OrderCharge,
  type PaymentHistory,
} from './payment-history-store';

/** As `columns` of the operator pages name them. Those without a value are left out. */
export type Facts = Readonly<Record<string, string | number | null>>;

export type Moment = {
  at: Date;
  what:
    | 'registered'
    | 'notification'
    | 'judged'
    | 'discrepancy'
    | 'resolved'
    | 'charge'
    | 'refund'
    | 'stored'
    | 'changed'
    | 'event';
  /** Of the row. */
  id: string;
  /** A state, or the kind of a discrepancy; null if there is none. */
  status: string | null;
  facts: Facts;
  /** Of an event. */
  deliveries: readonly Delivery[];
};

export type Delivery = ReturnType<typeof eventJson>['deliveries'][number];

export type Chain = {
  moments: Moment[];
  histories: PaymentHistory[];
  charges: OrderCharge[];
};

/** More than an order ever has. */
const MOST_EVENTS = 200;

/** @param svcUids the payments. @param merchantUid their order, with its charges and events; null if none is known */
export async function readChain(
  context: Context,
  { merchantUid, svcUids }: { merchantUid: string | null; svcUids: readonly string[] },
): Promise<Chain> {
  const isOrder = merchantUid !== null && isMerchantUid(merchantUid);
  const [order, histories, charges, events] = await Promise.all([
    isOrder ? findRegistered(context, merchantUid) : null,
    Promise.all(svcUids.map((svcUid) => findHistory(context, svcUid))),
    isOrder ? findCharges(context, merchantUid) : [],
    isOrder ? findEvents(context, { stream: merchantUid }, MOST_EVENTS) : [],
  ]);
  const moments = [
    ...(order && isOrder ? [moment('registered', merchantUid, order.createdAt, null)] : []),
    ...histories.flatMap(paymentMoments),
    ...charges.map(chargeMoment),
    ...events.map((stored) => {
      const { id, type, deliveries } = eventJson(stored);
      return moment('event', id, stored.occurredAt, stateOf(deliveries), { type }, deliveries);
    }),
  ];
  return { moments: byTime(moments), histories, charges };
}

/** Where else it is seen, in the order of the features. */
export async function readLinks(context: Context, payment: SeenPayment): Promise<PaymentLink[]> {
  const links = await Promise.all(
    context.features.flatMap((feature) => feature.paymentLinks?.(context, payment) ?? []),
  );
  return links.flat();
}

export function byTime<Timed extends { at: Date }>(moments: readonly Timed[]): Timed[] {
  return [...moments].sort((one, other) => +one.at - +other.at);
}

/** Whether every target has received an event. */
export function stateOf(deliveries: readonly Pick<Delivery, 'state'>[]): Delivery['state'] {
  const states = deliveries.map(({ state }) => state);
  return (['given_up', 'waiting'] as const).find((state) => states.includes(state)) ?? 'delivered';
}

/** A payment that was refunded in part has the status `cancelled` at the service (§2.4). Its amounts say more. */
export function paymentStatus({
  status,
  amount,
  cancelAmount,
}: {
  status: string;
  amount: bigint;
  cancelAmount: bigint;
}): string {
  return status === 'cancelled' && cancelAmount > 0n && cancelAmount < amount
    ? 'partially_cancelled'
    : status;
}

function paymentMoments({ payment, notifications, discrepancies, refunds }: PaymentHistory): Moment[] {
  return [
    ...notifications.flatMap((row) => [
      moment('notification', row.id, row.receivedAt, row.outcome ?? 'queued', {
        claimed_status: row.claimedStatus,
        source_address: row.sourceAddress,
        attempts: row.attempts,
        reason: row.reason,
        request_id: row.requestId,
      }),
      ...(row.judgedAt ? [moment('judged', row.id, row.judgedAt, row.outcome)] : []),
    ]),
    ...discrepancies.flatMap((row) => [
      moment('discrepancy', row.id, row.firstSeenAt, row.kind satisfies DiscrepancyKind, {
        expected: row.expected,
        actual: row.actual,
        times_seen: row.timesSeen,
      }),
      ...(row.resolvedAt
        ? [
            moment('resolved', row.id, row.resolvedAt, row.resolution ?? 'settled', {
              settled_by: row.resolvedBy,
              settle_note: row.resolutionNote,
            }),
          ]
        : []),
    ]),
    ...refunds.map((row) =>
      moment('refund', row.id, row.startedAt, row.status, {
        amount: row.amount === null ? null : Number(row.amount),
        currency: row.currency,
        cancel_reason: row.cancelReason,
        requested_by: row.requestedBy,
        ...decisionOf(row),
      }),
    ),
    ...(payment ? [moment('stored', payment.svcUid, payment.createdAt, null)] : []),
    ...(payment && +payment.updatedAt > +payment.createdAt
      ? [moment('changed', payment.svcUid, payment.updatedAt, paymentStatus(payment))]
      : []),
  ];
}

function chargeMoment(row: OrderCharge): Moment {
  const facts = { kind: row.kind, customer_uid: row.customerUid, svc_uid: row.svcUid };
  return moment('charge', row.id, row.startedAt, row.status, { ...facts, ...decisionOf(row) });
}

/** Why a charge or refund ended this way. */
function decisionOf({ reason, settledBy, settleNote }: OrderCharge | PaymentHistory['refunds'][number]) {
  return { reason, settled_by: settledBy, settle_note: settleNote };
}

function moment(
  what: Moment['what'],
  id: string | bigint,
  at: Date,
  status: string | null,
  facts: Facts = {},
  deliveries: readonly Delivery[] = [],
): Moment {
  return { what, id: String(id), at, status, facts, deliveries };
}
