// What operators can do with a subscription, on its page.

import type { z } from 'zod';
import { findCards } from '../../core/billing-keys/billing-key-store';
import type { Context } from '../../platform/context';
import type { RecordAction } from '../../platform/operator-records';
import { cancelSubscription } from './cancel-subscription';
import { changeSubscriptionTerms, pauseSubscription, resumeSubscription } from './change-subscription';
import { cancelledOf, changedOf } from './subscription-routes';
import type { subscriptionSchema } from './subscription-schema';

type Row = z.output<typeof subscriptionSchema>;

export type ActionName = 'change-card' | 'pause' | 'resume' | 'cancel';
export type ActionDone =
  | 'plan_changed'
  | 'plan_change_waits'
  | 'plan_paused'
  | 'plan_pause_waits'
  | 'plan_resumed'
  | 'plan_cancelled';

type Action = RecordAction<Context> & { name: ActionName; act(...args: never[]): Promise<ActionDone> };

const isLive = ({ next_payment_at: next, status }: Row) => next !== null || status === 'paused';
const isToPause = ({ status, pending_change: pending }: Row) =>
  status === 'paused' || pending?.pause === true;

export const subscriptionActions: Action[] = [
  {
    name: 'change-card',
    isPossible: (row: Row) => isLive(row),
    async findChoices(context, row: Row) {
      const { member_id: memberId, customer_uid: customerUid, pending_change: pending } = row;
      const cards = memberId === null ? [] : await findCards(context, memberId);
      const next = pending?.customer_uid ?? customerUid;
      return cards
        .filter((card) => card.status === 'active' && card.customerUid !== next)
        .map((card) => ({
          value: card.customerUid,
          issuer: card.cardName,
          text: card.cardNumber ?? card.customerUid,
        }));
    },
    async act(context, id, choice) {
      const result = await changeSubscriptionTerms(context, id, { customerUid: choice });
      const { nextCustomerUid } = changedOf(result);
      return nextCustomerUid === null ? 'plan_changed' : 'plan_change_waits';
    },
  },
  {
    name: 'pause',
    isPossible: (row: Row) => isLive(row) && !isToPause(row),
    async act(context, id) {
      const { isPausing } = changedOf(await pauseSubscription(context, id));
      return isPausing ? 'plan_pause_waits' : 'plan_paused';
    },
  },
  {
    name: 'resume',
    isPossible: (row: Row) => isToPause(row),
    async act(context, id) {
      changedOf(await resumeSubscription(context, id));
      return 'plan_resumed';
    },
  },
  {
    name: 'cancel',
    isFinal: true,
    isPossible: (row: Row) => isLive(row),
    async act(context, id) {
      cancelledOf(await cancelSubscription(context, id));
      return 'plan_cancelled';
    },
  },
];
