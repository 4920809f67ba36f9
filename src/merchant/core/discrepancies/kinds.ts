// Every kind of discrepancy and what it means for a person. A mismatch keeps a payment out of the database; the other
// kinds are stored beside a payment that is stored.

import { DiscrepancyKind, Prisma } from '../../../generated/prisma/client';

const MISMATCHES = {
  amount_mismatch: {
    means: 'paid another amount than that of its order: it is forged, or the order is wrong',
  },
  currency_mismatch: { means: 'paid in another currency than that of its order' },
  order_mismatch: { means: 'belongs to another order than the one that was reported' },
  unknown_order: { means: 'the order is not registered: register it with POST /api/orders' },
  unknown_payment: {
    means:
      'the payment service does not know the payment when asked, or in production shows no live channel for it',
  },
  unknown_billing_key: {
    means: 'a billing key was issued in the payment window, and no request of ours asked for it',
  },
} as const satisfies Partial<Record<DiscrepancyKind, { means: string }>>;

export type MismatchKind = keyof typeof MISMATCHES;

export const DISCREPANCY_KINDS = {
  ...MISMATCHES,
  duplicate_payment: { means: 'a second payment holds money for an order that is already paid' },
  paid_after_close: { means: 'money arrived for an order that had been cancelled or closed' },
  status_went_back: {
    means: 'the payment service showed an earlier state, and showed it again some seconds later',
  },
  foreign_billing_key: { means: 'paid with the billing key of another member' },
  dispute_opened: {
    means:
      'the payer disputes the payment, by a notification or as a person has entered: answer it before its deadline',
  },
  needs_review: { means: 'the record contradicts itself, is incomplete, or cannot be read or stored' },
} as const satisfies Record<DiscrepancyKind, { means: string }>;

/** A fact that does not fit. `expected` and `actual` are the merchant's value and the service's; null if there is none. */
export type Discrepancy = { kind: DiscrepancyKind; expected: string | null; actual: string | null };

/** No money is shown for the reported order, and others can cause any number of such discrepancies. */
const WITHOUT_MONEY = new Set<DiscrepancyKind>(['order_mismatch', 'unknown_payment', 'unknown_billing_key']);

/** Whether money may have been paid that does not fit. */
export const isAboutMoney = (kind: DiscrepancyKind): boolean => !WITHOUT_MONEY.has(kind);

/**
 * Condition on a discrepancy `d`: it is open, and a payment that matches resolves it. The order or the payment was not
 * known, or could not be verified.
 */
export const isOpenUntilMatch = Prisma.raw(
  `d.kind in ('unknown_order', 'unknown_payment', 'needs_review') and d.resolved_at is null`,
);

export const discrepancyKinds = Object.values(DiscrepancyKind);

/**
 * The texts of `expected` and `actual`, apart from ids, states and amounts such as `12000 KRW`. `#` stands for a
 * number. The operator pages have each text in both languages.
 */
export const COMPARED_WORDS = {
  live_payment: 'a live payment',
  test_payment: 'a payment of a test channel',
  no_channel: 'a payment that shows no channel',
  paying_key: 'the billing key that paid',
  own_key: 'a key of the order’s member',
  foreign_key: 'a key of another member',
  requested_key: 'a billing key that we asked for',
  new_key: 'a billing key that is not stored yet',
  key_of_payment: 'the billing key of the request for this payment',
  key_in_time: 'a billing key that was issued before its request expired',
  room_for_key: 'a member with fewer than # cards',
  one_payment: 'one payment',
  known_status: 'a status of §2.4',
  other_status: 'another one',
  at_most: 'at most #',
  cancelled: 'cancelled #',
  cancelled_otherwise: 'cancelled #, history #',
  history_unreadable: 'history without an amount',
  readable: 'a record that can be read',
  unreadable: 'cannot be read',
  storable: 'values that the database can store',
} as const;

export type ComparedWord = keyof typeof COMPARED_WORDS;

/** The text as it is stored. */
export const comparedText = (word: ComparedWord, ...numbers: number[]): string =>
  fillIn(COMPARED_WORDS[word], numbers.map(String));

/** What a record shows, and the fields of it that cannot be read. */
export const unreadableText = (shown: string, fields: readonly string[]): string =>
  `${shown}; ${COMPARED_WORDS.unreadable}: ${fields.join(', ') || '-'}`;

/** Replaces each `#` with the next number. */
export const fillIn = (text: string, numbers: readonly string[]): string =>
  numbers.reduce((filled, number) => filled.replace('#', number), text);
