// The posted card-entry form (§1 step 1) becomes the card input of §2.2, or one problem per field. No value is ever in
// a problem: what was typed is gone after this file, except in the card that goes to the service.

import { z } from 'zod';
import type { CardInput } from '../payment-service/billing-keys';
import { isBirthDate, isBusinessNumber } from './birth';
import { parseExpiry } from './expiry';

/** Named for the texts: `fieldProblems` has one sentence for each, in both languages. */
export type FieldProblem =
  | 'card_number_missing'
  | 'card_number_digits'
  | 'card_number_length'
  | 'expiry_missing'
  | 'expiry_format'
  | 'expiry_past'
  | 'expiry_too_far'
  | 'birth_missing'
  | 'birth_format'
  | 'birth_date'
  | 'birth_business_number'
  | 'pwd_2digit_missing'
  | 'pwd_2digit_format'
  | 'agree_terms_missing'
  | 'agree_privacy_missing'
  | 'pg_not_offered';

/** Wire names, in the order of the form. */
export const CARD_FIELDS = ['card_number', 'expiry', 'birth', 'pwd_2digit'] as const;
export const FORM_FIELDS = [...CARD_FIELDS, 'agree_terms', 'agree_privacy', 'pg'] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FieldProblems = Partial<Record<FormField, FieldProblem>>;

export type CardForm = { card: CardInput } | { problems: FieldProblems };

/**
 * Reads the fields of contract §4; unknown ones are ignored. A doubled field arrives as an array and is refused.
 * Only ASCII digits count: the page's script converts full-width ones while they are typed.
 * Luhn is no rule here: the document has none, and the page only warns.
 * @param now decides what is past, in Korea
 */
export function parseCardForm(body: unknown, now: Date): CardForm {
  const parsed = formSchema(now).safeParse(isRecord(body) ? body : {});
  if (parsed.success) {
    const { card_number, expiry, birth, pwd_2digit } = parsed.data;
    return { card: { cardNumber: card_number, expiry, birth, pwd2digit: pwd_2digit } };
  }
  const problems: FieldProblems = {};
  for (const { path, message } of parsed.error.issues) {
    problems[path[0] as FormField] ??= message as FieldProblem;
  }
  return { problems };
}

const isRecord = (body: unknown) => typeof body === 'object' && body !== null && !Array.isArray(body);

type Read = (text: string) => { value: string } | { problem: FieldProblem };

// Nothing that belongs here is longer, with any separators.
const LONGEST_FIELD = 32;

const formSchema = (now: Date) =>
  z.object({
    card_number: field('card_number_missing', 'card_number_digits', readCardNumber),
    expiry: field('expiry_missing', 'expiry_format', (text) => parseExpiry(text, now)),
    birth: field('birth_missing', 'birth_format', readBirth),
    pwd_2digit: field('pwd_2digit_missing', 'pwd_2digit_format', readPassword),
    agree_terms: consent('agree_terms_missing'),
    agree_privacy: consent('agree_privacy_missing'),
    // The form offers no choice of PG (§2.2 has one "in one version of the request"), so none can be asked for.
    pg: z.undefined({ error: 'pg_not_offered' satisfies FieldProblem }).optional(),
  });

function field(missing: FieldProblem, malformed: FieldProblem, read: Read) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? missing : malformed) })
    .transform((text, context): string => {
      // Spaces only: `trim` would take invisible characters away that do not belong here.
      const trimmed = text.length > LONGEST_FIELD ? null : text.replace(/^ +| +$/g, '');
      const result =
        trimmed === null ? { problem: malformed } : trimmed === '' ? { problem: missing } : read(trimmed);
      if ('value' in result) return result.value;
      context.addIssue({ code: 'custom', message: result.problem });
      return z.NEVER;
    });
}

/** A ticked box; `true` is how a JSON post says it. */
function consent(missing: FieldProblem) {
  return z.union([z.literal(['on', 'true', '1']), z.literal(true)], { error: missing });
}

function readCardNumber(text: string): ReturnType<Read> {
  if (/[^0-9 -]/.test(text)) return { problem: 'card_number_digits' };
  const digits = text.replace(/[ -]/g, '');
  if (digits.length !== 16) return { problem: 'card_number_length' };
  return { value: digits.replace(/(....)(?=.)/g, '$1-') };
}

/** Birth date or business number: the digits say which, whatever the form's radio buttons say. */
function readBirth(text: string): ReturnType<Read> {
  if (/^[0-9]{6}$/.test(text)) return isBirthDate(text) ? { value: text } : { problem: 'birth_date' };
  if (!/^[0-9]{3}-?[0-9]{2}-?[0-9]{5}$/.test(text)) return { problem: 'birth_format' };
  const digits = text.replace(/-/g, '');
  return isBusinessNumber(digits) ? { value: digits } : { problem: 'birth_business_number' };
}

function readPassword(text: string): ReturnType<Read> {
  return /^[0-9]{2}$/.test(text) ? { value: text } : { problem: 'pwd_2digit_format' };
}
