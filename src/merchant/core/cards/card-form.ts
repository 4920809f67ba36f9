// The posted card form (§1): the card, and the fields around it. What was typed is gone after this file, except in the
// card that goes to the service; no problem holds a value.

import { z } from 'zod';
import type { CardInput } from '../../payment-service/billing-keys';
import { parseCardInput } from '../billing-keys/card-input';
import type { CardTexts } from './texts.ko';

export type FieldProblem = keyof CardTexts['problems'];

/** Names on the wire, in the order in which the page has them: that of its summary of problems. */
export const FORM_FIELDS = [
  'card_number',
  'expiry',
  'pwd_2digit',
  'birth',
  'agree_terms',
  'agree_privacy',
  'pg',
] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FieldProblems = Partial<Record<FormField, FieldProblem>>;

/** What a good form says. */
export type CardForm = {
  card: CardInput;
  /** The box of a form that has asked whether the same card is meant to be registered once more. */
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
  for (const { path, message } of others.error?.issues ?? [])
    problems[path[0] as FormField] ??= message as FieldProblem;
  return { problems };
}

/** The boxes of the form: they alone of what was filled in are shown again. */
export type Box = 'agree_terms' | 'agree_privacy' | 'register_again';

/** Whether the box is ticked, in a form that may be wrong otherwise. Any other value of it is no. */
export function isTicked(body: unknown, box: Box): boolean {
  return isRecord(body) && ticked.safeParse(body[box]).success;
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** A ticked box. A JSON post says `true`. */
const ticked = z.union([z.literal(['on', 'true', '1']), z.literal(true)]);

const otherFieldsSchema = z.object({
  agree_terms: consent('agree_terms_missing'),
  agree_privacy: consent('agree_privacy_missing'),
  // The form offers no choice of PG (§2.2: only one version of the request has it), so none can be asked for.
  pg: z.undefined({ error: 'pg_not_offered' satisfies FieldProblem }).optional(),
});

function consent(missing: FieldProblem) {
  return z.union(ticked.options, { error: missing });
}
