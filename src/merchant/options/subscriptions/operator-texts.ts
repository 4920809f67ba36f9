// The words of subscriptions on the operators' pages.

import type { NeedsPerson } from '../../../generated/prisma/client';
import type { RecordTexts } from '../../platform/operator-records';
import type { ActionDone, ActionName } from './operator-actions';

type Texts = RecordTexts & {
  meanings: Record<NeedsPerson, object>;
  asks: Record<ActionName, string>;
  done: Record<ActionDone, string>;
};

export const ko: Texts = {
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
    pending_amount: '바뀔 금액',
    pending_name: '바뀔 상품명',
    pending_customer_uid: '바뀔 카드',
    pending_pause: '예정된 변경',
  },
  statuses: {
    past_due: '재시도 중',
    paused: '일시 정지',
    pausing: '곧 일시 정지',
    ended: '종료',
    day: '매일',
    week: '매주',
    month: '매월',
    year: '매년',
    charge_needs_review: '결제 확인 필요',
    order_conflict: '다른 내용의 주문이 있음',
    order_not_paid: '주문에 반영되지 않은 결제',
    schedule_refused: '결제 서비스가 예약을 거절함',
    schedule_not_revoked: '예약이 취소되지 않음',
    refused: '결제 서비스가 거절함',
    billing_key_not_active: '사용할 수 없는 카드',
    order_closed: '주문 종료',
  },
  meanings: {
    charge_needs_review: {
      means:
        '이번 회차의 결제를 자동으로 확인할 수 없습니다. 사람이 그 결제를 처리할 때까지 정기결제가 멈춰 있습니다.',
      todo: '빌링 결제 항목에서 그 결제를 처리하세요. 처리하면 정기결제가 이어지고 이 항목은 사라집니다.',
    },
    order_conflict: {
      means:
        '이번 회차의 주문번호로 금액, 통화, 회원이 다르거나 할부 또는 면세 금액이 있는 주문이 먼저 등록되어 있습니다. 이 정기결제는 더 이상 결제되지 않습니다.',
      todo: '주문을 열어 결제되었는지 확인하고, 잘못된 결제라면 환불하세요. 그다음 정기결제 페이지에서 해지하고, 개발 담당자에게 새로 만들어 달라고 하세요.',
    },
    order_not_paid: {
      means:
        '이번 회차의 결제가 승인되었지만 주문은 결제된 상태가 아닙니다. 결제 서비스가 결제를 되돌렸거나, 주문에 반영할 수 없는 결제입니다. 이 회차는 자동으로 다시 결제되지 않습니다.',
      todo: '주문을 열어 결제와 불일치를 확인하세요. 다시 결제하려면 개발 담당자에게 주문 결제(POST /api/orders/{merchant_uid}/charge)를 요청하고, 끝내려면 정기결제 페이지에서 해지하세요.',
    },
    schedule_refused: {
      means:
        '하루 안에 결제할 회차의 예약을 결제 서비스가 거절했습니다. 거절 사유는 위에 있습니다. 6시간마다 다시 예약하고, 결제 시각이 되면 직접 결제합니다. 그 결제도 거절될 수 있습니다.',
      todo: '카드 문제라면 결제 시각 전에 카드를 교체해 달라고 고객에게 요청하고, 아니라면 결제 서비스에 문의하세요. 예약되거나 결제 시각이 되면 이 항목은 사라집니다.',
    },
    schedule_not_revoked: {
      means:
        '변경하거나 일시 정지한 정기결제의 예약을 결제 서비스가 취소하지 않았습니다. 계속 다시 취소하지만, 취소되기 전에 결제 시각이 되면 변경 전 조건으로 결제될 수 있습니다.',
      todo: '결제 시각이 가깝다면 결제 서비스에 예약을 취소해 달라고 하세요. 이미 결제되었다면 주문을 열어 환불하세요. 취소되면 이 항목은 사라집니다.',
    },
  },
  asks: {
    'change-card':
      '다음 결제부터 이 카드로 결제합니다. 결제 서비스의 예약은 이 카드로 다시 만들고, 실패한 결제의 재시도도 이 카드로 합니다. 지금은 결제되지 않습니다.',
    pause:
      '결제 서비스의 예약을 취소하고, 재개할 때까지 결제하지 않습니다. 이번 회차의 주문은 종료되며, 실패한 결제는 더 이상 재시도하지 않습니다.',
    resume: '앞으로 다가올 첫 결제일부터 다시 결제합니다. 일시 정지 중에 지난 결제일은 결제하지 않습니다.',
    cancel:
      '결제 서비스의 예약을 취소하고 정기결제를 끝냅니다. 이미 결제된 금액은 환불되지 않습니다. 되돌릴 수 없습니다.',
  },
  done: {
    plan_changed: '카드를 변경했습니다. 다음 결제부터 이 카드로 결제합니다.',
    plan_change_waits:
      '카드 변경을 저장했습니다. 진행 중인 결제의 결과가 확인되거나 예약이 취소되면 적용됩니다.',
    plan_paused: '일시 정지했습니다. 재개할 때까지 결제하지 않습니다.',
    plan_pause_waits:
      '일시 정지를 저장했습니다. 진행 중인 결제의 결과가 확인되거나 예약이 취소되면 적용됩니다.',
    plan_resumed: '재개했습니다. 다음 결제일은 아래에 있습니다.',
    plan_cancelled: '해지했습니다. 더 이상 결제되지 않습니다.',
  },
  failures: {
    subscription_over: '이미 해지되었거나 종료된 정기결제입니다.',
    charge_pending: '이 회차의 결제가 진행 중입니다. 잠시 후 다시 시도하세요.',
    charge_needs_review: '이 회차의 결제를 사람이 먼저 처리해야 합니다. 처리할 일에서 확인하세요.',
    billing_key_not_found: '등록되지 않은 카드입니다. 다른 카드를 선택하세요.',
    billing_key_not_active: '지금 결제할 수 없는 카드입니다. 다른 카드를 선택하세요.',
    foreign_billing_key: '다른 고객의 카드입니다. 다른 카드를 선택하세요.',
  },
};

export const en: Texts = {
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
    pending_amount: 'Next amount',
    pending_name: 'Next name',
    pending_customer_uid: 'Next card',
    pending_pause: 'Requested',
  },
  statuses: {
    past_due: 'Being retried',
    paused: 'Paused',
    pausing: 'Pausing',
    ended: 'Ended',
    day: 'Daily',
    week: 'Weekly',
    month: 'Monthly',
    year: 'Yearly',
    charge_needs_review: 'Charge needs review',
    order_conflict: 'An order with other content exists',
    order_not_paid: 'Payment does not count for the order',
    schedule_refused: 'Schedule refused by the service',
    schedule_not_revoked: 'Schedule not revoked',
    refused: 'Refused by the service',
    billing_key_not_active: 'Card cannot be used',
    order_closed: 'Order closed',
  },
  meanings: {
    charge_needs_review: {
      means:
        'A charge of this cycle cannot be resolved automatically. The plan waits until a person has decided about it.',
      todo: 'Resolve the charge in its own item among the charges. The plan then continues, and this item disappears.',
    },
    order_conflict: {
      means:
        'The order of this cycle was registered before with another amount, currency or customer, with instalments or with a tax-free part. The plan makes no more payments.',
      todo: 'Open the order, and refund it if it was paid by mistake. Then cancel this plan on its page, and ask a developer to create another one.',
    },
    order_not_paid: {
      means:
        'A charge of this cycle was paid, but its order is not: the payment service has taken the payment back, or the payment does not count for the order. The cycle is not charged again automatically.',
      todo: 'Open the order, and see its payments and discrepancies. Then ask a developer to charge the order (POST /api/orders/{merchant_uid}/charge), or cancel the plan on its page.',
    },
    schedule_refused: {
      means:
        'The payment service refuses to schedule a payment that is due within a day. Its reason is above. The schedule is sent again every six hours. When the payment is due, we make it ourselves; that may be refused as well.',
      todo: 'If the card is the reason, ask the customer to replace it before the payment is due. Otherwise ask the payment service. This item disappears once the payment is scheduled, or when it is due.',
    },
    schedule_not_revoked: {
      means:
        'The plan was changed or paused, and the payment service has not revoked its schedule. We keep trying. If the payment is due before that, it may still be made with the terms from before.',
      todo: 'If the payment is due soon, ask the payment service to revoke the schedule. If it was made, open the order and refund it. This item disappears once the schedule is revoked.',
    },
  },
  asks: {
    'change-card':
      'This card pays from the next payment on. The schedule at the payment service is made again with this card, and retries of a failed payment use it too. Nothing is charged now.',
    pause:
      'The schedule at the payment service is revoked, and nothing is charged until the plan is resumed. The order of this cycle is closed, and a failed payment is not retried any more.',
    resume:
      'Payments begin again with the first date that lies ahead. Dates that passed during the pause are not charged.',
    cancel:
      'The schedule at the payment service is revoked, and the plan ends. What was paid is not refunded. This cannot be undone.',
  },
  done: {
    plan_changed: 'The card was changed. It pays from the next payment on.',
    plan_change_waits:
      'The change of the card was saved. It takes effect once the payment under way has ended, or the schedule is revoked.',
    plan_paused: 'The plan is paused. Nothing is charged until it is resumed.',
    plan_pause_waits:
      'The pause was saved. It takes effect once the payment under way has ended, or the schedule is revoked.',
    plan_resumed: 'The plan was resumed. The date of its next payment is below.',
    plan_cancelled: 'The plan was cancelled. Nothing more is charged.',
  },
  failures: {
    subscription_over: 'This plan is already cancelled, or has ended.',
    charge_pending: 'A payment of this cycle is under way. Try again in a moment.',
    charge_needs_review: 'A person must first decide about a charge of this cycle. See the action queue.',
    billing_key_not_found: 'This card is not registered. Choose another one.',
    billing_key_not_active: 'This card cannot pay now. Choose another one.',
    foreign_billing_key: 'This card belongs to another customer. Choose another one.',
  },
};
