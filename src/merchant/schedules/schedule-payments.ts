// Payments are scheduled with a stored billing key (§4.9): each order is registered, so that the notification of its
// payment finds what is expected, and each schedule has the row of a charge before the call. At its time the service
// makes the payment by itself and notifies (§6.1); `charges/recover-charge.ts` asks where no notification came.

import { findKeyProblem, type KeyProblem } from '../billing-keys/check-billing-key';
import { toCustomData } from '../charges/charge-id';
import { closeCharge, markScheduled, type NewCharge } from '../charges/charge-store';
import { startCharges, type NotStarted } from '../charges/start-charges';
import type { Context } from '../context';
import type { NewOrder } from '../orders/order-store';
import { registerOrder } from '../orders/register-order';
import type { ScheduleRecord } from '../payment-service/records/schedule-record';
import { pollLater } from '../recovery/recover-attempt';
import { bestEffort, sendOnce } from '../recovery/send-once';

export type ScheduledPayment = { order: NewOrder; scheduleAt: Date };
export type ScheduleRequest = { customerUid: string; payments: readonly ScheduledPayment[] };

export type ScheduleOutcome =
  | { kind: 'scheduled' }
  /** At least one schedule is not confirmed; it is polled for. */
  | { kind: 'unknown' }
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'not_executed' }
  | { kind: KeyProblem }
  | { kind: NotStarted['kind'] | 'order_conflict'; merchantUid: string };

/**
 * Either all of them are sent, or none.
 * @throws DatabaseError when the charges could not be written: then nothing was sent
 */
export async function schedulePayments(context: Context, request: ScheduleRequest): Promise<ScheduleOutcome> {
  const { customerUid, payments } = request;
  const keyProblem = await findKeyProblem(context, customerUid, { memberId: null });
  if (keyProblem) return { kind: keyProblem };
  const problem = await registerOrders(context, request);
  if (problem) return problem;
  const started = await startCharges(
    context,
    payments.map(({ order: { merchantUid }, scheduleAt }) => ({
      merchantUid,
      kind: 'schedule',
      customerUid,
      scheduleAt,
    })),
  );
  if (!('charges' in started)) return started;
  const { charges } = started;

  const sent = await sendOnce(() =>
    context.service.schedulePayments(
      customerUid,
      payments.map(({ order, scheduleAt }) => ({
        ...order,
        scheduleAt,
        customData: toCustomData(chargeIdOf(order.merchantUid, charges)),
      })),
    ),
  );
  switch (sent.kind) {
    case 'answered':
      return confirmSchedules(context, charges, sent.answer);
    case 'unknown':
      return pollAllLater(context, charges, sent.reason);
    case 'refused':
    case 'not_executed':
      for (const { id } of charges)
        await bestEffort(context, () => closeCharge(context, id, sent.kind, { reason: sent.reason }));
      return sent;
  }
}

/** Orders before the first conflict stay registered: an order that nobody pays costs nothing. */
async function registerOrders(
  context: Context,
  { customerUid, payments }: ScheduleRequest,
): Promise<ScheduleOutcome | null> {
  for (const { order } of payments) {
    const result = await registerOrder(context, order);
    if (result.outcome === 'conflict') return { kind: 'order_conflict', merchantUid: order.merchantUid };
    const problem = await findKeyProblem(context, customerUid, result.order);
    if (problem) return { kind: problem };
  }
  return null;
}

async function confirmSchedules(
  context: Context,
  charges: readonly NewCharge[],
  records: readonly ScheduleRecord[],
): Promise<ScheduleOutcome> {
  const isScheduled = ({ merchantUid }: NewCharge) =>
    records.some((record) => record.merchantUid === merchantUid && record.status === 'scheduled');
  for (const { id } of charges.filter(isScheduled))
    await bestEffort(context, () => markScheduled(context, id));
  const missing = charges.filter((charge) => !isScheduled(charge));
  return missing.length === 0 ? { kind: 'scheduled' } : pollAllLater(context, missing, 'not_in_the_answer');
}

async function pollAllLater(
  context: Context,
  charges: readonly NewCharge[],
  reason: string,
): Promise<ScheduleOutcome> {
  for (const { id } of charges) await pollLater(context, 'charge', id, reason);
  return { kind: 'unknown' };
}

function chargeIdOf(merchantUid: string, charges: readonly NewCharge[]): string {
  const charge = charges.find((each) => each.merchantUid === merchantUid);
  if (!charge) throw new Error('a started charge is missing');
  return charge.id;
}
