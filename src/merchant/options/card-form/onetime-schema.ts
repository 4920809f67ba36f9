// Key-in payments (§4.3) in the API.

import { z } from 'zod';
import { requesterField } from '../../core/attempts/attempt-schema';
import { customerUidField } from '../../core/charges/charge-schema';
import { orderShape, paidOrderExample, toNewOrder } from '../../core/orders/order-schema';
import { paymentShape, refineByAmount, refusedEverywhere } from '../../core/orders/payment-fields-schema';
import { PG } from '../../payment-service/identifiers';
import { exactLine, strictBody } from '../../platform/http/body-fields';
import { FieldError } from '../../platform/platform-errors';
import { CARD_PROBLEM_MESSAGES, parseKeyInCard } from './card-input';
import type { OnetimePayment } from './pay-onetime';

/** Longer than any card value, including separators. `card-input.ts` applies the detailed rules. */
const cardField = z.string().max(32);
/** The version of the document that the member agreed to; `api` if not given. */
const versionField = exactLine(32).default('api');

const pgField = z
  .string()
  .regex(PG, 'must be a provider, or a provider, "." and the id there')
  .optional()
  .meta({ description: 'Where the payment is made: a provider, or `provider.MID` (§2.2).' });

/** A key-in payment (§4.3). */
export const onetimeSchema = strictBody({
  ...orderShape,
  // This call of the service takes no currency (§4.3), so only KRW is possible.
  currency: z.literal('KRW').default('KRW'),
  ...paymentShape,
  pg: pgField,
  ...refusedEverywhere,
  card_number: cardField.meta({
    description:
      '16 digits (§2.2). American Express (15), Diners Club (14) and cards of 19 digits are not taken.',
  }),
  expiry: cardField.meta({ description: 'Year and month, such as `2037-12`.' }),
  birth: cardField.optional().meta({
    description:
      'Date of birth as YYMMDD, or the ten digits of a business number. Optional (§4.3); some providers need it.',
  }),
  pwd_2digit: cardField.optional().meta({
    description: 'The first two digits of the card’s password. Optional (§4.3); some providers need them.',
  }),
  customer_uid: customerUidField.optional().meta({
    description: 'Stores the key under this id; needs `member_id`. If absent, no key is stored.',
  }),
  terms_version: versionField.meta({ description: 'The version of the terms that the member agreed to.' }),
  privacy_version: versionField.meta({
    description: 'The version of the privacy policy that the member agreed to.',
  }),
  by: requesterField,
})
  .superRefine(refineByAmount)
  .refine(({ customer_uid, member_id }) => customer_uid === undefined || member_id !== undefined, {
    path: ['member_id'],
    message: 'is needed with customer_uid: a key belongs to a member',
  });

/**
 * The card must pass the rules of the card form. The caller has the member's consent and gives its versions.
 * @throws FieldError 400 `invalid_request`, with field names but no values
 */
export function toOnetimePayment(fields: z.output<typeof onetimeSchema>, now: Date): OnetimePayment {
  const { customer_uid: customerUid, member_id: memberId } = fields;
  const parsed = parseKeyInCard(fields, now);
  if ('problems' in parsed) {
    const problems = Object.entries(parsed.problems).map(([field, problem]): [string, string] => [
      field,
      CARD_PROBLEM_MESSAGES[problem],
    ]);
    const [[field = null, problem = ''] = []] = problems;
    throw new FieldError(field, problem, problems.map((each) => each.join(': ')).join('; '));
  }
  const consent = { termsVersion: fields.terms_version, privacyVersion: fields.privacy_version };
  const key = customerUid !== undefined && memberId !== undefined ? { customerUid, memberId, consent } : null;
  return { order: toNewOrder(fields), card: parsed.card, key, pg: fields.pg };
}

/** Stores the card that the other examples pay with. The number is a test card's. */
export const onetimeExample = {
  merchant_uid: 'order-1002',
  name: 'Tea pot',
  amount: 60_000,
  card_quota: 3,
  member_id: 'member-7',
  customer_uid: 'member-7-card-1',
  card_number: '4242-4242-4242-4242',
  expiry: '2037-12',
  birth: '880101',
  pwd_2digit: '12',
  terms_version: '2026-11-01',
  privacy_version: '2026-11-01',
} satisfies z.input<typeof onetimeSchema>;

const [firstPayment] = paidOrderExample.payments;
const onetime = { merchant_uid: onetimeExample.merchant_uid, amount: onetimeExample.amount };

/** With a shortened record. */
export const onetimePaidExample = {
  outcome: 'paid',
  order: {
    ...paidOrderExample,
    ...onetime,
    name: onetimeExample.name,
    card_quota: onetimeExample.card_quota,
    buyer: null,
    custom_data: null,
    payments: [
      {
        ...firstPayment,
        ...onetime,
        svc_uid: 'svc_20261121c5d1',
        pg_tid: 'nice_mid_20261121c5d1',
        receipt_url: 'https://receipt.example/svc_20261121c5d1',
        record: { ...onetime, svc_uid: 'svc_20261121c5d1', status: 'paid', card_quota: 3 },
      },
    ],
  },
};
