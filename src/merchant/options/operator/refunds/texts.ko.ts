// Korean texts of the refund form and of refunds that wait for approval.

export const refundsKo = {
  /** The two steps of a refund. */
  refund: {
    title: '환불',
    how: '환불 범위',
    all: '전액 환불: #',
    rest: '남은 금액 전부 환불: #',
    part: '부분 환불',
    whole: '남은 금액 전부(표시된 값 #)',
    amount: '환불 금액',
    amountHint: '부분 환불일 때만 입력합니다. 최대 #.',
    taxFreeHint: '과세 상품과 면세 상품을 함께 판매한 경우에만 입력하세요. 비워 두면 결제 서비스가 나눕니다.',
    reasons: ['구매자 요청', '주문 취소', '품절', '상품 불량', '중복 결제'],
    next: '다음 화면에서 금액, 카드, 잔액을 확인합니다. 확인하기 전에는 환불되지 않습니다.',
    check: '다음',
    question: '# 환불을 진행하시겠습니까?',
    heldBefore: '현재 환불 가능 금액',
    heldAfter: '환불 후 남는 금액',
    once: '환불 요청은 한 번만 전송되며 되돌릴 수 없습니다.',
    submit: '# 환불하기',
    cancel: '환불하지 않기',
    request: {
      question: '# 환불을 요청하시겠습니까?',
      once: '다른 운영자의 승인이 필요한 환불입니다. 승인하기 전에는 환불되지 않습니다.',
      account: '환불받을 계좌는 승인하는 운영자가 입력합니다. 구매자에게 미리 확인하세요.',
      submit: '# 환불 요청하기',
      cancel: '요청하지 않기',
    },
  },
  account: {
    title: '환불받을 계좌',
    holder: '예금주',
    bank: '은행',
    choose: '은행 선택',
    account: '계좌번호',
    tel: '전화번호 (PG사가 요구하는 경우)',
  },
};
