// The lists of the operator pages, and their columns. Each reads the same list as the JSON API, except orders, which start
// with the latest change, and payments and billing keys, which only this file lists.

import { z } from 'zod';
import {
  BillingKeyStatus,
  OrderStatus,
  PaymentStatus,
  type Payment,
} from '../../../../generated/prisma/client';
import { issuanceAttempt } from '../../../core/billing-keys/attempt';
import { issuanceRow } from '../../../core/billing-keys/row';
import { chargeAttempt } from '../../../core/charges/attempt';
import { chargeRow } from '../../../core/charges/row';
import { discrepancyList, type discrepancySchema } from '../../../core/discrepancies/routes';
import { memberIdField } from '../../../core/orders/order-schema';
import type { StoredOrder } from '../../../core/orders/order-store';
import { paymentStatus } from '../../../core/payments/payment-chain';
import { refundAttempt } from '../../../core/refunds/attempt';
import { refundRow } from '../../../core/refunds/row';
import { notificationList } from '../../../core/webhooks/notification-list';
import { notificationRow } from '../../../core/webhooks/row';
import { byTime, defineList, type Cursor } from '../../../platform/http/list';
import { flag, isoTime, ofBillingKey, ofOrder } from '../../../platform/http/query';
import type { OperatorRoute } from '../frame/page';
import { findKeys, totalKeys, type ListedKey } from './key-list-store';
import { listRoutes, type Column } from './list-page';
import {
  findLatestOrders,
  findLatestPayments,
  MOVEMENTS,
  PLACE,
  SORTS,
  totalOrders,
  totalPayments,
  totalRefunds,
} from './store';

const byPlace: Cursor<{ place: string }, string> = {
  text: z.string().regex(PLACE, 'must be the "next" of a page'),
  toText: ({ place }) => place,
  toPlace: (text) => text,
};

const LATEST = {
  merchant_uid: ofOrder,
  member_id: memberIdField.optional(),
  from: isoTime.optional(),
  to: isoTime.optional(),
  sort: z.enum(SORTS).optional(),
};

export const latestOrders = defineList({
  filters: { ...LATEST, status: z.enum(OrderStatus).optional() },
  cursor: byPlace,
  find: findLatestOrders,
  json: (order) => order,
});

const latestPayments = defineList({
  filters: {
    ...LATEST,
    status: z.enum(PaymentStatus).optional(),
    money: z.enum(MOVEMENTS).optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters')
      .optional(),
  },
  cursor: byPlace,
  find: findLatestPayments,
  json: (payment) => payment,
});

/** As the list and the pages of an order and of a member show payments. */
export const PAYMENT_COLUMNS: Column<Payment & { order?: { name: string; memberId: string | null } }>[] = [
  { name: 'amount', kind: 'amount', value: (row) => Number(row.amount), currency: (row) => row.currency },
  {
    name: 'cancel_amount',
    kind: 'amount',
    value: (row) => Number(row.cancelAmount) || null,
    currency: (row) => row.currency,
  },
  { name: 'status', kind: 'status', value: paymentStatus },
  { name: 'paid_at', kind: 'time', value: (row) => row.paidAt?.toISOString() ?? null },
  { name: 'svc_uid', kind: 'payment', value: (row) => row.svcUid },
  { name: 'name', kind: 'text', value: (row) => row.order?.name ?? null },
  { name: 'member_id', kind: 'member', value: (row) => row.order?.memberId ?? null },
  { name: 'paid_with', kind: 'words', value: (row) => row.cardName ?? row.payMethod, isWide: true },
  { name: 'card_number', kind: 'words', value: (row) => row.cardNumber, isWide: true },
  { name: 'merchant_uid', kind: 'order', value: (row) => row.merchantUid },
  { name: 'pay_method', kind: 'words', value: (row) => row.payMethod, isDetail: true },
  { name: 'card_name', kind: 'words', value: (row) => row.cardName, isDetail: true },
  { name: 'apply_num', kind: 'text', value: (row) => row.applyNum, isDetail: true },
  { name: 'currency', kind: 'text', value: (row) => row.currency, isDetail: true },
  { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString(), isDetail: true },
  { name: 'updated_at', kind: 'time', value: (row) => row.updatedAt.toISOString(), isDetail: true },
];

export const ORDER_COLUMNS: Column<StoredOrder>[] = [
  { name: 'merchant_uid', kind: 'order', value: (row) => row.merchantUid },
  { name: 'amount', kind: 'amount', value: (row) => Number(row.amount), currency: (row) => row.currency },
  { name: 'status', kind: 'status', value: (row) => row.status },
  { name: 'name', kind: 'text', value: (row) => row.name },
  { name: 'member_id', kind: 'member', value: (row) => row.memberId },
  { name: 'payments', kind: 'text', value: (row) => row.payments.length, isWide: true },
  { name: 'currency', kind: 'text', value: (row) => row.currency, isDetail: true },
  { name: 'updated_at', kind: 'time', value: (row) => row.updatedAt.toISOString() },
  { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString(), isWide: true },
];

export const REFUND_COLUMNS = refundRow.columns([
  'started_at',
  'amount',
  'status',
  'svc_uid',
  'cancel_reason',
  'requested_by',
  'currency',
]);

/** Empty for an erased member. */
export const KEY_COLUMNS: Column<ListedKey>[] = [
  { name: 'card_name', kind: 'words', value: (row) => row.cardName },
  { name: 'card_number', kind: 'words', value: (row) => row.cardNumber },
  { name: 'status', kind: 'status', value: (row) => row.status },
  { name: 'member_id', kind: 'member', value: (row) => row.memberId || null },
  { name: 'customer_uid', kind: 'key', value: (row) => row.customerUid },
  { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString() },
  { name: 'last_paid_at', kind: 'time', value: (row) => row.lastPaidAt?.toISOString() ?? null },
];

export const keyList = defineList({
  filters: {
    member_id: memberIdField.optional(),
    customer_uid: ofBillingKey,
    status: z.enum(BillingKeyStatus).optional(),
    registered: flag.optional(),
    from: isoTime.optional(),
    to: isoTime.optional(),
  },
  cursor: byTime('createdAt', 'customerUid'),
  find: findKeys,
  json: (key) => key,
});

const DISCREPANCY_COLUMNS: Column<z.output<typeof discrepancySchema>>[] = [
  { name: 'id', kind: 'discrepancy', value: (row) => row.id },
  { name: 'kind', kind: 'status', value: (row) => row.kind },
  { name: 'svc_uid', kind: 'payment', value: (row) => row.svc_uid },
  { name: 'merchant_uid', kind: 'order', value: (row) => row.merchant_uid },
  { name: 'expected', kind: 'words', value: (row) => row.expected, of: (row) => row.kind },
  { name: 'actual', kind: 'words', value: (row) => row.actual, of: (row) => row.kind },
  { name: 'times_seen', kind: 'text', value: (row) => row.times_seen, isDetail: true },
  { name: 'last_seen_at', kind: 'time', value: (row) => row.last_seen_at },
  {
    name: 'resolution',
    kind: 'status',
    value: (row) => row.resolution ?? (row.resolved_at ? 'automatic' : 'unresolved'),
  },
  { name: 'settled_by', kind: 'text', value: (row) => row.resolved_by, isDetail: true },
  { name: 'settle_note', kind: 'text', value: (row) => row.resolution_note, isDetail: true },
];

/** Some of them, for a table on another page. */
export function discrepancyColumns(...names: string[]) {
  return DISCREPANCY_COLUMNS.filter(({ name }) => names.includes(name));
}

export const LIST_ROUTES: OperatorRoute[] = [
  ...listRoutes({
    place: 'orders',
    list: latestOrders,
    time: 'updated_at',
    filters: ['merchant_uid', 'member_id', 'status', 'from', 'to', 'sort'],
    columns: ORDER_COLUMNS,
    totals: totalOrders,
  }),
  ...listRoutes({
    place: 'payments',
    list: latestPayments,
    time: 'paid_at',
    filters: ['merchant_uid', 'member_id', 'status', 'money', 'currency', 'from', 'to', 'sort'],
    columns: PAYMENT_COLUMNS,
    totals: totalPayments,
  }),
  ...listRoutes({
    place: 'notifications',
    list: notificationList,
    time: 'received_at',
    filters: ['merchant_uid', 'svc_uid', 'outcome', 'open', 'from', 'to'],
    columns: notificationRow.columns([
      'received_at',
      'id',
      'svc_uid',
      'merchant_uid',
      'claimed_status',
      'outcome',
      'reason',
      'attempts',
      'next_attempt_at',
    ]),
  }),
  ...listRoutes({
    place: 'discrepancies',
    list: discrepancyList,
    time: 'last_seen_at',
    filters: ['merchant_uid', 'svc_uid', 'kind', 'open', 'from', 'to'],
    columns: DISCREPANCY_COLUMNS,
  }),
  ...listRoutes({
    place: 'charges',
    list: chargeAttempt.list,
    filters: ['merchant_uid', 'svc_uid', 'customer_uid', 'status', 'needs_person'],
    columns: chargeRow.columns(['id', 'started_at', 'merchant_uid', 'kind', 'status']),
  }),
  ...listRoutes({
    place: 'refunds',
    list: refundAttempt.list,
    filters: ['svc_uid', 'status', 'needs_person'],
    columns: REFUND_COLUMNS,
    totals: totalRefunds,
  }),
  ...listRoutes({
    place: 'issuances',
    list: issuanceAttempt.list,
    filters: ['customer_uid', 'status', 'needs_person'],
    columns: issuanceRow.columns(['id', 'started_at']),
  }),
  ...listRoutes({
    place: 'keys',
    list: keyList,
    time: 'created_at',
    filters: ['member_id', 'customer_uid', 'status', 'registered', 'from', 'to'],
    columns: KEY_COLUMNS,
    totals: totalKeys,
  }),
];
