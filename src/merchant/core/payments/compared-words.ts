// What a discrepancy says in `expected` and `actual` beside ids, states and `12000 KRW`, once: a number stands where `#` is.
// The operator pages have each of them in both languages.

export const COMPARED_WORDS = {
  live_payment: 'a live payment',
  test_payment: 'a payment of a test channel',
  no_channel: 'a payment that shows no channel',
  paying_key: 'the billing key that paid',
  own_key: 'a key of the order’s member',
  foreign_key: 'a key of another member',
  one_payment: 'one payment',
  known_status: 'a status of §2.4',
  other_status: 'another one',
  at_most: 'at most #',
  cancelled: 'cancelled #',
  cancelled_otherwise: 'cancelled #, history #',
  history_unreadable: 'history without an amount',
} as const;

export type ComparedWord = keyof typeof COMPARED_WORDS;

/** As it is stored. */
export const comparedText = (word: ComparedWord, ...numbers: number[]): string =>
  fillIn(COMPARED_WORDS[word], numbers.map(String));

/** Puts the numbers in the place of each `#`, one after the other. */
export const fillIn = (text: string, numbers: readonly string[]): string =>
  numbers.reduce((filled, number) => filled.replace('#', number), text);
