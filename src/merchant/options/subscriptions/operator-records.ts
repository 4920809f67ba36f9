// What operators see of subscriptions.

import type { z } from 'zod';
import type { Context } from '../../platform/context';
import type { Column, OperatorRecords, RecordTexts } from '../../platform/operator-records';
import { findCyclePayments, readCycle } from './cycle-store';
import { subscriptionList } from './subscription-routes';
import { isSubscriptionId, subscriptionJson, type subscriptionSchema } from './subscription-schema';
import { countLiveAt, findSubscription } from './subscription-store';

type Row = z.output<typeof subscriptionSchema>;

const ko: RecordTexts = {
  places: { subscriptions: '정기결제' },
  things: { subscriptions: '정기결제' },
  empty: { subscriptions: 'POST /api/subscriptions로 정기결제를 만들면 여기에 표시됩니다.' },
  figures: { subscriptions: '이용 중인 정기결제' },
  columns: {
    subscription_id: '정기결제 번호',
    interval: '주기',
    cycle: '다음 회차',
    next_payment_at: '다음 결제',
    attempt: '재시도 횟수',
    current_order: '이번 회차 주문',
    charge_reason: '결제되지 않은 사유',
    needs_person: '확인 필요',
    end_reason: '종료 사유',
    first_payment_at: '첫 결제',
  },
  statuses: {
    past_due: '재시도 중',
    ended: '종료',
    day: '매일',
    week: '매주',
    month: '매월',
    year: '매년',
    charge_needs_review: '결제 확인 필요',
    order_conflict: '다른 내용의 주문이 있음',
    order_not_paid: '주문에 반영되지 않은 결제',
    schedule_refused: '결제 서비스가 예약을 거절함',
    refused: '결제 서비스가 거절함',
    billing_key_not_active: '사용할 수 없는 카드',
    order_closed: '주문 종료',
  },
};

const en: RecordTexts = {
  places: { subscriptions: 'Subscriptions' },
  things: { subscriptions: 'Subscription' },
  empty: { subscriptions: 'Subscriptions appear here once they are created with POST /api/subscriptions.' },
  figures: { subscriptions: 'Active subscriptions' },
  columns: {
    subscription_id: 'Subscription',
    interval: 'Interval',
    cycle: 'Next cycle',
    next_payment_at: 'Next payment',
    attempt: 'Retries',
    current_order: 'Order of this cycle',
    charge_reason: 'Why it was not charged',
    needs_person: 'Needs review',
    end_reason: 'Why it ended',
    first_payment_at: 'First payment',
  },
  statuses: {
    past_due: 'Being retried',
    ended: 'Ended',
    day: 'Daily',
    week: 'Weekly',
    month: 'Monthly',
    year: 'Yearly',
    charge_needs_review: 'Charge needs review',
    order_conflict: 'An order with other content exists',
    order_not_paid: 'Payment does not count for the order',
    schedule_refused: 'Schedule refused by the service',
    refused: 'Refused by the service',
    billing_key_not_active: 'Card cannot be used',
    order_closed: 'Order closed',
  },
};

const COLUMNS: readonly Column<Row>[] = [
  { name: 'subscription_id', kind: 'record', of: () => 'subscriptions', value: (row) => row.subscription_id },
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
    row: subscriptionJson(subscription, cycle, context.clock.now()),
    orders: payments.map(({ merchantUid }) => merchantUid),
  };
}

export const subscriptionRecords: OperatorRecords<Context> = {
  place: 'subscriptions',
  texts: { ko, en },
  tones: {
    past_due: 'bad',
    ended: 'plain',
    charge_needs_review: 'bad',
    order_conflict: 'bad',
    schedule_refused: 'bad',
  },
  list: subscriptionList,
  filters: ['member_id', 'status'],
  columns: COLUMNS,
  find,
  figure: countLiveAt,
};
