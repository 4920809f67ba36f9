// The cards of the tests. The sandbox accepts every well-formed number; its test cards decide the outcome.

/** An accepted card, with the field names on the wire. Tests search for its values where card data must not appear. */
export const CARD = {
  card_number: '5409-1357-2468-9012',
  expiry: '2037-11',
  birth: '790523',
  pwd_2digit: '86',
} as const;

/** The same card as input of a use case. */
export const CARD_INPUT = {
  cardNumber: CARD.card_number,
  expiry: CARD.expiry,
  birth: CARD.birth,
  pwd2digit: CARD.pwd_2digit,
};

/** The same card as fields of the form, with both consents. */
export const CARD_FORM = { ...CARD, expiry: '11 / 2037', agree_terms: 'on', agree_privacy: 'on' } as const;

/** Issuance and payments are refused. */
export const DECLINED_CARD = '4000-0000-0000-0002';
/** The key is issued, or the payment made, but the answer is lost. */
export const CARD_WITH_LOST_ANSWER = '4000-0000-0000-0085';
/** The key is issued, but every payment with it fails. */
export const CARD_THAT_FAILS = '4000-0000-0000-0341';

/** The digits that a Korean keyboard in full-width mode writes. */
export const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
