// The billing keys by customer_uid, one for each (§1). Every change is passed to the journal.

import { HttpError } from '../http/answer';
import { maskDigits } from '../http/mask-digits';
import type { BillingKey } from './billing-key';

export type BillingKeyStore = {
  find(customerUid: string): BillingKey | undefined;
  /** All keys, the last issued first. */
  list(): BillingKey[];
  /** Replaces the key that the customer_uid holds, if any (§1). */
  save(key: Omit<BillingKey, 'sandbox'>): void;
  remove(customerUid: string): void;
  restore(key: BillingKey): void;
  clear(): void;
};

/**
 * `onChange` is called with null for a removed key; if it throws, the change is not made. `isTestChannel` says whether
 * keys are issued through a test channel now.
 */
export function createBillingKeyStore(
  onChange: (customerUid: string, key: BillingKey | null) => void,
  isTestChannel: () => boolean,
): BillingKeyStore {
  const keys = new Map<string, BillingKey>();
  return {
    find: (customerUid) => keys.get(customerUid),
    list: () => [...keys.values()].sort((one, other) => other.updated - one.updated),
    save(draft) {
      const key = { ...draft, sandbox: isTestChannel() };
      onChange(key.customerUid, key);
      keys.set(key.customerUid, key);
    },
    remove(customerUid) {
      onChange(customerUid, null);
      keys.delete(customerUid);
    },
    restore: (key) => void keys.set(key.customerUid, key),
    clear: () => keys.clear(),
  };
}

/** Throws the 404 of §4.6 and §4.7 if there is no such key. */
export function getBillingKey(billingKeys: BillingKeyStore, customerUid: string | undefined): BillingKey {
  const key = customerUid === undefined ? undefined : billingKeys.find(customerUid);
  if (!key) throw unknownKey(customerUid ?? '');
  return key;
}

/** The message is the live service's own. */
export const unknownKey = (customerUid: string) =>
  new HttpError(404, `요청하신 customer_uid(${maskDigits(customerUid)})로 등록된 정보를 찾을 수 없습니다.`);
