// What the payment service shows against the decision of a person, in English: on the pages, and in the answers of the API.

import type { ContradictionTexts } from './contradictions-ko';

type Holds = Parameters<ContradictionTexts['payment_holds']>[0];

const holds = ({ svcUid, status, held, currency }: Holds) =>
  `The payment service shows ${svcUid} as ${status}: it holds ${held} ${currency ?? 'without a currency'}.`;
const cardText = (card: string | null) => card ?? 'a card without a number';

export const contradictionsEn: ContradictionTexts = {
  payment_missing: ({ svcUid }) => `The payment service knows no payment ${svcUid}.`,
  payment_status_unknown: ({ svcUid }) =>
    `The payment service shows ${svcUid} in a status that is not known.`,
  payment_holds: holds,
  payment_for_another: (facts) => `${holds(facts)} It does not pay for the order: see its discrepancy.`,
  nothing_held: () => 'The payment service shows no payment of this charge that holds money.',
  schedule_waits: ({ merchantUid }) =>
    `The payment service holds a schedule for the order ${merchantUid}: revoke it first.`,
  cancelled_amount: ({ svcUid, cancelled, cancelledBefore, amount }) =>
    `The payment service shows ${cancelled} of ${svcUid} as cancelled; before this refund it was ${cancelledBefore}, and the refund is of ${amount}.`,
  key_missing: ({ customerUid }) => `The payment service holds no billing key ${customerUid}.`,
  key_there: ({ customerUid, card }) =>
    `The payment service holds a billing key ${customerUid}, for ${cardText(card)}.`,
  key_of_before: ({ customerUid, card }) =>
    `The payment service still holds the billing key ${customerUid} of the card before, ${cardText(card)}.`,
};
