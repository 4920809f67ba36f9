// A person resolves a charge as paid, or as no money taken. The decision must not contradict the charge's payments at
// the service. `not_executed` lets the order be charged again, so it is refused while a payment holds money.

import type { Charge } from '../../../generated/prisma/client';
import type { ShownPayment } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import type { CheckedDecision } from '../attempts/attempt-kind';
import type { Contradiction } from '../attempts/decision';
import { fetchHeldMoney, heldByRecord, heldContradiction } from '../attempts/held-money';
import { findPayment } from '../payments/payment-store';
import { fits, syncOrder, syncPayment } from '../payments/sync-payment';
import { belongsToCharge } from './charge-id';
import { writeChargeDecision } from './charge-store';
import { findSchedule } from './recover-charge';

/** @throws ServiceError if the service could not be asked */
export async function checkChargeDecision(
  context: Context,
  charge: Charge,
  outcome: 'paid' | 'not_executed',
): Promise<CheckedDecision> {
  const { id } = charge;
  const shown = await findShown(context, charge);
  const held = shown.payments.filter((payment) => heldByRecord(context, payment) !== 0);
  if (outcome === 'not_executed') {
    const contradiction = held[0] ? contradictionOf(context, held[0]) : shown.waits;
    if (contradiction !== null) return { contradiction };
    return { write: (decision) => writeChargeDecision(context, id, decision, { status: outcome }) };
  }
  const svcUid = await findPaying(context, charge, held);
  if (svcUid === undefined) return { contradiction: notPaid(context, held) };
  return { write: (decision) => writeChargeDecision(context, id, decision, { status: outcome, svcUid }) };
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
  return { payments, waits: isWaiting ? scheduleWaits(merchantUid) : null };
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
  if (!first)
    return {
      en: 'The payment service shows no payment of this charge that holds money.',
      ko: '결제 서비스에 이 요청으로 결제된 금액이 없습니다.',
    };
  const shown = contradictionOf(context, first);
  if (heldByRecord(context, first) === null) return shown;
  return {
    en: `${shown.en} It does not pay for the order: see its discrepancy.`,
    ko: `${shown.ko} 이 주문의 결제로 인정되지 않으니 불일치를 확인하세요.`,
  };
}

const scheduleWaits = (merchantUid: string): Contradiction => ({
  en: `The payment service holds a schedule for the order ${merchantUid}: revoke it first.`,
  ko: `결제 서비스에 주문 ${merchantUid}의 예약이 남아 있습니다. 먼저 예약을 취소하세요.`,
});

function contradictionOf(context: Context, record: ShownPayment): Contradiction {
  return heldContradiction(record.svcUid, { record, held: heldByRecord(context, record) });
}
