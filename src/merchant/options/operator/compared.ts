// What a discrepancy compares, in the words of the reader. The rows keep it in English, as the API answers it.

import { COMPARED_WORDS, fillIn, type ComparedWord } from '../../core/payments/discrepancy-kinds';
import type { Formats } from './formats';
import type { OperatorTexts } from './texts.ko';

/** Kinds that compare states. Of the others, a word that is the name of a state is the number of an order. */
const OF_STATES = ['status_went_back', 'paid_after_close'];

/**
 * @param text `expected` or `actual` of the row: money, words of ours, a state, or an id, which stays as it is
 * @param kind of the discrepancy
 */
export function comparedIn(
  { operator }: OperatorTexts,
  text: string,
  formats: Formats,
  kind: string,
): string {
  const [, amount, currency] = /^(\d{1,15}) ([A-Z]{3})$/.exec(text) ?? [];
  if (amount && currency) return formats.money(Number(amount), currency);
  const numbers = text.match(/\d+/g) ?? [];
  const word = wordOf(text.replace(/\d+/g, '#'));
  if (word)
    return fillIn(
      operator.compared[word],
      numbers.map((number) => formats.number(Number(number))),
    );
  const statuses: Readonly<Record<string, string>> = operator.statuses;
  return (OF_STATES.includes(kind) && statuses[text]) || text;
}

function wordOf(text: string): ComparedWord | undefined {
  const words = Object.keys(COMPARED_WORDS) as ComparedWord[];
  return words.find((word) => COMPARED_WORDS[word].replace(/\d+/g, '#') === text);
}
