// Korean texts of the operators' action queue: what needs a person, what it may mean and what to do; and of refunds.

export const actionQueueKo = {
  actionQueue: {
    names: {
      discrepancies: '불일치',
      charges: '빌링 결제',
      refunds: '환불',
      issuances: '카드 등록',
      'refund-requests': '승인을 기다리는 환불',
    },
    stuckNames: {
      charges: '결과 미확인 빌링 결제',
      refunds: '결과 미확인 환불',
      issuances: '결과 미확인 카드 등록',
    },
    clear: '처리할 일이 없습니다',
    clearHint: '사람의 결정이 필요한 건이 생기면 여기에 표시됩니다.',
    all: '전체 보기',
    seen: '#회',
    means: '의미:',
    todo: '처리 방법:',
    decide: '처리하기',
    choose: '처리 결과',
    note: '사유',
    final: '처리자, 시각, 사유가 함께 기록되며 되돌릴 수 없습니다. 돈은 움직이지 않습니다.',
    write: '저장',
    whatHappened: '실제 결과',
    refundAsks:
      '이 결제의 남은 금액을 모두 환불하고 불일치를 처리합니다. 다음 화면에서 금액을 확인하기 전에는 환불되지 않습니다.',
    outcomes: {
      accepted: '그대로 인정',
      refunded: '이미 환불함',
      ignored: '문제 아님',
    },
    requests: {
      means: '한도(REFUND_LIMIT)를 넘거나 원화가 아닌 환불입니다. 승인하기 전에는 환불되지 않습니다.',
      todo: '사유와 금액을 확인하고 승인하거나 반려하세요.',
      own: '본인이 요청한 환불입니다. 다른 운영자의 승인을 기다리거나 요청을 취소하세요.',
      unknown:
        '계정 없이 요청했거나 로그인했으므로 다른 사람인지 확인할 수 없어 승인할 수 없습니다. 운영자 계정을 만들고 다시 요청하세요.',
      approve: '승인',
      asks: '환불 금액은 #입니다. 환불 요청은 한 번만 전송되며 되돌릴 수 없습니다.',
      submit: '# 승인하고 환불하기',
      reject: '반려',
      withdraw: '요청 취소',
    },
    notes: '메모',
    noteAdd: '메모 추가',
    noteText: '메모',
    noteHint: '이름과 시각이 함께 저장됩니다. 결정은 아닙니다.',
    noteWrite: '메모 저장',
    stuck: {
      pending: {
        means: '요청을 시작한 서버가 중단되었고, 30분이 지나도록 이어받은 작업이 없습니다.',
        todo: 'npm run doctor로 작업이 실행되고 있는지 확인하세요. 작업이 실행되면 자동으로 정리됩니다.',
      },
      unknown: {
        means:
          '결제 서비스의 응답을 받지 못했고, 30분 넘게 조회해도 결과를 알 수 없습니다. 서비스가 응답하지 않거나 응답으로 판단할 수 없는 상태입니다.',
        todo: 'npm run doctor로 서비스가 응답하는지 확인하세요. 계속 알 수 없으면 서비스 콘솔을 확인하고 사실대로 처리하세요.',
      },
      scheduled: {
        means: '예약 시각이 30분 넘게 지났지만 결제 서비스에 결과가 없습니다.',
        todo: '서비스 콘솔에서 예약을 확인하세요. 조회는 계속됩니다.',
      },
    },
    attempts: {
      charges: {
        means:
          '이 요청으로 생긴 결제가 주문과 맞지 않거나 예약이 없어졌습니다. 처리될 때까지 이 주문은 다시 결제할 수 없습니다.',
        todo: '결제에 남은 금액이 있으면 불일치에서 먼저 환불하고 ‘결제되지 않음’을 선택하세요.',
        outcomes: {
          paid: '결제 완료',
          not_executed: '결제되지 않음',
        },
      },
      refunds: {
        means: '취소된 금액이 예상과 다릅니다. 같은 시각에 결제 서비스 콘솔에서 취소했을 수 있습니다.',
        todo: '콘솔의 취소 내역과 이 환불을 비교하고 사실대로 선택하세요.',
        outcomes: {
          refunded: '환불됨',
          not_executed: '환불되지 않음',
        },
      },
      issuances: {
        means:
          '결제 서비스에 있는 카드가 전송한 카드와 다르거나, 발급되었다는 응답과 달리 빌링키가 조회되지 않습니다.',
        todo: '회원에게 카드 끝 네 자리를 확인하세요. 회원의 카드가 맞으면 ‘발급됨’을 선택하세요.',
        outcomes: {
          issued: '발급됨',
          not_issued: '발급되지 않음',
        },
      },
    },
  },
  several: {
    link: '여러 건 한 번에 처리',
    pick: '선택',
    hint: '건마다 처리자, 시각, 사유가 따로 기록됩니다. 한 건씩 처리할 때와 똑같이 검증하며, 거절된 건은 미처리로 남습니다.',
    selected: '선택한 건 처리',
    shown: '표시된 건 모두 처리',
    none: '이 종류의 미처리 불일치가 없습니다',
    result: '일부가 거절되어 미처리로 남았습니다',
    resolved: '처리됨',
    refused: '거절됨',
  },
  meanings: {
    amount_mismatch: {
      means:
        '결제 금액이 주문 금액과 다릅니다. 위조되었거나 주문 금액이 잘못 등록된 경우입니다. 결제는 저장하지 않았습니다.',
      todo: '두 금액을 비교하고 결제를 환불하세요. 결제 금액이 맞다면 새 주문을 등록하세요.',
    },
    currency_mismatch: {
      means: '결제 통화가 주문 통화와 다릅니다.',
      todo: '두 통화를 비교하고 결제를 환불하세요.',
    },
    order_mismatch: {
      means: '웹훅에 적힌 주문이 아닌 다른 주문의 결제입니다. 대부분 정상 웹훅을 재사용한 경우입니다.',
      todo: '‘문제 아님’을 선택하세요. 어느 주문에도 맞지 않는 결제일 때만 환불하세요.',
    },
    unknown_order: {
      means: '이 결제의 주문이 등록되어 있지 않습니다.',
      todo: '등록이 늦어진 주문이라면 POST /api/orders로 등록하고 다시 조회하세요. 없는 주문이라면 환불하세요.',
    },
    unknown_payment: {
      means: '결제 서비스에 없는 결제입니다. 지어낸 번호이거나, 다른 계정 또는 테스트 채널의 결제입니다.',
      todo: '환불할 금액이 없습니다. ‘문제 아님’을 선택하세요.',
    },
    duplicate_payment: {
      means: '이미 결제된 주문의 두 번째 결제입니다.',
      todo: '이 결제를 환불하세요. 주문은 다른 결제로 결제 완료 상태를 유지합니다.',
    },
    paid_after_close: {
      means: '취소되거나 종료된 주문에 결제가 들어와 다시 결제 완료 상태가 되었습니다.',
      todo: '상품을 보내고 ‘그대로 인정’을 선택하거나 환불하세요.',
    },
    status_went_back: {
      means: '결제 서비스가 이전 상태를 두 번 응답했습니다. 저장된 결제와 주문도 이전 상태로 되돌렸습니다.',
      todo: '결제 서비스에 이유를 문의하고, 배송 여부를 확인한 뒤 ‘그대로 인정’을 선택하세요.',
    },
    foreign_billing_key: {
      means: '다른 회원의 카드로 결제되었습니다. 주문 결제로 인정되지 않습니다.',
      todo: '환불하세요. 두 회원이 모두 동의했다면 ‘그대로 인정’을 선택하세요.',
    },
    dispute_opened: {
      means: '구매자가 카드사에 이의를 제기했습니다(차지백). 결제와 주문은 그대로입니다.',
      todo: '기한 안에 결제 서비스 콘솔이나 공문에 적힌 방법으로 소명하세요. 결과가 나오면 ‘그대로 인정’이나 ‘이미 환불함’을 선택하세요.',
    },
    needs_review: {
      means: '결제 기록에 모순이 있거나 검증에 필요한 항목이 없습니다.',
      todo: '다시 조회하세요. 달라지지 않으면 여기에서 환불하거나, 콘솔에서 환불하고 ‘이미 환불함’을 선택하세요.',
    },
  },
  /** The two steps of a refund. */
  refund: {
    title: '환불',
    how: '환불 범위',
    all: '전액 환불: #',
    part: '부분 환불',
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
