// What operators see of subscriptions.

import type { z } from 'zod';
import type { ActionQueue, Context } from '../../platform/context';
import type { Column, OperatorRecords } from '../../platform/operator-records';
import { countLiveAt } from './count-store';
import { findCyclePayments, readCycle } from './cycle-store';
import { subscriptionActions } from './operator-actions';
import { en, ko } from './operator-texts';
import { subscriptionList } from './subscription-routes';
import { isSubscriptionId, subscriptionJson, type subscriptionSchema } from './subscription-schema';
import { findSubscription } from './subscription-store';

type Row = z.output<typeof subscriptionSchema>;
const PLACE = 'subscriptions';

const COLUMNS: readonly Column<Row>[] = [
  { name: 'subscription_id', kind: 'record', of: () => PLACE, value: (row) => row.subscription_id },
  { name: 'status', kind: 'status', value: (row) => row.status },
  { name: 'amount', kind: 'amount', value: (row) => row.amount, currency: (row) => row.currency },
  { name: 'interval', kind: 'status', value: (row) => row.interval },
  { name: 'next_payment_at', kind: 'time', value: (row) => row.next_payment_at },
  { name: 'name', kind: 'text', value: (row) => row.name },
  { name: 'member_id', kind: 'member', value: (row) => row.member_id },
  { name: 'customer_uid', kind: 'key', value: (row) => row.customer_uid },
  { name: 'cycle', kind: 'text', value: (row) => row.cycle, isDetail: true },
  { name: 'attempt', kind: 'text', value: (row) => row.attempt, isDetail: true },
  {
    name: 'current_order',
    kind: 'order',
    value: (row) => row.current_order?.merchant_uid ?? null,
    isDetail: true,
  },
  {
    name: 'charge_reason',
    kind: 'text',
    value: (row) => row.current_order?.charge_reason ?? null,
    isDetail: true,
  },
  { name: 'needs_person', kind: 'status', value: (row) => row.needs_person, isDetail: true },
  { name: 'needs_person_since', kind: 'time', value: (row) => row.needs_person_since, isDetail: true },
  {
    name: 'pending_amount',
    kind: 'amount',
    value: (row) => row.pending_change?.amount ?? null,
    currency: (row) => row.currency,
    isDetail: true,
  },
  {
    name: 'pending_name',
    kind: 'text',
    value: (row) => row.pending_change?.name ?? null,
    isDetail: true,
  },
  {
    name: 'pending_customer_uid',
    kind: 'key',
    value: (row) => row.pending_change?.customer_uid ?? null,
    isDetail: true,
  },
  {
    name: 'pending_pause',
    kind: 'status',
    value: (row) => (row.pending_change?.pause ? 'pausing' : null),
    isDetail: true,
  },
  { name: 'end_reason', kind: 'status', value: (row) => row.end_reason, isDetail: true },
  { name: 'first_payment_at', kind: 'time', value: (row) => row.first_payment_at, isDetail: true },
  { name: 'created_at', kind: 'time', value: (row) => row.created_at },
];

async function find(context: Context, id: string) {
  const subscription = isSubscriptionId(id) ? await findSubscription(context, id) : null;
  if (!subscription) return null;
  const [cycle, payments] = await Promise.all([
    readCycle(context, subscription),
    findCyclePayments(context, subscription),
  ]);
  return {
    row: subscriptionJson(subscription, cycle),
    orders: payments.map(({ merchantUid }) => merchantUid),
  };
}

/** Plans that wait for a person. */
export const subscriptionQueue: ActionQueue = {
  kind: PLACE,
  subject: null,
  async findWaiting(context, limit) {
    const { list, next } = await subscriptionList.read(context, { needs_person: true, limit });
    const items = list.map((row) => ({ ...row, id: row.subscription_id }));
    return [{ items, hasMore: next !== null, filters: { needs_person: 'true' } }];
  },
};

export const subscriptionRecords: OperatorRecords<Context> = {
  place: PLACE,
  texts: { ko, en },
  tones: {
    past_due: 'bad',
    paused: 'warn',
    pausing: 'warn',
    ended: 'plain',
    charge_needs_review: 'bad',
    order_conflict: 'bad',
    order_not_paid: 'bad',
    schedule_refused: 'bad',
    schedule_not_revoked: 'bad',
  },
  list: subscriptionList,
  filters: ['member_id', 'status', 'needs_person'],
  columns: COLUMNS,
  item: {
    reason: ({ needs_person }: Row) => needs_person,
    columns: [
      'name',
      'amount',
      'member_id',
      'customer_uid',
      'next_payment_at',
      'current_order',
      'charge_reason',
      'needs_person_since',
    ],
    next: (reason) => (reason === 'schedule_refused' ? 'member_id' : 'current_order'),
  },
  find,
  actions: subscriptionActions,
  figure: countLiveAt,
};
