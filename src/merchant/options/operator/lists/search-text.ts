// What a text typed into the search box may be. One text may be several things: 1234 is an amount and four digits of a card.

import { readAmount } from '../frame/formats';

export type Search = {
  /** As it was typed, trimmed: an id, a name, a mail address, an approval number. */
  text: string;
  /** In the forms in which it may be stored, digits only; empty if it is no phone number. */
  phones: readonly string[];
  /** In the unit of its currency (§2.4); null if it is no amount. */
  amount: number | null;
  /** Of a card; null if it is not four digits. */
  lastFour: string | null;
};

export function readSearch(typed: string): Search {
  const text = typed.trim();
  const amount = readAmount(text.replace(/^₩\s*|\s*원$/g, ''));
  return {
    text,
    phones: phonesOf(text),
    amount: Number.isNaN(amount) ? null : amount,
    lastFour: /^\d{4}$/.test(text) ? text : null,
  };
}

/** A Korean number is stored with its leading 0, or with the country code 82 in its place. */
function phonesOf(text: string): string[] {
  const digits = text.replace(/\D/g, '');
  if (!/^[\d\s().+-]+$/.test(text) || digits.length < 8 || digits.length > 13) return [];
  const local = digits.startsWith('82') ? `0${digits.slice(2).replace(/^0/, '')}` : digits;
  return [local, `82${local.slice(1)}`];
}
