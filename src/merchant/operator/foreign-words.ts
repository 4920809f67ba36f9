// Words for what others may have written: the state that a notification claims, and why something is as it is, which is a
// code of ours or what the payment service said.

import type { Locale } from '../locales/ko';

type Words = Pick<Locale, 'operator'>;

/** A text that is the name of no state stays as it is. */
export const stateIn = ({ operator }: Words, state: string): string =>
  find(operator.statuses, state) ?? state;

/** A code keeps its name beside the words: the log, the metrics and docs/runbook.md have that. */
export function reasonIn({ operator }: Words, reason: string): string {
  const words = find(operator.reasons, reason) ?? find(operator.statuses, reason);
  return words === null ? reason : `${words} (${reason})`;
}

/** Own entries only: `constructor` is one of every object. */
function find(words: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(words, name) ? (words[name] ?? null) : null;
}
