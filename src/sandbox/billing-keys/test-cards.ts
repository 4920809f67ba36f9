// Card numbers that decide the outcome of issuance and payments. Any other well-formed number succeeds.

export const testCards = [
  { card_number: '4242-4242-4242-4242', outcome: 'success', label_ko: '성공', label_en: 'Success' },
  { card_number: '4000-0000-0000-0002', outcome: 'declined', label_ko: '카드사 거절', label_en: 'Declined' },
  {
    card_number: '4000-0000-0000-0010',
    outcome: 'wrong_password',
    label_ko: '비밀번호 앞 두 자리 불일치',
    label_en: 'Wrong password digits',
  },
  {
    card_number: '4000-0000-0000-0069',
    outcome: 'expired',
    label_ko: '유효기간 만료',
    label_en: 'Expired card',
  },
  {
    card_number: '4000-0000-0000-0077',
    outcome: 'slow',
    label_ko: '느린 응답 (3초)',
    label_en: 'Slow answer (3 s)',
  },
  {
    card_number: '4000-0000-0000-0085',
    outcome: 'lost_response',
    label_ko: '발급되지만 응답 유실',
    label_en: 'Issued, then the answer is lost',
  },
  {
    card_number: '4000-0000-0000-0341',
    outcome: 'later_payments_fail',
    label_ko: '발급되지만 이후 결제 실패',
    label_en: 'Issued, but later payments fail',
  },
] as const;

export type CardOutcome = (typeof testCards)[number]['outcome'];

export function outcomeOf(cardNumber: string): CardOutcome {
  return testCards.find((card) => card.card_number === cardNumber)?.outcome ?? 'success';
}

/** Returns the card company's message if it refuses the card, both for issuance and for payments; null if it accepts. */
export function refusalText(outcome: CardOutcome): string | null {
  switch (outcome) {
    case 'declined':
      return '카드사에서 거절되었습니다. (51: 한도초과)';
    case 'wrong_password':
      return '카드 비밀번호 앞 두 자리가 일치하지 않습니다. (55)';
    case 'expired':
      return '유효기간이 지난 카드입니다. (54)';
    case 'success':
    case 'slow':
    case 'lost_response':
    case 'later_payments_fail':
      return null;
  }
}

/** Returns why a payment with this card fails, null if it succeeds. `later_payments_fail` includes the first payment. */
export function paymentRefusalText(outcome: CardOutcome): string | null {
  return outcome === 'later_payments_fail'
    ? '카드사에서 거절되었습니다. (14: 사용정지 카드)'
    : refusalText(outcome);
}
