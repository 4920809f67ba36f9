// The one place from which a call that takes money at once leaves (§4.3, §4.9): its row is there before, it is sent
// once, and whatever comes back, or does not, is noted. A lost answer is looked up by `resolve-charge.ts`.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import type { PaymentRecord } from '../payment-service/records';
import type { ChargeStore } from './charge-store';
import { firstLookAt } from '../lookup-plan';
import { outcomeOfCall, type Noted } from './outcome-of-call';
import { scheduleLook } from './resolve-charge';
import type { SettleCharge, SettledCharge } from './settle-charge';

export type Submission =
  | SettledCharge
  /** There is no payment. The service's words are masked and bounded by the client. */
  | { kind: 'refused'; serviceMessage: string | null }
  /** Nothing happened: the charge can be tried again at once. */
  | { kind: 'not_executed' };

export type SubmitCharge = (
  charge: { id: string; merchantUid: string },
  send: () => Promise<PaymentRecord>,
) => Promise<Submission>;

type Dependencies = {
  store: Pick<ChargeStore, 'settleCharge' | 'markUnknown'>;
  settleCharge: SettleCharge;
  schedule: ScheduleJob;
  noted: Noted;
  clock: Clock;
};

export function createSubmitCharge(dependencies: Dependencies): SubmitCharge {
  const { store, settleCharge, schedule, noted, clock } = dependencies;

  return async function submitCharge(charge, send) {
    let payment: PaymentRecord;
    try {
      payment = await send();
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return notAnswered(charge.id, error);
    }
    const settled = await noted(() => settleCharge(charge, payment.svcUid));
    return settled === null || settled.kind === 'unknown' ? lookLater(charge.id) : settled;
  };

  async function notAnswered(id: string, fault: ServiceFault): Promise<Submission> {
    const outcome = outcomeOfCall(fault);
    const { kind, reason } = outcome;
    if (kind === 'unknown') {
      await noted(() => store.markUnknown(id, { reason }));
      return lookLater(id);
    }
    await noted(() => store.settleCharge(id, kind, clock.now(), { reason }));
    return outcome;
  }

  async function lookLater(id: string): Promise<{ kind: 'unknown' }> {
    await noted(() => scheduleLook(schedule, id, firstLookAt(clock.now())));
    return { kind: 'unknown' };
  }
}
