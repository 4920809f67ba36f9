// What the payment service shows that contradicts a person's decision, and its message.

/** The facts of each kind. Amounts are in the units of their currency. */
export type ContradictionFacts = {
  payment_missing: { svcUid: string };
  payment_status_unknown: { svcUid: string };
  payment_holds: { svcUid: string; status: string; held: number; currency: string | null };
  payment_for_another: { svcUid: string; status: string; held: number; currency: string | null };
  nothing_held: object;
  schedule_waits: { merchantUid: string };
  cancelled_amount: { svcUid: string; cancelled: bigint; cancelledBefore: bigint; amount: bigint };
  key_missing: { customerUid: string };
  key_there: { customerUid: string; card: string | null };
  key_of_before: { customerUid: string; card: string | null };
};

/** What contradicts a decision. */
export type Contradiction = {
  [Kind in keyof ContradictionFacts]: { kind: Kind } & ContradictionFacts[Kind];
}[keyof ContradictionFacts];

/** A message for each kind. */
export type ContradictionTexts = {
  [Kind in keyof ContradictionFacts]: (facts: ContradictionFacts[Kind]) => string;
};

/** The message for this contradiction. */
export function contradictionText(texts: ContradictionTexts, contradiction: Contradiction): string {
  // The compiler cannot see that a kind and its facts belong together.
  return (texts[contradiction.kind] as (facts: Contradiction) => string)(contradiction);
}

const holds = ({ svcUid, status, held, currency }: ContradictionFacts['payment_holds']) =>
  `The payment service shows ${svcUid} as ${status}: it holds ${held} ${currency ?? 'without a currency'}.`;
const cardText = (card: string | null) => card ?? 'a card without a number';

/** In English, for the API. */
export const CONTRADICTION_MESSAGES: ContradictionTexts = {
  payment_missing: ({ svcUid }) => `The payment service knows no payment ${svcUid}.`,
  payment_status_unknown: ({ svcUid }) => `The payment service shows ${svcUid} with an unknown status.`,
  payment_holds: holds,
  payment_for_another: (facts) => `${holds(facts)} It does not pay for the order: see its discrepancy.`,
  nothing_held: () => 'The payment service shows no payment of this charge that holds money.',
  schedule_waits: ({ merchantUid }) =>
    `The payment service holds a schedule for the order ${merchantUid}: revoke it first.`,
  cancelled_amount: ({ svcUid, cancelled, cancelledBefore, amount }) =>
    `The payment service shows ${cancelled} of ${svcUid} as cancelled. Before this refund of ${amount} it was ${cancelledBefore}.`,
  key_missing: ({ customerUid }) => `The payment service holds no billing key ${customerUid}.`,
  key_there: ({ customerUid, card }) =>
    `The payment service holds a billing key ${customerUid}, for ${cardText(card)}.`,
  key_of_before: ({ customerUid, card }) =>
    `The payment service still has the billing key ${customerUid} of the previous card, ${cardText(card)}.`,
};
