// What became of a charge whose outcome is open, by what the service shows of it. No charge is ever sent again, and until
// this one is settled its order takes no other.

import type { Context } from '../../platform/context';
import { firstPollAt } from '../attempts/poll-schedule';
import { enqueuePoll, type Finding, type Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import { bestEffort } from '../attempts/send-once';
import { closeCharge, findOpenCharge, markScheduled, type OpenCharge } from './charge-store';
import { lookUpCharge, type LookupResult } from './look-up-charge';
import { settleCharge } from './settle-charge';

export const chargeRecovery: Recovery<OpenCharge> = {
  kind: 'charge',
  find: findOpenCharge,

  async ask(context, charge) {
    const result = await lookUp(context, charge);
    switch (result.kind) {
      case 'payment':
        return settleByPayment(context, charge, result.svcUid);
      case 'scheduled':
        if (charge.status === 'scheduled') return { kind: 'unknown' };
        await markScheduled(context, charge.id);
        return { kind: 'settled', outcome: 'scheduled' };
      case 'revoked':
        await closeCharge(context, charge.id, 'revoked');
        return { kind: 'settled', outcome: 'revoked' };
      case 'not_found':
        return { kind: 'not_found' };
      case 'something_else':
        return { kind: 'not_found', suspicious: true };
    }
  },

  async settleNotFound(context, { id, status }, { suspicious }) {
    // A schedule that the service held and holds no more is not for a program to decide.
    const outcome = suspicious || status === 'scheduled' ? 'needs_review' : 'not_executed';
    const reason = suspicious ? 'something_else' : 'not_found';
    await closeCharge(context, id, outcome, { reason });
    if (outcome === 'needs_review') reportReview(context, 'charge', id, reason);
    return outcome;
  },

  logFields: ({ merchantUid, kind }) => ({ merchant_uid: merchantUid, charge_kind: kind }),
};

async function lookUp(context: Context, charge: OpenCharge): Promise<LookupResult> {
  if (charge.svcUid !== null) return { kind: 'payment', svcUid: charge.svcUid };
  return lookUpCharge(context, charge);
}

async function settleByPayment(context: Context, charge: OpenCharge, svcUid: string): Promise<Finding> {
  const { kind } = await settleCharge(context, charge, svcUid);
  return kind === 'unknown' ? { kind } : { kind: 'settled', outcome: kind };
}

/** Enqueues the first poll and leaves the row as it is. Never throws: see `bestEffort`. */
export async function pollChargeLater(context: Context, id: string): Promise<void> {
  await bestEffort(context, () => enqueuePoll(context, 'charge', id, firstPollAt(context.clock.now())));
}
