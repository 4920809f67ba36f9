// What stands in a row in English, or as others wrote it, in the words of the reader: codes of ours, states, what a
// discrepancy compares, where an event went. A text that is none of these stays as it is.

import type { Locale } from '../../platform/locales/ko';
import { comparedIn } from './compared';
import type { Formats } from './formats';

/** What stands in a table or beside a moment of a history. */
export type ColumnName = keyof Locale['operator']['columns'];
type Words = Pick<Locale, 'operator'>;

type Say = (words: Words, value: string, formats: Formats, kind: string) => string;

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
  words: Words,
  formats: Formats,
  { name, value, kind = '' }: { name: ColumnName; value: string | number; kind?: string | undefined },
): string | number {
  return typeof value === 'number' ? value : (SAY[name]?.(words, value, formats, kind) ?? value);
}

/** A code keeps its name beside the words: the log, the metrics and docs/runbook.md have that. */
function reasonIn({ operator }: Words, reason: string): string {
  const words = find(operator.reasons, reason) ?? find(operator.statuses, reason);
  return words === null ? reason : `${words} (${reason})`;
}

/** As `deliveriesText` makes it. */
function deliveriesIn({ operator }: Words, text: string): string {
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
