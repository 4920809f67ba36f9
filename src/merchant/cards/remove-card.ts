// A member takes a card back: the key is taken out of use, what is planned with it is revoked, it is deleted at the
// service (§4.9, field notes), then the row says so. In this order no card can be put under a key that is being deleted,
// and a failure in between leaves a card that can be removed again, never a key that nobody knows of.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import type { BillingKeyStore, KeyAsRead } from './billing-key-store';

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
export type RemoveCard = (key: KeyAsRead) => Promise<RemovalOutcome>;

/** Idempotent: a key that is gone already, here or at the service, is removed. */
export function createRemoveCard({ store, service, revokeSchedules, clock }: Dependencies): RemoveCard {
  return async function removeCard(key) {
    const { customerUid, status } = key;
    if (status === 'removed') return 'removed';
    if (!(await store.startRemoval(key, clock.now()))) return 'in_use';
    const gone = (await revokeSchedules(customerUid)) ? await deleteKey(customerUid) : 'no';
    if (gone === 'yes') await store.endRemoval(customerUid, 'removed', clock.now());
    // Where the answer was lost the key stays out of use until the member asks again.
    if (gone === 'no') await store.endRemoval(customerUid, status, clock.now());
    return gone === 'yes' ? 'removed' : 'cannot_now';
  };

  async function deleteKey(customerUid: string): Promise<'yes' | 'no' | 'unknown'> {
    try {
      await service.deleteBillingKey(customerUid);
      return 'yes';
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      if (error.facts.kind === 'not_found') return 'yes';
      return error.mayHaveHappened ? 'unknown' : 'no';
    }
  }
}
