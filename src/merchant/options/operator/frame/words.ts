// Translates codes in rows to the reader's language: our codes, states, the two sides of a discrepancy, event targets.
// Any other text is unchanged. Also maps states to colours, which only repeat what the word says.

import { COMPARED_WORDS, fillIn, type ComparedWord } from '../../../core/discrepancies/kinds';
import type { OperatorTexts } from '../texts';
import type { Formats } from './formats';

/** Columns of tables and facts of a history. */
export type ColumnName = keyof OperatorTexts['operator']['columns'];

type Say = (words: OperatorTexts, value: string, formats: Formats, kind: string) => string;

const SAY: Partial<Record<ColumnName, Say>> = {
  expected: comparedIn,
  actual: comparedIn,
  claimed_status: ({ operator }, status) => find(operator.statuses, status) ?? status,
  reason: reasonIn,
  card_name: (_, name, formats) => formats.issuer(name),
  paid_with: ({ operator }, name, formats) => find(operator.payMethods, name) ?? formats.issuer(name),
  // The CSV and the page of a payment have all of it.
  card_number: (_, number) => number.replace(/^.*?(\d{4})$/, '···· $1'),
  pay_method: ({ operator }, method) => find(operator.payMethods, method) ?? method,
  deliveries: deliveriesIn,
  detail: detailIn,
  action: ({ operator }, action) => find(operator.actions, action) ?? action,
  subject: ({ operator }, subject) =>
    find(operator.places, subject) ?? find(operator.subjects, subject) ?? subject,
};

/**
 * @param name of the value's column
 * @param kind of the discrepancy, for compared values
 */
export function inWords(
  words: OperatorTexts,
  formats: Formats,
  { name, value, kind = '' }: { name: ColumnName; value: string | number; kind?: string | undefined },
): string | number {
  return typeof value === 'number' ? value : (SAY[name]?.(words, value, formats, kind) ?? value);
}

/** A code is shown beside its text, because the log, the metrics and docs/06-runbook.md use the code. */
function reasonIn({ operator }: OperatorTexts, reason: string): string {
  const words = find(operator.reasons, reason) ?? find(operator.statuses, reason);
  return words === null ? reason : `${words} (${reason})`;
}

/** For texts made by `deliveriesText`. */
function deliveriesIn({ operator }: OperatorTexts, text: string): string {
  return text.replace(
    /(?<=^|; )([\w-]+): (waiting|delivered|given_up)/g,
    (_, target: string, state: 'waiting' | 'delivered' | 'given_up') =>
      `${find(operator.targets, target) ?? target}: ${operator.statuses[state]}`,
  );
}

/** For the facts of a row of the audit log, `name: value, …`. */
function detailIn({ operator }: OperatorTexts, text: string, formats: Formats): string {
  const column = (name: string) => find(operator.filters, name) ?? find(operator.columns, name) ?? name;
  const inWords: Partial<Record<string, (value: string) => string>> = {
    amount: (value) => (/^\d+$/.test(value) ? formats.number(Number(value)) : value),
    filters: (names) => names.split(' ').map(column).join(' · '),
    decision: (code) => find(operator.statuses, code) ?? code,
  };
  return text.replace(
    /(?<=^|, )([a-z_]+): ([^,]*)/g,
    (_, name: string, value: string) =>
      `${find(operator.details, name) ?? column(name)}: ${inWords[name]?.(value) ?? value}`,
  );
}

/** Own entries only: every object has a `constructor`. */
function find(words: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(words, name) ? (words[name] ?? null) : null;
}

/** Kinds that compare states. For other kinds, a word that looks like a state is an order id. */
const OF_STATES = ['status_went_back', 'paid_after_close'];

/**
 * @param text `expected` or `actual` of the row: an amount, our words, a state, or an id, which is unchanged
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
  const [, shown, fields] = UNREADABLE.exec(text) ?? [];
  if (shown && fields) return `${shown}; ${operator.compared.unreadable}: ${fields}`;
  const statuses: Readonly<Record<string, string>> = operator.statuses;
  return (OF_STATES.includes(kind) && statuses[text]) || text;
}

/** As `unreadableText` writes it; the fields have the document's names. */
const UNREADABLE = new RegExp(`^(.+); ${COMPARED_WORDS.unreadable}: (.+)$`);

function wordOf(text: string): ComparedWord | undefined {
  const words = Object.keys(COMPARED_WORDS) as ComparedWord[];
  return words.find((word) => COMPARED_WORDS[word].replace(/\d+/g, '#') === text);
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** For every word of `statuses`. */
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
  unknown_billing_key: 'bad',
  dispute_opened: 'bad',
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
  key_given: 'plain',
  key_deleted: 'plain',
  settled: 'good',
  automatic: 'good',
  unresolved: 'warn',
  active: 'good',
  removing: 'warn',
  removed: 'plain',
  waiting: 'warn',
  delivered: 'good',
  given_up: 'bad',
  done: 'good',
  signed_in: 'good',
  wrong_password: 'bad',
  role_missing: 'bad',
  refund_requested: 'warn',
  approved: 'good',
  rejected: 'plain',
};
