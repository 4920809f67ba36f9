// What operators see of subscriptions.

import type { z } from 'zod';
import type { NeedsPerson } from '../../../generated/prisma/client';
import type { ActionQueue, Context } from '../../platform/context';
import type { Column, OperatorRecords, RecordTexts } from '../../platform/operator-records';
import { countLiveAt } from './count-store';
import { findCyclePayments, readCycle } from './cycle-store';
import { subscriptionList } from './subscription-routes';
import { isSubscriptionId, subscriptionJson, type subscriptionSchema } from './subscription-schema';
import { findSubscription } from './subscription-store';

type Row = z.output<typeof subscriptionSchema>;
const PLACE = 'subscriptions';

type Texts = RecordTexts & { meanings: Record<NeedsPerson, object> };

const ko: Texts = {
  places: { subscriptions: '정기결제' },
  things: { subscriptions: '정기결제' },
  empty: { subscriptions: 'POST /api/subscriptions로 정기결제를 만들면 여기에 표시됩니다.' },
  figures: { subscriptions: '이용 중인 정기결제' },
  columns: {
    subscription_id: '정기결제번호',
    interval: '주기',
    cycle: '다음 회차',
    next_payment_at: '다음 결제',
    attempt: '재시도 횟수',
    current_order: '이번 회차 주문',
    charge_reason: '결제되지 않은 사유',
    needs_person: '확인 필요',
    needs_person_since: '확인이 필요해진 시각',
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
  meanings: {
    charge_needs_review: {
      means:
        '이번 회차의 결제를 자동으로 확인할 수 없습니다. 사람이 그 결제를 처리할 때까지 정기결제가 멈춰 있습니다.',
      todo: '빌링 결제 항목에서 그 결제를 처리하세요. 처리하면 10분 안에 정기결제가 이어지고 이 항목은 사라집니다.',
    },
    order_conflict: {
      means:
        '이번 회차의 주문번호로 금액, 통화, 회원이 다르거나 할부 또는 면세 금액이 있는 주문이 먼저 등록되어 있습니다. 이 정기결제는 더 이상 결제되지 않습니다.',
      todo: '주문을 열어 결제되었는지 확인하고, 잘못된 결제라면 환불하세요. 그다음 개발 담당자에게 이 정기결제를 취소(POST /api/subscriptions/{subscription_id}/cancel)하고 새로 만들어 달라고 하세요.',
    },
    order_not_paid: {
      means:
        '이번 회차의 결제가 승인되었지만 주문은 결제된 상태가 아닙니다. 결제 서비스가 결제를 되돌렸거나, 주문에 반영할 수 없는 결제입니다. 이 회차는 자동으로 다시 결제되지 않습니다.',
      todo: '주문을 열어 결제와 불일치를 확인하세요. 다시 결제하려면 개발 담당자에게 주문 결제(POST /api/orders/{merchant_uid}/charge)를, 끝내려면 정기결제 취소를 요청하세요.',
    },
    schedule_refused: {
      means:
        '하루 안에 결제할 회차의 예약을 결제 서비스가 거절했습니다. 거절 사유는 위에 있습니다. 6시간마다 다시 예약하고, 결제 시각이 되면 직접 결제합니다. 그 결제도 거절될 수 있습니다.',
      todo: '카드 문제라면 결제 시각 전에 카드를 교체해 달라고 고객에게 요청하고, 아니라면 결제 서비스에 문의하세요. 예약되거나 결제 시각이 되면 이 항목은 사라집니다.',
    },
  },
};

const en: Texts = {
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
    needs_person_since: 'Needs review since',
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
  meanings: {
    charge_needs_review: {
      means:
        'A charge of this cycle cannot be resolved automatically. The plan waits until a person has decided about it.',
      todo: 'Decide about the charge, in its own item among the charges. The plan then continues within ten minutes, and this item disappears.',
    },
    order_conflict: {
      means:
        'The order of this cycle was registered before with another amount, currency or customer, with instalments or with a tax-free part. The plan makes no more payments.',
      todo: 'Open the order, and refund it if it was paid by mistake. Then ask a developer to cancel this plan (POST /api/subscriptions/{subscription_id}/cancel) and to create another one.',
    },
    order_not_paid: {
      means:
        'A charge of this cycle was paid, but its order is not: the payment service has taken the payment back, or the payment does not count for the order. The cycle is not charged again automatically.',
      todo: 'Open the order, and see its payments and discrepancies. Then ask a developer to charge the order (POST /api/orders/{merchant_uid}/charge) or to cancel the plan.',
    },
    schedule_refused: {
      means:
        'The payment service refuses to schedule a payment that is due within a day. Its reason is above. The schedule is sent again every six hours. When the payment is due, we make it ourselves; that may be refused as well.',
      todo: 'If the card is the reason, ask the customer to replace it before the payment is due. Otherwise ask the payment service. This item disappears once the payment is scheduled, or when it is due.',
    },
  },
};

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
    ended: 'plain',
    charge_needs_review: 'bad',
    order_conflict: 'bad',
    order_not_paid: 'bad',
    schedule_refused: 'bad',
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
  figure: countLiveAt,
};
