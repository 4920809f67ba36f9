// The lists of the operator pages. Each reads what the list of the JSON API reads; orders and payments begin at the latest
// change.

import { z } from 'zod';
import { listIssuances } from '../../core/billing-keys/issuance-routes';
import { issuanceSchema, issuancesQuery } from '../../core/billing-keys/issuance-schema';
import { listCharges } from '../../core/charges/charge-list-routes';
import { chargesQuery, storedChargeSchema } from '../../core/charges/charge-list-schema';
import { ordersQuery, parseOrderCursor, toOrderCursor } from '../../core/orders/order-list-query';
import { ORDER_STATUSES } from '../../core/orders/order-schema';
import { discrepancyKinds } from '../../core/payments/discrepancy-kinds';
import { discrepanciesQuery, listDiscrepancies } from '../../core/payments/discrepancy-routes';
import { listRefunds } from '../../core/refunds/refund-list-routes';
import { refundsQuery, storedRefundSchema } from '../../core/refunds/refund-list-schema';
import { notificationOutcomes } from '../../core/webhooks/notification-outcomes';
import { listNotifications, notificationsQuery } from '../../core/webhooks/notification-routes';
import type { Context } from '../../platform/context';
import { isoTime, keysetQuery, ofOrder, toPeriod } from '../../platform/http/query';
import { findLatestOrders } from './latest-order-store';
import { listRoutes, type Column, type Filter } from './operator-list';
import type { OperatorRoute } from './operator-page';

const ofOrderText: Filter = { name: 'merchant_uid', kind: 'text' };
const ofPaymentText: Filter = { name: 'svc_uid', kind: 'text' };
const ofKeyText: Filter = { name: 'customer_uid', kind: 'text' };
const needsPerson: Filter = { name: 'needs_person', kind: 'flag' };
const period: Filter[] = [
  { name: 'from', kind: 'day' },
  { name: 'to', kind: 'day' },
];
const statusOf = (choices: readonly string[]): Filter => ({ name: 'status', kind: 'choice', choices });

type Attempt = {
  reason: string | null;
  started_at: string;
  resolved_at: string | null;
  settled_by: string | null;
  settle_note: string | null;
};
const ATTEMPT: Column<Attempt>[] = [
  { name: 'reason', kind: 'words', value: (row) => row.reason },
  { name: 'resolved_at', kind: 'time', value: (row) => row.resolved_at },
  { name: 'settled_by', kind: 'text', value: (row) => row.settled_by },
  { name: 'settle_note', kind: 'text', value: (row) => row.settle_note },
];

const latestQuery = z.object({
  merchant_uid: ofOrder,
  status: z.enum(ORDER_STATUSES).optional(),
  from: isoTime.optional(),
  to: isoTime.optional(),
  after: ordersQuery.shape.after,
  limit: keysetQuery.limit,
});

async function listLatest(context: Context, query: z.output<typeof latestQuery>) {
  const { merchant_uid: merchantUid, status, after, limit } = query;
  const cursor = after === undefined ? undefined : (parseOrderCursor(after) ?? undefined);
  const filter = { merchantUid, status, ...toPeriod(query), after: cursor };
  const orders = await findLatestOrders(context, filter, limit + 1);
  const list = orders.slice(0, limit);
  const last = orders.length > limit ? list.at(-1) : undefined;
  return { list, next: last ? toOrderCursor(last) : null };
}

/** Of one page, so that it does not take long where hardly an order has a payment: there is a next one then. */
const MOST_READS = 10;

/** Payments by the latest change of their orders: each order with all of its payments. */
async function listPayments(context: Context, query: z.output<typeof latestQuery>) {
  const found = [];
  let next = query.after ?? null;
  for (let reads = 0; reads < MOST_READS && found.length < query.limit; reads += 1) {
    const page = await listLatest(context, { ...query, ...(next !== null && { after: next }) });
    found.push(
      ...page.list.flatMap(({ payments, status }) => payments.map((each) => ({ ...each, ofOrder: status }))),
    );
    next = page.next;
    if (next === null) break;
  }
  return { list: found, next };
}

export const LIST_ROUTES: OperatorRoute[] = [
  ...listRoutes({
    place: 'payments',
    query: latestQuery,
    // The status is that of the order.
    filters: [ofOrderText, statusOf(ORDER_STATUSES), ...period],
    read: listPayments,
    columns: [
      { name: 'svc_uid', kind: 'payment', value: (row) => row.svcUid },
      { name: 'merchant_uid', kind: 'order', value: (row) => row.merchantUid },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'amount', kind: 'amount', value: (row) => Number(row.amount), currency: (row) => row.currency },
      {
        name: 'cancel_amount',
        kind: 'amount',
        value: (row) => Number(row.cancelAmount),
        currency: (row) => row.currency,
      },
      { name: 'currency', kind: 'text', value: (row) => row.currency },
      { name: 'pay_method', kind: 'words', value: (row) => row.payMethod },
      { name: 'order_status', kind: 'status', value: (row) => row.ofOrder },
      { name: 'updated_at', kind: 'time', value: (row) => row.updatedAt.toISOString() },
    ],
  }),
  ...listRoutes({
    place: 'orders',
    query: latestQuery,
    filters: [ofOrderText, statusOf(ORDER_STATUSES), ...period],
    read: listLatest,
    columns: [
      { name: 'merchant_uid', kind: 'order', value: (row) => row.merchantUid },
      { name: 'name', kind: 'text', value: (row) => row.name },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'amount', kind: 'amount', value: (row) => Number(row.amount), currency: (row) => row.currency },
      { name: 'currency', kind: 'text', value: (row) => row.currency },
      { name: 'payments', kind: 'text', value: (row) => row.payments.length },
      { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString() },
      { name: 'updated_at', kind: 'time', value: (row) => row.updatedAt.toISOString() },
    ],
  }),
  ...listRoutes({
    place: 'notifications',
    query: notificationsQuery,
    filters: [
      ofOrderText,
      ofPaymentText,
      { name: 'outcome', kind: 'choice', choices: notificationOutcomes },
      { name: 'open', kind: 'flag' },
      ...period,
    ],
    read: listNotifications,
    columns: [
      { name: 'id', kind: 'id', value: (row) => row.id },
      { name: 'received_at', kind: 'time', value: (row) => row.received_at },
      { name: 'svc_uid', kind: 'payment', value: (row) => row.svc_uid },
      { name: 'merchant_uid', kind: 'order', value: (row) => row.merchant_uid },
      { name: 'claimed_status', kind: 'words', value: (row) => row.claimed_status },
      { name: 'outcome', kind: 'status', value: (row) => row.outcome },
      { name: 'reason', kind: 'words', value: (row) => row.reason },
      { name: 'attempts', kind: 'text', value: (row) => row.attempts },
      { name: 'next_attempt_at', kind: 'time', value: (row) => row.next_attempt_at },
      { name: 'source_address', kind: 'text', value: (row) => row.source_address },
    ],
  }),
  ...listRoutes({
    place: 'discrepancies',
    query: discrepanciesQuery,
    filters: [
      ofOrderText,
      ofPaymentText,
      { name: 'kind', kind: 'choice', choices: discrepancyKinds },
      { name: 'open', kind: 'flag' },
      ...period,
    ],
    read: listDiscrepancies,
    columns: [
      { name: 'id', kind: 'discrepancy', value: (row) => row.id },
      { name: 'kind', kind: 'status', value: (row) => row.kind },
      { name: 'svc_uid', kind: 'payment', value: (row) => row.svc_uid },
      { name: 'merchant_uid', kind: 'order', value: (row) => row.merchant_uid },
      { name: 'expected', kind: 'words', value: (row) => row.expected, of: (row) => row.kind },
      { name: 'actual', kind: 'words', value: (row) => row.actual, of: (row) => row.kind },
      { name: 'times_seen', kind: 'text', value: (row) => row.times_seen },
      { name: 'last_seen_at', kind: 'time', value: (row) => row.last_seen_at },
      {
        name: 'resolution',
        kind: 'status',
        value: (row) => row.resolution ?? (row.resolved_at ? 'settled' : 'open'),
      },
      { name: 'settled_by', kind: 'text', value: (row) => row.resolved_by },
      { name: 'settle_note', kind: 'text', value: (row) => row.resolution_note },
    ],
  }),
  ...listRoutes({
    place: 'charges',
    query: chargesQuery,
    filters: [
      ofOrderText,
      ofPaymentText,
      ofKeyText,
      statusOf(storedChargeSchema.shape.status.options),
      needsPerson,
    ],
    read: listCharges,
    columns: [
      { name: 'id', kind: 'id', value: (row) => row.id },
      { name: 'started_at', kind: 'time', value: (row) => row.started_at },
      { name: 'merchant_uid', kind: 'order', value: (row) => row.merchant_uid },
      { name: 'kind', kind: 'status', value: (row) => row.kind },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'customer_uid', kind: 'id', value: (row) => row.customer_uid },
      { name: 'schedule_at', kind: 'time', value: (row) => row.schedule_at },
      { name: 'svc_uid', kind: 'payment', value: (row) => row.svc_uid },
      ...ATTEMPT,
    ],
  }),
  ...listRoutes({
    place: 'refunds',
    query: refundsQuery,
    filters: [ofPaymentText, statusOf(storedRefundSchema.shape.status.options), needsPerson],
    read: listRefunds,
    columns: [
      { name: 'id', kind: 'id', value: (row) => row.id },
      { name: 'started_at', kind: 'time', value: (row) => row.started_at },
      { name: 'svc_uid', kind: 'payment', value: (row) => row.svc_uid },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'amount', kind: 'amount', value: (row) => row.amount },
      { name: 'cancelled_before', kind: 'amount', value: (row) => row.cancelled_before },
      { name: 'cancel_reason', kind: 'text', value: (row) => row.cancel_reason },
      { name: 'requested_by', kind: 'text', value: (row) => row.requested_by },
      ...ATTEMPT,
    ],
  }),
  ...listRoutes({
    place: 'issuances',
    query: issuancesQuery,
    filters: [ofKeyText, statusOf(issuanceSchema.shape.status.options), needsPerson],
    read: listIssuances,
    columns: [
      { name: 'id', kind: 'id', value: (row) => row.id },
      { name: 'started_at', kind: 'time', value: (row) => row.started_at },
      { name: 'customer_uid', kind: 'id', value: (row) => row.customer_uid },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'card_last_four', kind: 'text', value: (row) => row.card_last_four },
      ...ATTEMPT,
    ],
  }),
];
