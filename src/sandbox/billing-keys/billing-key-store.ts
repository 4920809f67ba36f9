// The keys by customer_uid, 1:1 (§1). Every change is told to the journal.
import type { BillingKey } from './billing-key';

export type BillingKeyStore = {
  find(customerUid: string): BillingKey | undefined;
  /** A key that was there under the same customer_uid is replaced and gone (§1). */
  save(key: BillingKey): void;
  remove(customerUid: string): void;
  restore(key: BillingKey): void;
  clear(): void;
};

export function createBillingKeyStore(
  onChange: (customerUid: string, key: BillingKey | null) => void,
): BillingKeyStore {
  const keys = new Map<string, BillingKey>();
  return {
    find: (customerUid) => keys.get(customerUid),
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
