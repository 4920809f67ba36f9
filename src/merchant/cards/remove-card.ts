// A member takes a card back: what is planned with it is revoked, the billing key is deleted at the service (§4.9, field
// notes), then the row says so. In this order a failure in between leaves a card that can be removed again, never a key
// that nobody knows of.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import type { BillingKeyStore } from './billing-key-store';

export type RemovalOutcome =
  | 'removed'
  /** A card is on its way to this key: its outcome has to be known first. */
  | 'in_use'
  /** The service did not delete it, or did not say so. */
  | 'cannot_now';

type Dependencies = {
  store: BillingKeyStore;
  service: Pick<PaymentService, 'deleteBillingKey'>;
  /** Revokes what is planned with the key; false where something may still be planned. */
  revokeSchedules: (customerUid: string) => Promise<boolean>;
  clock: Clock;
};
export type RemoveCard = (key: { customerUid: string; status: string }) => Promise<RemovalOutcome>;

/** Idempotent: a key that is gone already, here or at the service, is removed. */
export function createRemoveCard({ store, service, revokeSchedules, clock }: Dependencies): RemoveCard {
  return async function removeCard({ customerUid, status }) {
    if (status === 'removed') return 'removed';
    if (await store.hasOpenIssuance(customerUid)) return 'in_use';
    if (!(await revokeSchedules(customerUid))) return 'cannot_now';
    try {
      await service.deleteBillingKey(customerUid);
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      if (error.facts.kind !== 'not_found') return 'cannot_now';
    }
    await store.markRemoved(customerUid, clock.now());
    return 'removed';
  };
}
