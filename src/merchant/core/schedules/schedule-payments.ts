// Schedules payments with a stored billing key (§4.9). Each order is registered, so that its payment can be verified,
// and each schedule has a charge row before the call. At its time the service makes the payment and notifies us (§6.1).
// If no notification comes, `charges/recover-charge.ts` asks.

import type { PaymentToSchedule, ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { pollLater } from '../attempts/recover-attempt';
import { bestEffort, sendOnce } from '../attempts/send-once';
import { toCustomData } from '../charges/charge-id';
import { closeCharge, markScheduled, type NewCharge } from '../charges/charge-store';
import {
  findKeyProblem,
  startScheduledCharges,
  type KeyProblem,
  type NotStarted,
} from '../charges/start-charges';
import type { NewOrder } from '../orders/order-store';
import { chargedFields, type PaymentFields } from '../orders/payment-fields';
import { registerOrder } from '../orders/register-order';

export type ScheduledPayment = { order: NewOrder; scheduleAt: Date };
/** With the payment fields: the request's own, or else those of the order. */
type RegisteredPayment = ScheduledPayment & { fields: PaymentFields };
export type ScheduleRequest = { customerUid: string; payments: readonly ScheduledPayment[] };

export type ScheduleOutcome =
  | { kind: 'scheduled' }
  /** At least one schedule is not confirmed; it is polled. */
  | { kind: 'unknown' }
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'not_executed' }
  | { kind: KeyProblem }
  | { kind: NotStarted['kind'] | 'order_conflict'; merchantUid: string }
  /** The order was registered with a field that the service does not accept for a scheduled payment. */
  | { kind: 'order_not_schedulable'; merchantUid: string };

/**
 * Sends all of them, or none.
 * @throws DatabaseError when the charges could not be written; nothing was then sent
 */
export async function schedulePayments(context: Context, request: ScheduleRequest): Promise<ScheduleOutcome> {
  const { customerUid, payments } = request;
  const keyProblem = await findKeyProblem(context, customerUid, { memberId: null });
  if (keyProblem) return { kind: keyProblem };
  const registered = await registerOrders(context, request);
  if (!('payments' in registered)) return registered;
  const started = await startScheduledCharges(
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
      registered.payments.map((payment) => toSchedule(payment, charges)),
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

/** Orders before the first conflict stay registered. An unpaid order has no effect. */
async function registerOrders(
  context: Context,
  { customerUid, payments }: ScheduleRequest,
): Promise<ScheduleOutcome | { payments: RegisteredPayment[] }> {
  const registered: RegisteredPayment[] = [];
  for (const payment of payments) {
    const { merchantUid } = payment.order;
    const result = await registerOrder(context, payment.order);
    if (result.outcome === 'conflict') return { kind: 'order_conflict', merchantUid };
    const problem = await findKeyProblem(context, customerUid, result.order);
    if (problem) return { kind: problem };
    const fields = chargedFields(result.order, payment.order);
    // §4.9 lists neither for schedules. The service would silently make a one-off payment, or tax the whole amount.
    if (fields.cardQuota || fields.taxFree) return { kind: 'order_not_schedulable', merchantUid };
    registered.push({ ...payment, fields });
  }
  return { payments: registered };
}

function toSchedule(
  { order, scheduleAt, fields: { buyer, customData } }: RegisteredPayment,
  charges: readonly NewCharge[],
): PaymentToSchedule {
  const { merchantUid, name, amount, currency } = order;
  const charge = charges.find((each) => each.merchantUid === merchantUid);
  if (!charge) throw new Error('a started charge is missing');
  return {
    merchantUid,
    scheduleAt,
    amount,
    currency,
    name,
    buyer,
    customData: toCustomData(charge.id, customData),
  };
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
