// Revokes schedules (§4.9). Revoking twice is safe, so the caller may retry after a lost answer. The outcome of
// each schedule is polled. The poll is enqueued before the call, because the process may die or the database may be
// gone after it.

import type { Charge } from '../../../generated/prisma/client';
import { ServiceError } from '../../payment-service/records/service-error';
import type { ScheduleRecord } from '../../payment-service/schedules';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { enqueueFirstPoll } from '../attempts/recover-attempt';
import { bestEffort, sendOnce, type FailedCall } from '../attempts/send-once';
import { closeCharge, findScheduledCharges } from '../charges/charge-store';

type Revocation = { customerUid: string; merchantUids: readonly string[] | 'all' };

export type RevocationOutcome =
  | { kind: 'revoked'; records: ScheduleRecord[] }
  /** `refused`: for example, nothing is scheduled. */
  | FailedCall;

/** @throws DatabaseError when the polls could not be enqueued; nothing was then sent */
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
  const isRevoked = ({ merchantUid }: Charge) => records.some((record) => record.merchantUid === merchantUid);
  for (const { id } of charges.filter(isRevoked))
    await bestEffort(context, () => closeCharge(context, id, 'revoked'));
  return { kind: 'revoked', records };
}

async function enqueuePolls(context: Context, charges: readonly Charge[]): Promise<void> {
  for (const { id } of charges) await enqueueFirstPoll(context, 'charge', id);
}

type KeyRevocation =
  /** There was nothing to revoke. */
  | { kind: 'nothing_scheduled' }
  /** All schedules are revoked. */
  | { kind: 'revoked' }
  /** Nothing was revoked, and something is or may be scheduled. */
  | { kind: 'not_revoked'; reason: string }
  /** Something may have been revoked, and something may still be scheduled. */
  | { kind: 'unknown'; reason: string };

/**
 * Revokes all schedules of a billing key before the key is deleted (§4.9). A schedule outlives its key, and fails at
 * its time.
 */
export async function revokeAllSchedules(context: Context, customerUid: string): Promise<KeyRevocation> {
  const charges = await findScheduledCharges(context, customerUid);
  // A schedule whose call may still be in progress could appear after the others are revoked. The others are revoked
  // anyway, because they could be due before we know.
  if (charges.some(({ status }) => status !== 'scheduled')) {
    await revokeSchedules(context, { customerUid, merchantUids: 'all' });
    return { kind: 'unknown', reason: 'schedule_pending' };
  }
  if (!(await mayBeScheduled(context, customerUid))) {
    // An earlier try may have ended after the revocation and before its writes. Polling resolves those rows.
    await enqueuePolls(context, charges);
    return { kind: 'nothing_scheduled' };
  }
  const revocation = await revokeSchedules(context, { customerUid, merchantUids: 'all' });
  switch (revocation.kind) {
    case 'revoked':
      // The answer lists what was revoked, not what was left out.
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

/** Covers payments that were due but not executed yet, because the service is late or our clock is ahead. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** §4.9 shows no limit. Cards are rarely issued for more than ten years. */
const LOOK_AHEAD_MS = 10 * 366 * DAY_MS;

/**
 * Asked before revoking, because a refused revocation does not say whether there was nothing to revoke. True if the
 * service cannot be asked.
 */
async function mayBeScheduled(context: Context, customerUid: string): Promise<boolean> {
  const now = context.clock.now().getTime();
  // Our own schedules may be further ahead, and `to` is exclusive.
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

/** A service that ignores `schedule-status` lists these too. */
const DONE_WITH = new Set<ScheduleRecord['status']>(['executed', 'revoked']);
