// Schedules are revoked (§4.9). Revoking twice does no harm, so the caller may try again after a lost answer; what became
// of each schedule is polled for all the same.

import { closeCharge, findScheduledCharges, type OpenCharge } from '../charges/charge-store';
import { pollChargeLater } from '../charges/recover-charge';
import type { Context } from '../context';
import { ServiceError } from '../errors';
import type { ScheduleRecord } from '../payment-service/records/schedule-record';
import { bestEffort, sendOnce } from '../recovery/send-once';

export type Revocation = { customerUid: string; merchantUids: readonly string[] | 'all' };

export type RevocationOutcome =
  | { kind: 'revoked'; records: ScheduleRecord[] }
  | { kind: 'unknown' }
  /** Such as: nothing is scheduled. */
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'not_executed' };

export async function revokeSchedules(
  context: Context,
  { customerUid, merchantUids }: Revocation,
): Promise<RevocationOutcome> {
  const charges = (await findScheduledCharges(context, customerUid)).filter(
    ({ merchantUid }) => merchantUids === 'all' || merchantUids.includes(merchantUid),
  );
  const sent = await sendOnce(() => context.service.unschedulePayments(customerUid, merchantUids));
  if (sent.kind !== 'answered') {
    // A refusal too says that the schedules are not what we believe them to be.
    if (sent.kind !== 'not_executed') await pollAllLater(context, charges);
    return sent;
  }
  const records = sent.answer.filter(({ status }) => status === 'revoked');
  const isRevoked = ({ merchantUid }: OpenCharge) =>
    records.some((record) => record.merchantUid === merchantUid);
  for (const { id } of charges.filter(isRevoked))
    await bestEffort(context, () => closeCharge(context, id, 'revoked'));
  await pollAllLater(
    context,
    charges.filter((charge) => !isRevoked(charge)),
  );
  return { kind: 'revoked', records };
}

async function pollAllLater(context: Context, charges: readonly OpenCharge[]): Promise<void> {
  for (const { id } of charges) await pollChargeLater(context, id);
}

/**
 * Before a billing key is deleted nothing may be scheduled with it any more (§4.9): a schedule outlives its key, and
 * fails at its time. Returns whether nothing is scheduled with the key now.
 */
export async function revokeAllSchedules(context: Context, customerUid: string): Promise<boolean> {
  if (!(await mayBeScheduled(context, customerUid))) return true;
  const { kind } = await revokeSchedules(context, { customerUid, merchantUids: 'all' });
  return kind === 'revoked';
}

/** Asked first, because a refused revocation does not say whether there was nothing to revoke. */
async function mayBeScheduled({ service }: Context, customerUid: string): Promise<boolean> {
  try {
    const { total } = await service.getSchedulesOfBillingKey(customerUid, { scheduleStatus: 'scheduled' });
    return total > 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.facts.kind !== 'not_found';
  }
}
