// What the live service writes about a payment that was not made, in the language of the window. Clients look for the word in
// brackets.

export type ServiceWords = { declined: string; closed: string };

/** Other refusals, which the service writes in Korean. */
const REFUSALS: Readonly<Record<string, string>> = {
  '카드사에서 거절되었습니다. (51: 한도초과)': 'Declined by the card company. (51: over the limit)',
  '카드사에서 거절되었습니다. (14: 사용정지 카드)': 'Declined by the card company. (14: blocked card)',
  '카드 비밀번호 앞 두 자리가 일치하지 않습니다. (55)': 'The card password does not match. (55)',
  '유효기간이 지난 카드입니다. (54)': 'The card has expired. (54)',
};

/** As the console shows it. */
export const refusalIn = (reason: string | null, lang: string): string | null =>
  reason !== null && lang === 'en' ? (REFUSALS[reason] ?? reason) : reason;

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
