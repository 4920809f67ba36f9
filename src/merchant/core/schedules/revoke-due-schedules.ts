// Job `revoke-schedules`: revokes the schedules of orders that are paid, refunded in full or closed. It runs at once after
// such a change, and every minute. A try that fails is repeated, and is a case for a person until the schedule is revoked.
// What the service takes all the same is a discrepancy: `duplicate_payment` or `paid_after_close`.

import type { Context } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import { isOpen } from '../attempts/attempt-statuses';
import { pollOnce } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import { bestEffort, sendOnce } from '../attempts/send-once';
import { closeCharge, findCharge, reopenSchedule } from '../charges/charge-store';
import { chargeRecovery, findSchedule } from '../charges/recover-charge';
import { deliverSoon } from '../events/save-events';
import {
  claimRevocations,
  deleteRevocation,
  markForgottenSchedules,
  markNotRevoked,
  type ClaimedRevocation,
} from './revocation-store';

/** Concurrency per process; each may wait for a call to the service. */
const AT_ONCE = 10;

/**
 * Several processes may run it: each schedule is claimed by one of them.
 * @param stopping is aborted when this process stops; the next run does the rest
 * @throws DatabaseError if the schedules cannot be read; the job then runs again
 */
export async function revokeDueSchedules(context: Context, stopping: AbortSignal): Promise<void> {
  await markForgottenSchedules(context);
  await drainDueRows(context, {
    kind: 'schedules to revoke',
    atOnce: AT_ONCE,
    claim: (places) => claimRevocations(context, places),
    work: (each) => bestEffort(context, () => revokeClaimed(context, each)),
    stopping,
  });
}

async function revokeClaimed(context: Context, claimed: ClaimedRevocation): Promise<void> {
  const { id, merchantUid } = claimed;
  const found = await tryToRevoke(context, claimed);
  const line = { charge_id: id, merchant_uid: merchantUid };
  switch (found.kind) {
    case 'resolved':
      await deleteRevocation(context, id);
      context.logger.info({ event: 'schedule_revoked', ...line, outcome: found.outcome });
      return;
    case 'not_shown':
      return;
    case 'not_revoked': {
      const isFirst = await markNotRevoked(context, claimed, found.reason);
      context.logger.warn({ event: 'schedule_not_revoked', ...line, reason: found.reason });
      if (!isFirst) return;
      reportReview(context, 'charge', id, 'schedule_not_revoked');
      deliverSoon(context);
    }
  }
}

type Found =
  /** Its charge is resolved. */
  | { kind: 'resolved'; outcome: string }
  /** The service shows no schedule; it may not have received it yet. */
  | { kind: 'not_shown' }
  /** The schedule waits, or may wait. */
  | { kind: 'not_revoked'; reason: string };

async function tryToRevoke(
  context: Context,
  { id, merchantUid, customerUid, status, svcUid }: ClaimedRevocation,
): Promise<Found> {
  if (status === 'needs_review' && svcUid === null) await reopenSchedule(context, id);
  else if (!isOpen(status)) return { kind: 'resolved', outcome: status };
  const problem = await sendRevocation(context, merchantUid, customerUid);
  if (problem === null) return revoked(context, id);

  // It was executed or revoked before, its answer was lost, or the service does not answer.
  const poll = await pollOnce(context, chargeRecovery, id);
  const charge = await findCharge(context, id);
  if (!charge || !isOpen(charge.status)) return { kind: 'resolved', outcome: charge?.status ?? 'deleted' };
  if (!poll.resolved && poll.isNotFound) return { kind: 'not_shown' };

  // In the service's console it may have been made again, with another key.
  const holder = problem === 'refused' ? await findHolder(context, merchantUid) : null;
  const isHeldElsewhere = holder !== null && holder !== customerUid;
  if (isHeldElsewhere && (await sendRevocation(context, merchantUid, holder)) === null)
    return revoked(context, id);
  return { kind: 'not_revoked', reason: problem };
}

async function revoked(context: Context, id: string): Promise<Found> {
  await closeCharge(context, id, 'revoked');
  return { kind: 'resolved', outcome: 'revoked' };
}

/** Returns null if the schedule is revoked, or else the code of the reason why not. */
async function sendRevocation(
  context: Context,
  merchantUid: string,
  customerUid: string | null,
): Promise<string | null> {
  if (customerUid === null) return 'refused';
  const sent = await sendOnce(() => context.service.unschedulePayments(customerUid, [merchantUid]));
  if (sent.kind !== 'answered') return sent.kind === 'refused' ? sent.kind : sent.reason;
  const isRevoked = sent.answer.some(
    (record) => record.merchantUid === merchantUid && record.status === 'revoked',
  );
  return isRevoked ? null : 'not_in_the_answer';
}

/** The key of the order's waiting schedule; null if there is none, or the service could not be asked. */
async function findHolder(context: Context, merchantUid: string): Promise<string | null> {
  const shown = await sendOnce(() => findSchedule(context, merchantUid));
  return shown.kind === 'answered' && shown.answer?.status === 'scheduled' ? shown.answer.customerUid : null;
}
