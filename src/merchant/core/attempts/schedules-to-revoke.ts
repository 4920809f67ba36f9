// Marks the schedules of orders that are finished (paid, refunded in full or closed), in the transaction that finishes
// them, and triggers the job that revokes them (`schedules/revoke-due-schedules.ts`). Callers do not wait for it. If the
// trigger fails, the job still runs every minute.

import { Prisma } from '../../../generated/prisma/client';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { RecurringJob } from '../../platform/jobs';
import { chargeStatuses } from './attempt-statuses';

export type FinishedOrder = {
  merchant_uid: string;
  /** What the payment that finished it says of its charge (§2.4); empty if no payment did. */
  custom_data: string;
};

/**
 * Condition on a charge `c`: its schedule waits at the service, or may wait. Of those that wait for a person, only one
 * whose schedule was not found, or was another one: the others have taken money.
 */
export const isRevocable = Prisma.sql`(c.kind = 'schedule'
  and (c.status in ${chargeStatuses.open.sql} or c.status = 'needs_review' and c.svc_uid is null))`;

/**
 * The statement that marks the schedules of finished orders; it returns their charges. A schedule is not marked by its
 * own payment, which names its charge: there is nothing left to revoke. A charge that waits for a person is marked all the
 * same, because the payment may explain it.
 * @param now real time, on which the tries are
 */
export const markToRevoke = (finished: readonly FinishedOrder[], now: Date) => Prisma.sql`
  insert into schedule_revocations (charge_id, since, next_try_at)
  select c.id, ${now}::timestamptz, ${now}::timestamptz
  from jsonb_to_recordset(${JSON.stringify(finished)}::jsonb) as f (merchant_uid text, custom_data text)
  join charges c on c.merchant_uid = f.merchant_uid
  where c.status in ${chargeStatuses.blocking.sql} and ${isRevocable}
    and (c.status = 'needs_review' or position(c.id in f.custom_data) = 0)
  on conflict (charge_id) do nothing
  returning charge_id`;

export const REVOKE_SCHEDULES: RecurringJob = {
  name: 'revoke-schedules',
  crontab: EVERY_MINUTE,
  priority: 1,
};

/** Returns at once. */
export function revokeSoon({ jobs, logger }: Pick<Context, 'jobs' | 'logger'>): void {
  jobs.runSoon(REVOKE_SCHEDULES).catch((error: unknown) => {
    logger.warn({ event: 'schedule_revocation_not_enqueued', err: error });
  });
}
