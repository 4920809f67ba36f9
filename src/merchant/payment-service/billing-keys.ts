// Billing keys: issue, look up, delete (§4.2, §4.6, §4.7).
import { orNull, type Call } from './call';
import type { BadAnswer } from './check';
import { portions, readList, readPage } from './page';
import { readBillingKey } from './read-billing-key';
import { readPayment } from './read-payment';
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

/** No limit is shown for §4.7; fifty identifiers of full length stay below what proxies take as an address. */
const KEYS_PER_CALL = 50;

export function createBillingKeyOperations(call: Call): BillingKeyOperations {
  return {
    async issueBillingKey(customerUid, card, pg) {
      await call({
        method: 'POST',
        path: '/subscribe/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
        body: { ...toCardFields(card), pg },
      });
    },

    async getBillingKey(customerUid) {
      const { payload, bad } = await call({
        method: 'GET',
        path: '/subscribe/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
      });
      return sameKey(readBillingKey(payload, bad), customerUid, bad);
    },

    async findBillingKeys(customerUids) {
      const found: BillingKeyRecord[] = [];
      for (const portion of portions(customerUids, KEYS_PER_CALL)) {
        const query = { 'customer_uid[]': portion };
        const answer = await orNull(call({ method: 'GET', path: '/subscribe/customers', query, list: true }));
        if (answer) found.push(...readList(answer, readBillingKey));
      }
      return found.filter((key) => customerUids.includes(key.customerUid));
    },

    async deleteBillingKey(customerUid) {
      const { payload, bad } = await call({
        method: 'DELETE',
        path: '/subscribe/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
      });
      return sameKey(readBillingKey(payload, bad), customerUid, bad);
    },

    async getBillingKeyPayments(customerUid, page) {
      const answer = await call({
        method: 'GET',
        path: '/subscribe/customers/{customer_uid}/payments',
        ids: { customer_uid: customerUid },
        query: { page },
        list: true,
      });
      return readPage(answer, readPayment);
    },
  };
}

/** The wire's names of §2.2. */
export function toCardFields(card: Pick<CardInput, 'cardNumber' | 'expiry'> & OptionalCardFields) {
  return {
    card_number: card.cardNumber,
    expiry: card.expiry,
    birth: card.birth,
    pwd_2digit: card.pwd2digit,
  };
}
export type OptionalCardFields = { [Name in 'birth' | 'pwd2digit']?: string | undefined };

function sameKey(key: BillingKeyRecord, customerUid: string, bad: BadAnswer): BillingKeyRecord {
  if (key.customerUid !== customerUid) throw bad('the answer is about another customer_uid');
  return key;
}
