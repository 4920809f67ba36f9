// A person resolves a charge as paid, or as no money taken. The decision must not contradict the charge's payments at
// the service. `not_executed` lets the order be charged again, so it is refused while a payment holds money.

import type { Charge } from '../../../generated/prisma/client';
import type { ShownPayment } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import {
  findStatusProblem,
  type Contradiction,
  type Decision,
  type DecisionOutcome,
} from '../attempts/decision';
import { fetchHeldMoney, heldByRecord, heldContradiction } from '../attempts/held-money';
import { findPayment } from '../payments/payment-store';
import { fits, syncOrder, syncPayment } from '../payments/sync-payment';
import { belongsToCharge } from './charge-id';
import { findCharge, writeChargeDecision } from './charge-store';
import { findSchedule } from './recover-charge';

type ChargeDecision = Decision & { outcome: 'paid' | 'not_executed' };

type ChargeDecisionOutcome =
  | DecisionOutcome
  /** It is scheduled. Revoking the schedule resolves it. */
  | { kind: 'scheduled' };

/** @throws ServiceError if the service could not be asked; nothing is then resolved */
export async function decideCharge(
  context: Context,
  { id, outcome, ...decision }: ChargeDecision & { id: string },
): Promise<ChargeDecisionOutcome> {
  const charge = await findCharge(context, id);
  if (charge?.status === 'scheduled') return { kind: 'scheduled' };
  const problem = findStatusProblem(charge, context.clock.now());
  if (!charge || problem) return problem ?? { kind: 'not_found' };
  const shown = await findShown(context, charge);
  const held = shown.payments.filter((payment) => heldByRecord(context, payment) !== 0);
  if (outcome === 'not_executed') {
    const says = held[0] ? contradictionOf(context, held[0]) : shown.waits;
    if (says !== null) return { kind: 'contradicted', says };
  }
  const paying = outcome === 'paid' ? await findPaying(context, charge, held) : undefined;
  if (outcome === 'paid' && paying === undefined)
    return { kind: 'contradicted', says: notPaid(context, held) };
  const facts = { status: outcome, ...(paying !== undefined && { svcUid: paying }) };
  if (!(await writeChargeDecision(context, id, decision, facts))) return { kind: 'already_settled' };
  context.logger.info({
    event: 'decision',
    decided: 'charge',
    id,
    merchant_uid: charge.merchantUid,
    outcome,
    by: decision.by,
    ...decision.sent,
  });
  return { kind: 'settled' };
}

/** What the service shows of a charge now. */
type Shown = {
  /** Every payment that comes from the charge, or that the service has named for it. */
  payments: ShownPayment[];
  /** The contradiction that a schedule waits, which can still take the money; null if none does. */
  waits: Contradiction | null;
};

async function findShown(context: Context, charge: Charge): Promise<Shown> {
  const { id, merchantUid, kind, svcUid } = charge;
  // All payments of the order are stored, whatever charge they come from: a paid order cannot be charged again.
  const { payments: synced, unreadable } = await syncOrder(context, merchantUid);
  const schedule = kind === 'schedule' ? await findSchedule(context, merchantUid) : null;
  const executed = schedule && belongsToCharge(id, schedule) ? schedule.svcUid : null;
  const payments: ShownPayment[] = synced
    .map(({ record }) => record)
    .filter((each) => belongsToCharge(id, each));
  // A record of the order that cannot be read may come from this charge.
  const odd = unreadable.map((each) => each.svcUid);
  for (const named of new Set([svcUid, executed, ...odd])) {
    if (named === null || payments.some((each) => each.svcUid === named)) continue;
    const shown = await fetchHeldMoney(context, named);
    if (shown) payments.push(shown.record);
  }
  const isWaiting = schedule?.status === 'scheduled';
  return { payments, waits: isWaiting ? { kind: 'schedule_waits', merchantUid } : null };
}

/**
 * The svc_uid of the stored payment of the charge that holds money and pays for the order; undefined if there is none.
 */
async function findPaying(
  context: Context,
  { merchantUid }: Charge,
  held: readonly ShownPayment[],
): Promise<string | undefined> {
  for (const { svcUid } of held) {
    const { outcome } = await syncPayment(context, { svcUid, merchantUid });
    if (fits(outcome) && (await findPayment(context, svcUid))?.counted) return svcUid;
  }
  return undefined;
}

function notPaid(context: Context, [first]: readonly ShownPayment[]): Contradiction {
  if (!first) return { kind: 'nothing_held' };
  const shown = contradictionOf(context, first);
  return shown.kind === 'payment_holds' ? { ...shown, kind: 'payment_for_another' } : shown;
}

function contradictionOf(context: Context, record: ShownPayment): Contradiction {
  return heldContradiction(record.svcUid, { record, held: heldByRecord(context, record) });
}
