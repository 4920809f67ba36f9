// Why something is as it is, in the words of the reader. The rows keep a code of ours, or what the payment service said.

import type { Locale } from '../locales/ko';

/** A code keeps its name beside the words: the log, the metrics and docs/runbook.md have that. */
export function reasonIn({ operator }: Pick<Locale, 'operator'>, reason: string): string {
  const words: Readonly<Record<string, string>> = { ...operator.statuses, ...operator.reasons };
  return words[reason] ? `${words[reason]} (${reason})` : reason;
}
