// The colour that goes with a word for a state. It only repeats what the word says.

import type { OperatorTexts } from './texts.ko';

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
