// Payments are planned with a stored billing key (§4.9, field notes): each order is registered, so that the notification
// of its payment finds what is expected, and each plan has its row before the call. At its time the service makes the
// payment by itself and notifies (§6.1); `charges/resolve-charge.ts` looks for those whose notification did not come.

import { toCustomData } from '../charges/charge-id';
import type { ChargeStore, NewCharge } from '../charges/charge-store';
import { firstLookAt } from '../lookup-plan';
import { outcomeOfCall, type Noted } from '../charges/outcome-of-call';
import { scheduleLook } from '../charges/resolve-charge';
import type { NotStarted, StartCharges } from '../charges/start-charges';
import type { FindKeyProblem, KeyProblem } from '../charges/usable-key';
import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import type { NewOrder } from '../orders/order-store';
import type { RegisterOrder } from '../orders/register-order';
import type { PaymentService } from '../payment-service/payment-service';
import type { ScheduleRecord } from '../payment-service/records';

export type Plan = { order: NewOrder; scheduleAt: Date };
export type PlanRequest = { customerUid: string; plans: readonly Plan[] };

export type PlanOutcome =
  | { kind: 'planned' }
  /** Of some of them at least: we are finding out. */
  | { kind: 'unknown' }
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'not_executed' }
  | { kind: KeyProblem }
  | { kind: NotStarted['kind'] | 'order_conflict'; merchantUid: string };
export type PlanPayments = (request: PlanRequest) => Promise<PlanOutcome>;

type Dependencies = {
  registerOrder: RegisterOrder;
  findKeyProblem: FindKeyProblem;
  startCharges: StartCharges;
  store: ChargeStore;
  service: Pick<PaymentService, 'schedule'>;
  schedule: ScheduleJob;
  noted: Noted;
  clock: Clock;
};

/** @throws DatabaseFault when the plans could not be noted: then nothing was sent. */
export function createPlanPayments(dependencies: Dependencies): PlanPayments {
  const { registerOrder, findKeyProblem, startCharges, store, service, schedule, noted, clock } =
    dependencies;

  return async function planPayments({ customerUid, plans }) {
    const unusable = await findKeyProblem(customerUid, { memberId: null });
    if (unusable) return { kind: unusable };
    const problem = await registerOrders(customerUid, plans);
    if (problem) return problem;
    const begun = await startCharges(
      plans.map(({ order, scheduleAt }) => ({
        merchantUid: order.merchantUid,
        kind: 'schedule',
        customerUid,
        scheduleAt,
      })),
    );
    if (!('started' in begun)) return begun;
    const charges = begun.started;

    let records: ScheduleRecord[];
    try {
      records = await service.schedule(
        customerUid,
        plans.map(({ order, scheduleAt }) => ({
          ...order,
          scheduleAt,
          customData: toCustomData(chargeIdOf(order.merchantUid, charges)),
        })),
      );
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return notAnswered(charges, error);
    }
    const isThere = ({ merchantUid }: NewCharge) =>
      records.some((record) => record.merchantUid === merchantUid && record.status === 'scheduled');
    for (const { id } of charges.filter(isThere)) await noted(() => store.markPlanned(id));
    const missing = charges.filter((charge) => !isThere(charge));
    return missing.length === 0 ? { kind: 'planned' } : lookLater(missing, 'not_in_the_answer');
  };

  /** Those before the first conflict stay registered: an order that nobody pays costs nothing. */
  async function registerOrders(customerUid: string, plans: readonly Plan[]): Promise<PlanOutcome | null> {
    for (const { order } of plans) {
      const result = await registerOrder(order);
      if (result.outcome === 'conflict') return { kind: 'order_conflict', merchantUid: order.merchantUid };
      const problem = await findKeyProblem(customerUid, result.order);
      if (problem) return { kind: problem };
    }
    return null;
  }

  async function notAnswered(charges: readonly NewCharge[], fault: ServiceFault): Promise<PlanOutcome> {
    const outcome = outcomeOfCall(fault);
    const { kind, reason } = outcome;
    if (kind === 'unknown') return lookLater(charges, reason);
    for (const { id } of charges) await noted(() => store.settleCharge(id, kind, clock.now(), { reason }));
    return outcome;
  }

  async function lookLater(charges: readonly NewCharge[], reason: string): Promise<PlanOutcome> {
    for (const { id } of charges) {
      await noted(() => store.markUnknown(id, { reason }));
      await noted(() => scheduleLook(schedule, id, firstLookAt(clock.now())));
    }
    return { kind: 'unknown' };
  }
}

function chargeIdOf(merchantUid: string, charges: readonly NewCharge[]): string {
  const charge = charges.find((each) => each.merchantUid === merchantUid);
  if (!charge) throw new Error('a started plan is missing');
  return charge.id;
}
