// What a text typed into the search box may be. One text may be several things: 1234 is an amount and four digits of a card.

import { readAmount } from '../frame/formats';

export type Search = {
  /** As it was typed, trimmed: an id, a name, an email address, an approval number. */
  text: string;
  /** The same in the cases in which ids and names are usually written: an index finds each of them. */
  forms: readonly string[];
  /** The names that contain it, as patterns of LIKE, in each language; empty if it is no name. */
  names: readonly string[];
  /** In the forms in which it may be stored, digits only; empty if it is no phone number. */
  phones: readonly string[];
  /** In the unit of its currency (§2.4); null if it is no amount. */
  amount: number | null;
  /** Of a card; null if it is not four digits. */
  lastFour: string | null;
};

/** @param phrases known texts of rows, by language: a reader searches for what the page shows in the own language */
export function readSearch(typed: string, phrases: readonly Readonly<Record<string, string>>[] = []): Search {
  const text = typed.trim();
  const amount = readAmount(text.replace(/^₩\s*|\s*원$/g, ''));
  return {
    text,
    forms: [...new Set([text, text.toLowerCase(), text.toUpperCase(), capitalised(text)])],
    names: /^[\p{L}][\p{L} .'-]*$/u.test(text) ? namesWith(text, phrases) : [],
    phones: phonesOf(text),
    amount: Number.isNaN(amount) ? null : amount,
    lastFour: /^\d{4}$/.test(text) ? text : null,
  };
}

function capitalised(text: string): string {
  return text.toLowerCase().replace(/(?<![\p{L}\d])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** A part is enough, as buyers are asked for by their given name. */
function namesWith(text: string, phrases: readonly Readonly<Record<string, string>>[]): string[] {
  const part = text.toLowerCase();
  const known = phrases
    .map((phrase) => Object.values(phrase))
    .filter((texts) => texts.some((each) => each.toLowerCase().includes(part)));
  return [`%${text}%`, ...known.flat().map((each) => each.replace(/[\\%_]/g, '\\$&'))];
}

/** A Korean number is stored with its leading 0, or with the country code 82 in its place. */
function phonesOf(text: string): string[] {
  const digits = text.replace(/\D/g, '');
  if (!/^[\d\s().+-]+$/.test(text) || digits.length < 8 || digits.length > 13) return [];
  const local = digits.startsWith('82') ? `0${digits.slice(2).replace(/^0/, '')}` : digits;
  return [local, `82${local.slice(1)}`];
}
