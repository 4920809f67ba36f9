// Planned payments are taken back (§4.9, field notes). Revoking twice does no harm, so a lost answer may be followed by
// another try; what is true of each plan is looked up all the same.

import type { ChargeStore, OpenCharge } from '../charges/charge-store';
import { firstLookAt } from '../lookup-plan';
import { outcomeOfCall, type Noted } from '../charges/outcome-of-call';
import { scheduleLook } from '../charges/resolve-charge';
import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import type { PaymentService } from '../payment-service/payment-service';
import type { ScheduleRecord } from '../payment-service/records';

export type Revocation = { customerUid: string; merchantUids: readonly string[] | 'all' };

export type RevocationOutcome =
  | { kind: 'revoked'; records: ScheduleRecord[] }
  | { kind: 'unknown' }
  /** Such as: nothing is scheduled. */
  | { kind: 'refused'; serviceMessage: string | null }
  | { kind: 'not_executed' };
export type RevokePayments = (revocation: Revocation) => Promise<RevocationOutcome>;

type Dependencies = {
  store: Pick<ChargeStore, 'findPlannedCharges' | 'settleCharge'>;
  service: Pick<PaymentService, 'unschedule'>;
  schedule: ScheduleJob;
  noted: Noted;
  clock: Clock;
};

export function createRevokePayments(dependencies: Dependencies): RevokePayments {
  const { store, service, schedule, noted, clock } = dependencies;

  return async function revokePayments({ customerUid, merchantUids }) {
    const planned = (await store.findPlannedCharges(customerUid)).filter(
      ({ merchantUid }) => merchantUids === 'all' || merchantUids.includes(merchantUid),
    );
    let records: ScheduleRecord[];
    try {
      records = (await service.unschedule(customerUid, merchantUids)).filter(
        ({ status }) => status === 'revoked',
      );
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      const outcome = outcomeOfCall(error);
      // A refusal too says that the plans are not as we believe.
      if (outcome.kind !== 'not_executed') await lookLater(planned);
      return outcome;
    }
    const isRevoked = ({ merchantUid }: OpenCharge) =>
      records.some((record) => record.merchantUid === merchantUid);
    for (const { id } of planned.filter(isRevoked))
      await noted(() => store.settleCharge(id, 'revoked', clock.now()));
    await lookLater(planned.filter((charge) => !isRevoked(charge)));
    return { kind: 'revoked', records };
  };

  async function lookLater(charges: readonly OpenCharge[]): Promise<void> {
    for (const { id } of charges) await noted(() => scheduleLook(schedule, id, firstLookAt(clock.now())));
  }
}
