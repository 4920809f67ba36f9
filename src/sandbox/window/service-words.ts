// What the live service writes about a payment that was not made, in the language of the window. Clients look for the word in
// brackets.

export type ServiceWords = { declined: string; closed: string };

export const SERVICE_WORDS: Record<'ko' | 'en', ServiceWords> = {
  ko: {
    declined: '카드사에서 거절되었습니다. (51: 한도초과)',
    closed: '[결제포기] 사용자가 결제를 취소하셨습니다',
  },
  en: {
    declined: 'Declined by the card company. (51: over the limit)',
    closed: '[결제포기] You closed the payment window',
  },
};
