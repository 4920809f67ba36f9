// Schedules are revoked (§4.9). Revoking twice does no harm, so the caller may try again after a lost answer. What became of
// each schedule is polled for, and the job that does so is there before the call: the process may die after it, and the
// database may be gone.

import type { ScheduleRecord } from '../../payment-service/schedules';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { firstPollAt } from '../attempts/poll-schedule';
import { enqueuePoll } from '../attempts/recover-attempt';
import { bestEffort, sendOnce, type FailedCall } from '../attempts/send-once';
import { closeCharge, findScheduledCharges, type OpenCharge } from '../charges/charge-store';

export type Revocation = { customerUid: string; merchantUids: readonly string[] | 'all' };

export type RevocationOutcome =
  | { kind: 'revoked'; records: ScheduleRecord[] }
  /** `refused`, such as: nothing is scheduled. */
  | FailedCall;

/** @throws DatabaseError when the polls could not be enqueued: then nothing was sent */
export async function revokeSchedules(
  context: Context,
  { customerUid, merchantUids }: Revocation,
): Promise<RevocationOutcome> {
  const charges = (await findScheduledCharges(context, customerUid)).filter(
    ({ merchantUid }) => merchantUids === 'all' || merchantUids.includes(merchantUid),
  );
  await enqueuePolls(context, charges);
  const sent = await sendOnce(() => context.service.unschedulePayments(customerUid, merchantUids));
  if (sent.kind !== 'answered') return sent;
  const records = sent.answer.filter(({ status }) => status === 'revoked');
  const isRevoked = ({ merchantUid }: OpenCharge) =>
    records.some((record) => record.merchantUid === merchantUid);
  for (const { id } of charges.filter(isRevoked))
    await bestEffort(context, () => closeCharge(context, id, 'revoked'));
  return { kind: 'revoked', records };
}

async function enqueuePolls(context: Context, charges: readonly OpenCharge[]): Promise<void> {
  const firstAt = firstPollAt(context.clock.now());
  for (const { id } of charges) await enqueuePoll(context, 'charge', id, firstAt);
}

export type KeyRevocation =
  /** There was nothing to revoke. */
  | { kind: 'nothing_scheduled' }
  /** What was scheduled is revoked. */
  | { kind: 'revoked' }
  /** Nothing was revoked, and something is scheduled or may be. */
  | { kind: 'not_revoked'; reason: string }
  /** Something may have been revoked, and something may still be scheduled. */
  | { kind: 'unknown'; reason: string };

/**
 * Before a billing key is deleted nothing may be scheduled with it any more (§4.9): a schedule outlives its key, and
 * fails at its time.
 */
export async function revokeAllSchedules(context: Context, customerUid: string): Promise<KeyRevocation> {
  const charges = await findScheduledCharges(context, customerUid);
  // One that may still be on its way would be scheduled after everything else is revoked. That is revoked all the same: it
  // could be due before we know.
  if (charges.some(({ status }) => status !== 'scheduled')) {
    await revokeSchedules(context, { customerUid, merchantUids: 'all' });
    return { kind: 'unknown', reason: 'schedule_pending' };
  }
  if (!(await mayBeScheduled(context, customerUid))) {
    // A try that ended after its revocation and before our rows leaves them behind.
    await enqueuePolls(context, charges);
    return { kind: 'nothing_scheduled' };
  }
  const revocation = await revokeSchedules(context, { customerUid, merchantUids: 'all' });
  switch (revocation.kind) {
    case 'revoked':
      // The answer lists what was revoked, and not what was left out.
      return (await mayBeScheduled(context, customerUid))
        ? { kind: 'unknown', reason: 'still_scheduled' }
        : { kind: 'revoked' };
    case 'unknown':
      return { kind: 'unknown', reason: revocation.reason };
    case 'refused':
    case 'not_executed':
      return { kind: 'not_revoked', reason: revocation.reason };
  }
}

/** What was due lately and is not executed yet, by a service that is late or by a clock of ours that is ahead. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** No limit is shown for a time of §4.9; ten years is as long as cards are commonly issued for. */
const LOOK_AHEAD_MS = 10 * 366 * DAY_MS;

/**
 * Asked first, because a refused revocation does not say whether there was nothing to revoke. One that cannot be asked
 * says that there may be something.
 */
async function mayBeScheduled(context: Context, customerUid: string): Promise<boolean> {
  const now = context.clock.now().getTime();
  // What we have scheduled ourselves may lie further ahead, and `to` is exclusive.
  const ours = (await findScheduledCharges(context, customerUid)).map(({ scheduleAt }) => Number(scheduleAt));
  const period = {
    from: new Date(now - LOOK_BACK_MS),
    to: new Date(Math.max(now + LOOK_AHEAD_MS, ...ours.map((at) => at + DAY_MS))),
  };
  try {
    const query = { ...period, scheduleStatus: 'scheduled' } as const;
    const { list, unreadable, next } = await context.service.getSchedulesOfBillingKey(customerUid, query);
    return next > 0 || unreadable.length > 0 || list.some(({ status }) => !DONE_WITH.has(status));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.facts.kind !== 'not_found';
  }
}

/** A list that leaves `schedule-status` unread shows these too. */
const DONE_WITH = new Set<ScheduleRecord['status']>(['executed', 'revoked']);
