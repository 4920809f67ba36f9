// A key-in payment (§4.3) as the merchant's own systems ask for it.

import { z } from 'zod';
import { parseCardForm } from '../cards/card-form';
import { RequestFault } from '../errors';
import { newOrderSchema } from '../orders/order-json';
import type { CardInput } from '../payment-service/billing-keys';
import { customerUidField } from './charge-json';

/** Longer than anything that belongs there, with any separators; the card's own rules come after. */
const cardField = z.string().max(32);
/** The document that the member agreed to, where it is not one of ours. */
const versionField = z.string().min(1).max(32).default('api');

export const onetimeSchema = newOrderSchema
  .extend({
    // The operation takes no currency (field notes), so nothing else can be asked for.
    currency: z.literal('KRW').default('KRW'),
    card_number: cardField,
    expiry: cardField,
    birth: cardField,
    pwd_2digit: cardField,
    customer_uid: customerUidField.optional(),
    terms_version: versionField,
    privacy_version: versionField,
  })
  .refine(({ customer_uid, member_id }) => customer_uid === undefined || member_id !== undefined, {
    path: ['member_id'],
    message: 'is needed with customer_uid: a key belongs to a member',
  });

/**
 * The card of a request, by the rules of the card form. Consent is given to the caller, who says to which versions.
 * @throws RequestFault 400 `invalid_request`, naming fields and never a value
 */
export function readCard(fields: z.output<typeof onetimeSchema>, now: Date): CardInput {
  const { card_number, expiry, birth, pwd_2digit } = fields;
  const consents = { agree_terms: true, agree_privacy: true };
  const form = parseCardForm({ card_number, expiry, birth, pwd_2digit, ...consents }, now);
  if ('card' in form) return form.card;
  const problems = Object.entries(form.problems).map(([field, problem]) => `${field}: ${problem}`);
  throw new RequestFault(400, 'invalid_request', problems.join('; '));
}
