// Billing keys: issue, look up, delete (§4.2, §4.6, §4.7).
import type { BillingKeyRecord, Page, PaymentRecord } from './records';

/** Card data as §2.2 wants it. It is sent and forgotten: no fault, log or record holds any of it. */
export type CardInput = {
  /** XXXX-XXXX-XXXX-XXXX */
  cardNumber: string;
  /** YYYY-MM */
  expiry: string;
  /** YYMMDD, or the ten digits of a business number */
  birth: string;
  pwd2digit: string;
};

export type BillingKeyOperations = {
  /**
   * §4.2. Resolves when the service says code 0. A customer_uid that holds a key gets the new card's key instead (§1).
   * A fault whose `mayHaveHappened` is true must be looked up with `findBillingKeys`, never sent again.
   */
  issueBillingKey(customerUid: string, card: CardInput, pg?: string): Promise<void>;
  getBillingKey(customerUid: string): Promise<BillingKeyRecord>;
  /** §4.7. Those that exist, in no particular order; empty where none does. */
  findBillingKeys(customerUids: readonly string[]): Promise<BillingKeyRecord[]>;
  /** Irreversible. Answers the record that was deleted. Throws `not_found` where there is none (any more). */
  deleteBillingKey(customerUid: string): Promise<BillingKeyRecord>;
  /** §4.6, in both shapes that it shows. The plain array says nothing of other pages: `next` is 0 then. */
  getBillingKeyPayments(customerUid: string, page?: number): Promise<Page<PaymentRecord>>;
};
