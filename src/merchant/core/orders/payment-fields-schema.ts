// The fields of `payment-fields.ts` in the API, shared by orders, charges, key-in payments and schedules, and the
// service's fields that these routes refuse.

import { z } from 'zod';
import { refusedField, strictBody, textLine } from '../../platform/http/body-fields';
import { FieldError } from '../../platform/platform-errors';
import {
  findPaymentFieldProblem,
  fromStoredFields,
  MIN_INSTALMENT_AMOUNT,
  type PaymentFieldProblem,
  type PaymentFields,
} from './payment-fields';

/** Our choice: §4.3 shows no limit, and no card company offers more. */
const MAX_CARD_QUOTA = 36;
/** A stored record keeps at most 2,000 characters of one text. With the charge id added, this still fits. */
const MAX_CUSTOM_DATA_LENGTH = 1_900;

/** Lengths as in §2.4. */
const buyerField = strictBody({
  name: textLine(16).optional(),
  email: textLine(64).optional(),
  tel: textLine(16).optional(),
  addr: textLine(128).optional(),
  postcode: textLine(8).optional(),
})
  .optional()
  .meta({
    description:
      'The buyer, as the service shows it on receipts. The buyer of a charge replaces that of its order as a whole.',
  });

const customDataField = z
  .unknown()
  .transform((value, context) => {
    const text = toJsonText(value);
    if (text !== null && text.length <= MAX_CUSTOM_DATA_LENGTH) return text;
    context.addIssue(`must have at most ${MAX_CUSTOM_DATA_LENGTH} characters as JSON`);
    return z.NEVER;
  })
  .optional()
  .meta({
    description:
      `Any JSON value of at most ${MAX_CUSTOM_DATA_LENGTH} characters. At the service, and in the \`record\` of the ` +
      'payment, it is `custom_data` within the JSON of `custom_data`, beside `charge`.',
  });

/** What every payment can carry, including a scheduled one (§4.9). */
export const scheduledPaymentShape = { buyer: buyerField, custom_data: customDataField };

/** What an immediate payment can carry. */
export const paymentShape = {
  card_quota: z
    .int()
    .min(0)
    .max(MAX_CARD_QUOTA)
    .refine((months) => months !== 1, 'must be 0, or 2 and more')
    .optional()
    .meta({
      description: `Months of instalments: 0 for one-off, or 2 and more, which takes at least ${MIN_INSTALMENT_AMOUNT} KRW (§4.3).`,
    }),
  tax_free: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'The part of the amount that is free of tax; at most the amount.' }),
  ...scheduledPaymentShape,
};

const NO_NOTICE_URL =
  'notifications come to the address that is set in the admin console, where they are checked (§6.3)';

/** Refused by every route. */
export const refusedEverywhere = { notice_url: refusedField(NO_NOTICE_URL) };

/** Refused for orders and for payments with a stored key, which are made where the key is. */
export const refusedBesideCards = {
  ...refusedEverywhere,
  pg: refusedField('only a key-in payment chooses where it is made (§4.3)'),
};

/** §4.9 lists neither of these two fields for schedules, so the service would ignore them silently. */
export const refusedInSchedules = {
  ...refusedBesideCards,
  card_quota: refusedField('the service takes no instalments for a scheduled payment (§4.9)'),
  tax_free: refusedField('the service takes no part without tax for a scheduled payment (§4.9)'),
};

type PaymentInput = {
  card_quota?: number | undefined;
  tax_free?: number | undefined;
  buyer?: PaymentFields['buyer'];
  custom_data?: string | undefined;
};

export function toPaymentFields(input: PaymentInput): PaymentFields {
  const { card_quota: cardQuota, tax_free: taxFree, buyer, custom_data: customData } = input;
  return { cardQuota, taxFree, buyer, customData };
}

const PROBLEMS = {
  instalments_not_possible: {
    field: 'card_quota',
    message: `must be 0: instalments are for KRW, and from ${MIN_INSTALMENT_AMOUNT} (§4.3)`,
  },
  tax_free_exceeds_amount: { field: 'tax_free', message: 'must not be more than the amount' },
} as const satisfies Record<PaymentFieldProblem, { field: keyof typeof paymentShape; message: string }>;

/** For a body that has these fields together with the amount that they must fit. */
export function refineByAmount(
  input: PaymentInput & { amount: number; currency: string },
  context: z.RefinementCtx,
): void {
  const problem = findPaymentFieldProblem(toPaymentFields(input), input);
  if (!problem) return;
  const { field, message } = PROBLEMS[problem];
  context.addIssue({ code: 'custom', path: [field], message });
}

/** The same for a charge, whose amount comes from its order. */
export function paymentFieldError(problem: PaymentFieldProblem): FieldError {
  const { field, message } = PROBLEMS[problem];
  return new FieldError(field, message);
}

const optionalText = z.string().nullable();

/** The buyer and the merchant's own data of an order; null if not given. Their columns are not answered as they are. */
export const storedFieldsShape = {
  buyer: z
    .strictObject({
      name: optionalText,
      email: optionalText,
      tel: optionalText,
      addr: optionalText,
      postcode: optionalText,
    })
    .nullable(),
  custom_data: z.unknown().meta({ description: 'As it was sent; null if it was not.' }),
};

export function storedFieldsJson(stored: Parameters<typeof fromStoredFields>[0]) {
  const { buyer, customData = 'null' } = fromStoredFields(stored);
  const { name = null, email = null, tel = null, addr = null, postcode = null } = buyer ?? {};
  return {
    buyer: buyer ? { name, email, tel, addr, postcode } : null,
    custom_data: fromJsonText(customData),
  };
}

/** Null if the value is nested too deeply to be serialised. */
function toJsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** What is no JSON was written by hand: it is shown as it is, so that a list with its row can still be read. */
function fromJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
