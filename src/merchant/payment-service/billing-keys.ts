// Billing keys: issue, find, delete, list their payments (§4.2, §4.6, §4.7).

import { isCustomerUid } from './identifiers';
import type { ShownChannels } from './payments';
import { readList, readPage, type Listed, type Page } from './records/page';
import { readPayment, type PaymentRecord } from './records/payment-record';
import {
  code,
  identifier,
  maskedCardNumber,
  readRecord,
  recordTable,
  text,
  timestamp,
  type RecordOf,
  type ServiceResponse,
} from './records/record-fields';
import { call, orNull, type Connection } from './transport/client';

/** Card data in the format of §2.2. It is sent and not kept: no error, log or record holds any of it. */
export type CardInput = {
  /** XXXX-XXXX-XXXX-XXXX */
  cardNumber: string;
  /** YYYY-MM */
  expiry: string;
  /** YYMMDD, or the ten digits of a business registration number */
  birth: string;
  pwd2digit: string;
};

/** The same for a key-in payment, which takes a card without the last two (§4.3). */
export type KeyInCard = Pick<CardInput, 'cardNumber' | 'expiry'> & {
  [Name in 'birth' | 'pwd2digit']?: string | undefined;
};

/** §4.7 states no limit. Fifty identifiers of full length stay below the URL length that proxies accept. */
const KEYS_PER_CALL = 50;

export function billingKeyOperations(connection: Connection, shown: ShownChannels) {
  return {
    /**
     * §4.2. Resolves if the service answers code 0. If the customer_uid already has a key, the new card's key replaces
     * it (§1).
     * `pg`: the payment gateway that issues the key; null: the service chooses. After an error whose `mayHaveHappened`
     * is true, call `findBillingKeys`; never send this call again.
     */
    async issueBillingKey(customerUid: string, card: CardInput, pg: string | null = null): Promise<void> {
      await call(connection, {
        method: 'POST',
        path: '/subscribe/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
        body: { ...toCardFields(card), ...(pg !== null && { pg }) },
      });
    },

    /**
     * §4.7. Returns the existing keys, in no particular order; an empty list if there are none. A key without a record may
     * be one of those that cannot be read.
     */
    async findBillingKeys(customerUids: readonly string[]): Promise<Listed<BillingKeyRecord>> {
      const found: Listed<BillingKeyRecord> = { list: [], unreadable: [] };
      for (const uids of chunk(customerUids, KEYS_PER_CALL)) {
        const query = { customer_uid: uids };
        const path = '/subscribe/customers';
        const response = await orNull(call(connection, { method: 'GET', path, query, list: true }));
        if (!response) continue;
        const { list, unreadable } = readList(response, readBillingKey);
        found.list.push(...list.filter((key) => customerUids.includes(key.customerUid)));
        found.unreadable.push(...unreadable);
      }
      return found;
    },

    /**
     * Irreversible. Returns the deleted record.
     * @throws ServiceError `refused` or `not_found` if there is no such key (any more): see §7
     */
    async deleteBillingKey(customerUid: string): Promise<BillingKeyRecord> {
      const response = await call(connection, {
        method: 'DELETE',
        path: '/subscribe/customers/{customer_uid}',
        ids: { customer_uid: customerUid },
      });
      const key = readBillingKey(response);
      if (key.customerUid === customerUid) return key;
      throw response.invalidResponse('the answer is about another customer_uid');
    },

    /** §4.6, in both of its shapes. The plain array has no information about other pages: `next` is then 0. */
    async getBillingKeyPayments(customerUid: string, page?: number): Promise<Page<PaymentRecord>> {
      const response = await call(connection, {
        method: 'GET',
        path: '/subscribe/customers/{customer_uid}/payments',
        ids: { customer_uid: customerUid },
        query: { page, ...shown },
        list: true,
      });
      return readPage(response, readPayment);
    },
  };
}

/** Field names as in §2.2. */
export function toCardFields(card: KeyInCard) {
  return {
    card_number: card.cardNumber,
    expiry: card.expiry,
    birth: card.birth,
    pwd_2digit: card.pwd2digit,
  };
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

const billingKeyTable = recordTable({
  customerUid: ['customer_uid', identifier(isCustomerUid)],
  pgProvider: ['pg_provider', text(16)],
  pgId: ['pg_id', code(80)],
  cardName: ['card_name', text(64)],
  cardCode: ['card_code', code(16)],
  /** At most the first six and the last four digits. */
  cardNumber: ['card_number', maskedCardNumber],
  cardType: ['card_type', code(8)],
  insertedAt: ['inserted', timestamp],
  /** On the service's clock; changes when the key is replaced (§1). */
  updatedAt: ['updated', timestamp],
});

export type BillingKeyRecord = RecordOf<typeof billingKeyTable>;

/** @throws ServiceError `bad_answer` for a record without a customer_uid */
export function readBillingKey(response: ServiceResponse): BillingKeyRecord {
  return readRecord(billingKeyTable, response);
}
