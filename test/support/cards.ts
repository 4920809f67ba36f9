// The cards that tests pay with. The sandbox accepts every well-formed number, and its test cards decide the outcome.

/** Accepted, with the names of the wire. Tests look for its values where no card data may be. */
export const CARD = {
  card_number: '5409-1357-2468-9012',
  expiry: '2037-11',
  birth: '790523',
  pwd_2digit: '86',
} as const;

/** The same card as a use case takes it. */
export const CARD_INPUT = {
  cardNumber: CARD.card_number,
  expiry: CARD.expiry,
  birth: CARD.birth,
  pwd2digit: CARD.pwd_2digit,
};

/** The same card as a member types it into the form, with both consents. */
export const CARD_FORM = { ...CARD, expiry: '11 / 2037', agree_terms: 'on', agree_privacy: 'on' } as const;

/** No key is issued for it, and no payment made. */
export const DECLINED_CARD = '4000-0000-0000-0002';
/** Its key is issued, or its payment made, and the answer is lost. */
export const CARD_WITH_LOST_ANSWER = '4000-0000-0000-0085';
/** Its key is issued, and every payment with it fails. */
export const CARD_THAT_FAILS = '4000-0000-0000-0341';

/** The digits that a Korean keyboard in full-width mode writes. */
export const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
