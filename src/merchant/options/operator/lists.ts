// The lists of the operator pages. Each reads the same list as the JSON API; orders and payments start with the latest
// change, and only this file lists billing keys.

import { z } from 'zod';
import { BillingKeyStatus, OrderStatus } from '../../../generated/prisma/client';
import { issuanceList } from '../../core/billing-keys/billing-key-routes';
import { chargeList } from '../../core/charges/charge-routes';
import { byChange } from '../../core/orders/order-routes';
import { discrepancyList } from '../../core/payments/discrepancy-list';
import { refundList } from '../../core/refunds/refund-routes';
import { notificationList } from '../../core/webhooks/notification-list';
import type { Context } from '../../platform/context';
import { textLine } from '../../platform/http/body-fields';
import { byTime, defineList } from '../../platform/http/list';
import { isoTime, ofBillingKey, ofOrder } from '../../platform/http/query';
import { findKeys, findLatestOrders } from './list-store';
import { listRoutes, type Column } from './operator-list';
import type { OperatorRoute } from './operator-page';

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

const latestOrders = defineList({
  filters: {
    merchant_uid: ofOrder,
    status: z.enum(OrderStatus).optional(),
    from: isoTime.optional(),
    to: isoTime.optional(),
  },
  cursor: byChange,
  find: findLatestOrders,
  json: (order) => order,
});

/** Statements per page, so that a page is fast even if hardly any order has a payment. The page then has a next one. */
const MOST_READS = 10;

/** Payments by the latest change of their orders: each order with all of its payments. */
async function readPayments(context: Context, query: z.output<typeof latestOrders.query>) {
  const found = [];
  let next = query.after ?? null;
  for (let reads = 0; reads < MOST_READS && found.length < query.limit; reads += 1) {
    const page = await latestOrders.read(context, { ...query, ...(next !== null && { after: next }) });
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
    list: { query: latestOrders.query, read: readPayments },
    // The status is the order's.
    filters: ['merchant_uid', 'status', 'from', 'to'],
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
    list: latestOrders,
    filters: ['merchant_uid', 'status', 'from', 'to'],
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
    list: notificationList,
    filters: ['merchant_uid', 'svc_uid', 'outcome', 'open', 'from', 'to'],
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
    list: discrepancyList,
    filters: ['merchant_uid', 'svc_uid', 'kind', 'open', 'from', 'to'],
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
    list: chargeList,
    filters: ['merchant_uid', 'svc_uid', 'customer_uid', 'status', 'needs_person'],
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
    list: refundList,
    filters: ['svc_uid', 'status', 'needs_person'],
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
    list: issuanceList,
    filters: ['customer_uid', 'status', 'needs_person'],
    columns: [
      { name: 'id', kind: 'id', value: (row) => row.id },
      { name: 'started_at', kind: 'time', value: (row) => row.started_at },
      { name: 'customer_uid', kind: 'id', value: (row) => row.customer_uid },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'card_last_four', kind: 'text', value: (row) => row.card_last_four },
      ...ATTEMPT,
    ],
  }),
  ...listRoutes({
    place: 'keys',
    list: defineList({
      filters: {
        member_id: textLine(64).optional(),
        customer_uid: ofBillingKey,
        status: z.enum(BillingKeyStatus).optional(),
      },
      cursor: byTime('createdAt', 'customerUid'),
      find: findKeys,
      json: (key) => key,
    }),
    filters: ['member_id', 'customer_uid', 'status'],
    columns: [
      { name: 'customer_uid', kind: 'id', value: (row) => row.customerUid },
      // Empty for an erased member.
      { name: 'member_id', kind: 'text', value: (row) => row.memberId || null },
      { name: 'status', kind: 'status', value: (row) => row.status },
      { name: 'card_name', kind: 'text', value: (row) => row.cardName },
      { name: 'card_number', kind: 'id', value: (row) => row.cardNumber },
      { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString() },
      { name: 'last_paid_at', kind: 'time', value: (row) => row.lastPaidAt?.toISOString() ?? null },
    ],
  }),
];
