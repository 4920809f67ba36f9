// A stored billing key and its record (§2.3).

import { cardTypeOf, type Card } from './card';
import type { CardOutcome } from './test-cards';

export type BillingKey = {
  customerUid: string;
  pgProvider: string;
  pgId: string;
  /** Null if a wallet holds the key. */
  card: Card | null;
  /** `card`, or the wallet that holds the key. Absent in data that an older version saved: a card. */
  payMethod?: string;
  /** The wallet behind a gateway. Absent in data that an older version saved. */
  embPgProvider?: string | null;
  /** Decides the payments with this key. It is stored, because the card number that it depends on is not. */
  outcome: CardOutcome;
  customer: Customer;
  /** Issued through a test channel (§4.4). Absent in data that an older version saved. */
  sandbox?: boolean;
  inserted: number;
  updated: number;
};

type Customer = {
  name: string | null;
  tel: string | null;
  email: string | null;
  addr: string | null;
  postcode: string | null;
};

/** The record of §2.3, with `code` and `message` as in the list of §4.7. */
export function billingKeyRecord(key: BillingKey) {
  return {
    code: 0,
    message: null,
    customer_uid: key.customerUid,
    pg_provider: key.pgProvider,
    pg_id: key.pgId,
    card_name: key.card?.name ?? null,
    card_code: key.card?.code ?? null,
    card_number: key.card?.number ?? null,
    card_type: key.card && cardTypeOf(key.card, key.pgProvider),
    customer_name: key.customer.name,
    customer_tel: key.customer.tel,
    customer_email: key.customer.email,
    customer_addr: key.customer.addr,
    customer_postcode: key.customer.postcode,
    inserted: key.inserted,
    updated: key.updated,
    sandbox: key.sandbox ?? false,
  };
}
