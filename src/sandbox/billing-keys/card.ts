// A card as the service may know it after issuance: company, type and masked number. The number itself, the birth
// date and the password digits are looked at here and forgotten (§1.1: card details are not saved).
import { z } from 'zod';
import { optional, text } from '../http/fields';
import { outcomeOf, refusalText, type CardOutcome } from './test-cards';

export type Card = { name: string; code: string; number: string; type: '0' | '1' };

/** The four items of §2.2, all required, plus the PG. Formats only: neither Luhn nor a real date is in the document. */
export const cardInputSchema = z.object({
  card_number: z.string().regex(/^\d{4}-\d{4}-\d{4}-\d{4}$/, 'must be XXXX-XXXX-XXXX-XXXX'),
  expiry: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM'),
  birth: z.string().regex(/^(\d{6}|\d{10})$/, 'must be YYMMDD or a 10-digit business registration number'),
  pwd_2digit: z.string().regex(/^\d{2}$/, 'must be two digits'),
  pg: optional(text(97)),
});

export type CardInput = z.output<typeof cardInputSchema>;

/** What the card company says: the card, or its refusal. A card past its month is refused like the expired test card. */
export function inspectCard(
  input: Pick<CardInput, 'card_number' | 'expiry'>,
  now: number,
): { card: Card; outcome: CardOutcome; refusal: string | null } {
  const outcome = input.expiry < koreanMonth(now) ? 'expired' : outcomeOf(input.card_number);
  return { card: cardOf(input.card_number), outcome, refusal: refusalText(outcome) };
}

const companies = [
  { code: '361', name: 'BC카드' },
  { code: '381', name: 'KB국민카드' },
  { code: '367', name: '현대카드' },
  { code: '365', name: '삼성카드' },
  { code: '368', name: '롯데카드' },
  { code: '371', name: 'NH카드' },
  { code: '374', name: '하나카드' },
  { code: '366', name: '신한카드' },
];

// Believable, not real: the company follows from the first six digits, so the same card stays with its company.
function cardOf(cardNumber: string): Card {
  const issuer = Number(cardNumber.slice(0, 7).replace('-', ''));
  const company = companies[issuer % companies.length] ?? { code: '361', name: 'BC카드' };
  const number = `${cardNumber.slice(0, 7)}**-****-${cardNumber.slice(-4)}`;
  return { ...company, number, type: issuer % 2 === 0 ? '0' : '1' };
}

function koreanMonth(now: number): string {
  return new Date((now + 9 * 3600) * 1000).toISOString().slice(0, 7);
}
