// The table of subscriptions. `subscription-schema.ts` adds what depends on the order of the current cycle.

import { z } from 'zod';
import {
  NeedsPerson,
  SubscriptionInterval,
  SubscriptionStatus,
  type Subscription,
} from '../../../generated/prisma/client';
import { TO_EMPTY, TO_NULL } from '../../platform/personal-data';
import { column, describeRow, hidden, text, time, type Lines } from '../../platform/row';

const memberId = text.nullable().describe('Null once the member was erased.');
const status = z
  .enum(SubscriptionStatus)
  .describe(
    '`past_due`: a payment has failed and is retried. `paused`: nothing is charged until it is resumed.',
  );
const cycle = z.int().positive().meta({
  description: 'The number of the period that is paid next, from 1.',
});
const attempt = z.int().min(0).max(3).meta({ description: 'How often its payment was retried.' });
const needsPerson = z.enum(NeedsPerson).nullable().meta({
  description:
    'Why the plan needs a person, by its last check; null if it does not. `charge_needs_review`: a charge of the order needs one. `order_conflict`: the order is registered with other content. `order_not_paid`: a charge was paid but does not count for the order. `schedule_refused`: the service refuses to schedule a payment that is due within a day; `charge_reason` has its words. `schedule_not_revoked`: the service has not revoked a schedule that a change or a pause ends, and may make that payment.',
});
const since = time.nullable().describe('Since when, for this reason.');
const endReason = text.nullable().meta({
  description: '`cancelled`, `declined`, `refused`, `billing_key_not_active` or `order_closed`; null before.',
});

export const subscriptionRow = describeRow({
  subscriptionId: column('stays', text, 'tea-member-7'),
  customerUid: column('stays', text, 'member-7-card-1'),
  memberId: column(TO_EMPTY, memberId, 'member-7'),
  name: column('stays', text, 'Tea of the month'),
  amount: column('stays', z.int().positive(), 15_000),
  currency: column('stays', text, 'KRW'),
  interval: column('stays', z.enum(SubscriptionInterval), 'month'),
  firstPaymentAt: column('stays', time, '2035-01-31T00:00:00.000Z'),
  status: column('stays', status, 'active'),
  cycle: column('stays', cycle, 1),
  attempt: column('stays', attempt, 0),
  paymentAt: hidden('stays'),
  version: hidden('stays'),
  needsPerson: column('stays', needsPerson, null),
  needsPersonSince: column('stays', since, null),
  endReason: column('stays', endReason, null),
  checkAt: hidden('stays'),
  claimedUntil: hidden('stays'),
  nextCustomerUid: hidden('stays'),
  nextAmount: hidden('stays'),
  nextName: hidden('stays'),
  isPausing: hidden('stays'),
  isReplacing: hidden('stays'),
  replacedCycles: hidden('stays'),
  pastAmounts: hidden('stays'),
  buyerName: hidden(TO_NULL),
  buyerEmail: hidden(TO_NULL),
  buyerTel: hidden(TO_NULL),
  buyerAddr: hidden(TO_NULL),
  buyerPostcode: hidden(TO_NULL),
  customData: hidden(TO_NULL),
  createdAt: column('stays', time, '2034-12-20T05:00:00.000Z'),
  updatedAt: column('stays', time, '2034-12-20T05:00:01.000Z'),
  // The API answers null for the empty text of an erased member.
} satisfies Lines<Omit<Subscription, 'memberId'> & { memberId: string | null }>);
