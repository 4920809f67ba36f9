// What stands in a row in English, or as others wrote it, in the words of the reader: codes of ours, states, what a
// discrepancy compares, where an event went. A text that is none of these stays as it is. And the colour that goes with a
// word for a state, which only repeats what the word says.

import { COMPARED_WORDS, fillIn, type ComparedWord } from '../../core/payments/discrepancy-kinds';
import type { Formats } from './formats';
import type { OperatorTexts } from './texts.ko';

/** What stands in a table or beside a moment of a history. */
export type ColumnName = keyof OperatorTexts['operator']['columns'];

type Say = (words: OperatorTexts, value: string, formats: Formats, kind: string) => string;

const SAY: Partial<Record<ColumnName, Say>> = {
  expected: comparedIn,
  actual: comparedIn,
  claimed_status: ({ operator }, status) => find(operator.statuses, status) ?? status,
  reason: reasonIn,
  pay_method: ({ operator }, method) => find(operator.payMethods, method) ?? method,
  deliveries: deliveriesIn,
};

/**
 * @param name of the column that the value stands in
 * @param kind of the discrepancy, of what one compares
 */
export function inWords(
  words: OperatorTexts,
  formats: Formats,
  { name, value, kind = '' }: { name: ColumnName; value: string | number; kind?: string | undefined },
): string | number {
  return typeof value === 'number' ? value : (SAY[name]?.(words, value, formats, kind) ?? value);
}

/** A code keeps its name beside the words: the log, the metrics and docs/06-runbook.md have that. */
function reasonIn({ operator }: OperatorTexts, reason: string): string {
  const words = find(operator.reasons, reason) ?? find(operator.statuses, reason);
  return words === null ? reason : `${words} (${reason})`;
}

/** As `deliveriesText` makes it. */
function deliveriesIn({ operator }: OperatorTexts, text: string): string {
  return text.replace(
    /(?<=^|; )(handler|url): (waiting|delivered|given_up)/g,
    (_, target: 'handler' | 'url', state: 'waiting' | 'delivered' | 'given_up') =>
      `${operator.targets[target]}: ${operator.statuses[state]}`,
  );
}

/** Own entries only: `constructor` is one of every object. */
function find(words: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(words, name) ? (words[name] ?? null) : null;
}

/** Kinds that compare states. Of the others, a word that is the name of a state is the number of an order. */
const OF_STATES = ['status_went_back', 'paid_after_close'];

/**
 * @param text `expected` or `actual` of the row: money, words of ours, a state, or an id, which stays as it is
 * @param kind of the discrepancy
 */
function comparedIn({ operator }: OperatorTexts, text: string, formats: Formats, kind: string): string {
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

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** Of every word of `statuses`. */
export const TONES: Readonly<Record<keyof OperatorTexts['operator']['statuses'], Tone>> = {
  open: 'warn',
  awaiting_deposit: 'warn',
  paid: 'good',
  partially_cancelled: 'warn',
  cancelled: 'plain',
  failed: 'bad',
  closed: 'plain',
  ready: 'warn',
  recorded: 'good',
  unchanged: 'plain',
  test: 'plain',
  queued: 'warn',
  amount_mismatch: 'bad',
  currency_mismatch: 'bad',
  order_mismatch: 'bad',
  unknown_order: 'bad',
  unknown_payment: 'bad',
  duplicate_payment: 'bad',
  paid_after_close: 'bad',
  status_went_back: 'bad',
  foreign_billing_key: 'bad',
  needs_review: 'bad',
  pending: 'warn',
  unknown: 'warn',
  scheduled: 'plain',
  refused: 'bad',
  not_executed: 'plain',
  revoked: 'plain',
  refunded: 'good',
  issued: 'good',
  declined: 'bad',
  again: 'plain',
  onetime: 'plain',
  schedule: 'plain',
  accepted: 'plain',
  ignored: 'plain',
  settled: 'good',
  active: 'good',
  removing: 'warn',
  removed: 'plain',
  waiting: 'warn',
  delivered: 'good',
  given_up: 'bad',
};

/** A word that is not in the list is plain. */
export function toneOf(word: string): Tone {
  return (TONES as Readonly<Record<string, Tone | undefined>>)[word] ?? 'plain';
}
