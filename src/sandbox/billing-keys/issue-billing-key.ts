// Issues a billing key: by §4.2, with a key-in payment (§4.3), and for a schedule whose customer_uid has none yet
// (§4.9).

import { z } from 'zod';
import { optional, text } from '../http/fields';
import type { BillingKey } from './billing-key';
import type { BillingKeyStore } from './billing-key-store';
import { inspectCard, type Card, type CardInput } from './card';
import type { CardOutcome } from './test-cards';

/** The customer's fields of the record (§2.3), which an issuance takes as well (§2.2). */
export const customerSchema = z.object({
  customer_name: optional(text(40)),
  customer_tel: optional(text(16)),
  customer_email: optional(text(64)),
  customer_addr: optional(text(128)),
  customer_postcode: optional(text(8)),
});

type KeyRequest = Pick<CardInput, 'card_number' | 'expiry' | 'pg'> & z.output<typeof customerSchema>;

/** Stores the key under `customerUid`, if one is given and the card company does not refuse the card. */
export function issueBillingKey(
  billingKeys: BillingKeyStore,
  request: KeyRequest,
  customerUid: string | undefined,
  now: number,
): { card: Card; outcome: CardOutcome; refusal: string | null } {
  const { card, outcome, refusal } = inspectCard(request, now);
  if (refusal === null && customerUid !== undefined)
    billingKeys.save(keyOf(request, customerUid, card, outcome, now));
  return { card, outcome, refusal };
}

function keyOf(
  request: KeyRequest,
  customerUid: string,
  card: Card,
  outcome: CardOutcome,
  now: number,
): BillingKey {
  return {
    customerUid,
    ...pgOf(request.pg),
    card,
    outcome,
    customer: {
      name: request.customer_name ?? null,
      tel: request.customer_tel ?? null,
      email: request.customer_email ?? null,
      addr: request.customer_addr ?? null,
      postcode: request.customer_postcode ?? null,
    },
    // A replacement is a new key (§1), so it has a new registration time.
    inserted: now,
    updated: now,
  };
}

/** `pg` is a provider, optionally with the merchant's id there: `nice` or `nice.MID`. */
export function pgOf(pg = 'nice'): { pgProvider: string; pgId: string } {
  const [pgProvider = 'nice', ...pgId] = pg.split('.');
  return { pgProvider, pgId: pgId.join('.') || 'sandbox_mid' };
}
