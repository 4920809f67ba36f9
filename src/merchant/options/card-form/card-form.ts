// Parses the posted card form (§1): the card and the other fields. After this file, the typed data exists only in the
// card that goes to the service. Problems contain no values.

import { z } from 'zod';
import type { CardInput } from '../../payment-service/billing-keys';
import { parseCardInput } from './card-input';
import type { CardFormTexts } from './texts.ko';

type FieldProblem = keyof CardFormTexts['problems'];

/** Field names as posted, in the order of the page and of its summary of problems. */
export const FORM_FIELDS = [
  'card_number',
  'expiry',
  'pwd_2digit',
  'birth',
  'agree_terms',
  'agree_privacy',
  'pg',
] as const;
type FormField = (typeof FORM_FIELDS)[number];
export type FieldProblems = Partial<Record<FormField, FieldProblem>>;

/** The content of a valid form. */
type CardForm = {
  card: CardInput;
  /** Whether the member ticked that the same card is to be registered again. */
  registerAgain: boolean;
};

/**
 * Unknown fields are ignored.
 * @param now decides which month is past, in Korea
 */
export function parseCardForm(body: unknown, now: Date): CardForm | { problems: FieldProblems } {
  const fields = isRecord(body) ? body : {};
  const input = parseCardInput(fields, now);
  const others = otherFieldsSchema.safeParse(fields);
  if ('card' in input && others.success)
    return { card: input.card, registerAgain: isTicked(fields, 'register_again') };
  const problems: FieldProblems = 'problems' in input ? input.problems : {};
  if (problems.birth === 'birth_missing' && isCompanyForm(fields)) problems.birth = 'business_number_missing';
  for (const { path, message } of others.error?.issues ?? [])
    problems[path[0] as FormField] ??= message as FieldProblem;
  return { problems };
}

/** Whether a company card is chosen. It decides only how the form names one field. */
export function isCompanyForm(body: unknown): boolean {
  return isRecord(body) && body['card_holder'] === 'company';
}

/** The checkboxes of the form. Their state is the only input that the page shows again. */
export type Box = 'agree_terms' | 'agree_privacy' | 'register_again';

/** Whether the box is ticked, in a form that may be otherwise invalid. Any unknown value means no. */
export function isTicked(body: unknown, box: Box): boolean {
  return isRecord(body) && ticked.safeParse(body[box]).success;
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** A ticked box. A JSON post sends `true`. */
const ticked = z.union([z.literal(['on', 'true', '1']), z.literal(true)]);

const otherFieldsSchema = z.object({
  agree_terms: consent('agree_terms_missing'),
  agree_privacy: consent('agree_privacy_missing'),
  // The form offers no choice of PG, because only one version of the request in §2.2 has it.
  pg: z.undefined({ error: 'pg_not_offered' satisfies FieldProblem }).optional(),
});

function consent(missing: FieldProblem) {
  return z.union(ticked.options, { error: missing });
}
