// A card becomes a billing key (§1, §4.2). Noted before it is asked for and never asked for twice, so that a key
// without a row cannot arise; whatever answer gets lost, `resolve-issuance` finds out.

import type { Clock } from '../clock';
import { DatabaseFault, ServiceFault } from '../errors';
import type { ScheduleJob } from '../jobs';
import type { Logger } from '../logger';
import { firstLookAt } from '../lookup-plan';
import type { CardInput } from '../payment-service/billing-keys';
import type { PaymentService } from '../payment-service/payment-service';
import type { BillingKeyStore, NewIssuance, StartedIssuance } from './billing-key-store';
import { judgeIssuance } from './judge-issuance';
import { scheduleLookup } from './resolve-issuance';

export type Registration = Omit<NewIssuance, 'cardLastFour'> & { card: CardInput };

export type RegistrationOutcome =
  | { kind: 'registered' }
  /** Refused. What the service says of it is for display alone, masked and bounded by the client. */
  | { kind: 'declined'; serviceMessage: string | null }
  /** The form was sent before, or another card is on its way to this key: nothing was sent. */
  | { kind: 'in_use' }
  /** There is no key that could be replaced: nothing was sent. */
  | { kind: 'no_key' }
  /** The service may hold the key; we are finding out. */
  | { kind: 'unknown' }
  /** The service cannot be reached or refuses to be asked: nothing was issued. */
  | { kind: 'cannot_start' };

type Dependencies = {
  store: BillingKeyStore;
  service: Pick<PaymentService, 'issueBillingKey' | 'findBillingKeys'>;
  schedule: ScheduleJob;
  clock: Clock;
  logger: Logger;
};
export type RegisterCard = (registration: Registration) => Promise<RegistrationOutcome>;

/** @throws DatabaseFault when the issuance could not be noted: then nothing was sent. */
export function createRegisterCard({ store, service, schedule, clock, logger }: Dependencies): RegisterCard {
  return async function registerCard({ card, ...registration }) {
    const { customerUid } = registration;
    const cardLastFour = card.cardNumber.slice(-4);
    const issuance = await store.startIssuance({ ...registration, cardLastFour }, clock.now());
    if (typeof issuance === 'string') return { kind: issuance };

    try {
      await service.issueBillingKey(customerUid, card);
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return notIssued(issuance, error);
    }
    return confirmIssued(issuance, customerUid);
  };

  /** Code 0: the key is there. Its record (§4.7) says how the card is shown, and that it is the card that was sent. */
  async function confirmIssued(issuance: StartedIssuance, customerUid: string): Promise<RegistrationOutcome> {
    try {
      const records = await service.findBillingKeys([customerUid]);
      const record = records.find((each) => each.customerUid === customerUid) ?? null;
      const verdict = judgeIssuance(issuance, record, true);
      if (record && verdict === 'issued') {
        await store.markIssued(issuance.id, record, clock.now());
        return { kind: 'registered' };
      }
      if (verdict === 'other_card') {
        await store.markNeedsReview(issuance.id, 'other_card', clock.now());
        return { kind: 'unknown' };
      }
    } catch (error) {
      if (!(error instanceof ServiceFault || error instanceof DatabaseFault)) throw error;
      logger.warn({ err: error, event: 'issued_card_not_noted', customer_uid: customerUid });
    }
    return unknown(issuance.id, 'issued_not_seen');
  }

  async function notIssued(issuance: StartedIssuance, fault: ServiceFault): Promise<RegistrationOutcome> {
    const { kind, serviceMessage = null } = fault.facts;
    if (fault.mayHaveHappened) return unknown(issuance.id, kind);
    await note(() => store.markDeclined(issuance, serviceMessage ?? kind, clock.now()));
    return kind === 'refused' ? { kind: 'declined', serviceMessage } : { kind: 'cannot_start' };
  }

  async function unknown(id: bigint, reason: string): Promise<RegistrationOutcome> {
    await note(async () => {
      await store.markUnknown(id, reason);
      await scheduleLookup(schedule, id, firstLookAt(clock.now()));
    });
    return { kind: 'unknown' };
  }

  /** The pending row is there already: where the database is gone now, the outcome is found out from that row later. */
  async function note(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      logger.error({ err: error, event: 'issuance_outcome_not_noted' });
    }
  }
}
