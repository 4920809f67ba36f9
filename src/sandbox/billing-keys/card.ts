// A card as the service knows it after issuance: company, type and masked number. The number itself, the birth date
// and the password digits are read here and not kept (§1: card details are not saved).

import { z } from 'zod';
import { optional, text } from '../http/fields';
import { outcomeOf, refusalText, type CardOutcome } from './test-cards';

export type Card = { name: string; code: string; number: string; type: '0' | '1' };

// Our choice: the document says that some PGs do not provide the type, and names none.
const PROVIDERS_WITHOUT_CARD_TYPE = ['danal'];

/** The type as a record shows it: null if the PG does not provide it (§2.3, §2.4). */
export function cardTypeOf(card: Card, pgProvider: string): Card['type'] | null {
  return PROVIDERS_WITHOUT_CARD_TYPE.includes(pgProvider) ? null : card.type;
}

/** YYMMDD of either century: every leap day of 19YY is one of 20YY. */
function isDate(yymmdd: string): boolean {
  const date = `20${yymmdd.slice(0, 2)}-${yymmdd.slice(2, 4)}-${yymmdd.slice(4)}`;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The four items of §2.2, all required, and the PG. Only formats are checked: the document has no Luhn rule. */
export const cardInputSchema = z.object({
  card_number: z.string().regex(/^\d{4}-\d{4}-\d{4}-\d{4}$/, 'must be XXXX-XXXX-XXXX-XXXX'),
  expiry: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM'),
  birth: z
    .string()
    .regex(/^(\d{6}|\d{10})$/, 'must be YYMMDD or a 10-digit business registration number')
    .refine((birth) => birth.length === 10 || isDate(birth), 'must be a date that exists'),
  pwd_2digit: z.string().regex(/^\d{2}$/, 'must be two digits'),
  pg: optional(text(97)),
});

export type CardInput = z.output<typeof cardInputSchema>;

/** Returns the card company's view of the card; `refusal` is null if it accepts the card. Expired cards are refused. */
export function inspectCard(
  input: Pick<CardInput, 'card_number' | 'expiry'>,
  now: number,
): { card: Card; outcome: CardOutcome; refusal: string | null } {
  const outcome = input.expiry < koreanMonth(now) ? 'expired' : outcomeOf(input.card_number);
  return { card: cardOf(input.card_number), outcome, refusal: refusalText(outcome) };
}

/** Codes and names of the document (§2.4). The service itself has no English name. */
export const companies = [
  { code: '361', name: 'BC카드', english: 'BC Card' },
  { code: '381', name: 'KB국민카드', english: 'KB Kookmin Card' },
  { code: '367', name: '현대카드', english: 'Hyundai Card' },
  { code: '365', name: '삼성카드', english: 'Samsung Card' },
  { code: '368', name: '롯데카드', english: 'Lotte Card' },
  { code: '371', name: 'NH카드', english: 'NH Card' },
  { code: '374', name: '하나카드', english: 'Hana Card' },
  { code: '366', name: '신한카드', english: 'Shinhan Card' },
] as const;

/** The card's company for a page of the console. */
export function companyIn({ code, name }: Pick<Card, 'code' | 'name'>, lang: string): string {
  return (lang === 'en' && companies.find((each) => each.code === code)?.english) || name;
}

// The first six digits choose the company. The choice is invented, but a card always has the same company.
function cardOf(cardNumber: string): Card {
  const issuer = Number(cardNumber.slice(0, 7).replace('-', ''));
  const { code, name } = companies[issuer % companies.length] ?? companies[0];
  const number = `${cardNumber.slice(0, 7)}**-****-${cardNumber.slice(-4)}`;
  return { code, name, number, type: issuer % 2 === 0 ? '0' : '1' };
}

function koreanMonth(now: number): string {
  return new Date((now + 9 * 3600) * 1000).toISOString().slice(0, 7);
}
