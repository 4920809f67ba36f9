// The billing keys by customer_uid, one for each (§1). Every change is passed to the journal.

import { HttpError } from '../http/answer';
import type { BillingKey } from './billing-key';

export type BillingKeyStore = {
  find(customerUid: string): BillingKey | undefined;
  /** All keys, the last issued first. */
  list(): BillingKey[];
  /** Replaces the key that the customer_uid holds, if any (§1). */
  save(key: BillingKey): void;
  remove(customerUid: string): void;
  restore(key: BillingKey): void;
  clear(): void;
};

/** `onChange` is called with null for a removed key. */
export function createBillingKeyStore(
  onChange: (customerUid: string, key: BillingKey | null) => void,
): BillingKeyStore {
  const keys = new Map<string, BillingKey>();
  return {
    find: (customerUid) => keys.get(customerUid),
    list: () => [...keys.values()].sort((one, other) => other.updated - one.updated),
    save(key) {
      keys.set(key.customerUid, key);
      onChange(key.customerUid, key);
    },
    remove(customerUid) {
      keys.delete(customerUid);
      onChange(customerUid, null);
    },
    restore: (key) => void keys.set(key.customerUid, key),
    clear: () => keys.clear(),
  };
}

/** Throws the 404 of §4.6 and §4.7 if there is no such key. */
export function getBillingKey(billingKeys: BillingKeyStore, customerUid: string | undefined): BillingKey {
  const key = customerUid === undefined ? undefined : billingKeys.find(customerUid);
  if (!key) throw new HttpError(404, 'customer_uid: no billing key');
  return key;
}
