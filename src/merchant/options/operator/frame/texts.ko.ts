// Korean texts of every operator page: the navigation, what was done, and why something failed.

export const frameKo = {
  name: '운영',
  description: '결제 내역과 확인이 필요한 건을 보는 운영자 페이지입니다.',
  placesLabel: '운영 메뉴',
  /** Groups of the navigation. */
  placeGroups: { money: '거래', customers: '고객', records: '기록', settings: '관리' },
  signOut: '로그아웃',
  footer: '모든 시각은 한국 시간(KST)입니다.',
  places: {
    overview: '대시보드',
    actionQueue: '처리할 일',
    orders: '주문',
    payments: '결제',
    refunds: '환불',
    keys: '카드',
    charges: '빌링 결제·예약',
    issuances: '카드 등록',
    discrepancies: '불일치',
    notifications: '웹훅',
    events: '이벤트',
  },
  /** What one row is called, by its list. Options add theirs. */
  things: { order: '주문', payment: '결제', member: '고객' } as Record<
    'order' | 'payment' | 'member',
    string
  >,
  groups: { members: '고객', planned: '예정된 결제' },
  /** Labels of the figures of options, by their list. */
  figures: {} as Record<string, string>,
  done: {
    settled: '처리했습니다. 처리한 사람, 시각, 사유는 목록에서 볼 수 있습니다.',
    refunded: '환불했습니다.',
    refund_unknown:
      '아직 환불 결과를 알 수 없습니다. 결제 서비스에 계속 확인하고 있으니 다시 환불하지 마세요.',
    refund_requested: '환불을 요청했습니다. 다른 운영자가 승인하면 환불됩니다.',
    refund_rejected: '환불 요청을 반려했습니다. 돈은 움직이지 않았습니다.',
    recorded: '다시 조회해 저장된 내용을 갱신했습니다.',
    unchanged: '다시 조회했습니다. 변경할 내용이 없습니다.',
    queued: '지금은 결제를 검증할 수 없습니다. 저장된 결제와 주문은 그대로입니다.',
    mismatch: '다시 조회했습니다. 주문과 맞는 결제가 결제 서비스에 없어 불일치로 기록했습니다.',
    replayed: '이벤트를 다시 보내고 있습니다. 잠시 후 새로 고치면 결과가 표시됩니다.',
    dispute_entered: '이의 제기를 등록했습니다. 처리할 일에서 확인할 수 있습니다.',
    noted: '메모를 저장했습니다. 처리된 것으로 바뀌지는 않습니다.',
  },
  failed: {
    title: '요청을 처리하지 못했습니다',
    notFound: '찾을 수 없습니다',
    other: '요청이 실패했습니다. 돌아가서 다시 시도하고, 계속 실패하면 아래 번호로 로그를 검색하세요.',
    filter: '조건을 적용할 수 없습니다. 조건을 바꾸거나 지우고 다시 검색하세요.',
    nothing: '처리되지 않았고 돈도 움직이지 않았습니다.',
    typed: '입력한 내용:',
    toForm: '입력하던 곳으로 이동',
    serviceSays: '결제 서비스의 메시지:',
    field: '수정하거나 비워 두세요:',
    unknownField: '양식에 없는 값이 전송되었습니다. 페이지를 다시 여세요.',
    fields: {
      amount: '금액을 1000이나 1,000처럼 정수로 입력하세요.',
      amount_of_all:
        '금액을 정해 환불하려면 ‘부분 환불’을 선택하고, 남은 금액을 전부 환불하려면 금액을 비워 두세요.',
      tax_free: '면세 금액을 환불 금액 이하의 정수로 입력하세요.',
      how: '전부 환불할지 일부만 환불할지 선택하세요.',
      resolution: '처리 결과를 선택하세요.',
      member_id: '고객의 카드로 등록할 때만 고객 번호를 입력하세요.',
      outcome: '실제 결과를 선택하세요.',
      checksum: '페이지를 다시 여세요.',
      reason: '환불 사유를 한 줄, 256자 이내로 입력하세요.',
      note: '한 줄, 500자 이내로 입력하세요.',
      refund_account: '예금주, 은행, 계좌번호를 모두 입력하세요.',
      id: '1건 이상 100건 이하로 선택하세요.',
      after: '목록을 첫 페이지부터 다시 여세요.',
    },
    afterwards: {
      refund_needs_review: '환불이 실행되었을 수 있습니다. 먼저 환불 목록에서 확인하세요.',
      internal_error: '다시 시도하기 전에 목록에서 결과를 확인하세요.',
      database_unavailable: '다시 시도하기 전에 목록에서 결과를 확인하세요.',
      value_refused: '다시 시도하기 전에 목록에서 결과를 확인하세요.',
    },
    back: '돌아가기',
    codes: {
      invalid_request: '올바르지 않은 값이 있습니다. 수정한 뒤 다시 시도하세요.',
      not_found: '존재하지 않는 페이지입니다. 위 메뉴에서 찾아보세요.',
      order_not_found: '존재하지 않는 주문입니다. 주문 목록에서 찾아보세요.',
      payment_not_found: '존재하지 않는 결제입니다. 결제나 웹훅 목록에서 찾아보세요.',
      billing_key_in_use: '이 빌링키의 카드 등록이 아직 끝나지 않았습니다. 잠시 뒤 다시 시도하세요.',
      billing_key_not_removed: '결제 서비스에서 삭제를 확인하지 못했습니다. 잠시 뒤 다시 시도하세요.',
      billing_key_of_member: '이미 고객의 카드입니다. ‘문제 아님’을 선택하거나 고객의 카드를 삭제하세요.',
      discrepancy_without_key: '이 불일치에는 처리할 빌링키가 없습니다.',
      discrepancy_not_found: '존재하지 않는 불일치입니다. 불일치 목록에서 찾아보세요.',
      charge_not_found: '존재하지 않는 빌링 결제입니다. 빌링 결제·예약 목록에서 찾아보세요.',
      refund_not_found: '존재하지 않는 환불입니다. 환불 목록에서 찾아보세요.',
      issuance_not_found: '존재하지 않는 카드 등록입니다. 카드 등록 목록에서 찾아보세요.',
      event_not_found: '존재하지 않는 이벤트입니다. 이벤트 목록에서 찾아보세요.',
      already_settled:
        '다른 사람이 처리했거나 자동으로 처리된 건입니다. 처리한 사람, 시각, 사유는 목록에 있습니다.',
      attempt_pending: '결과를 확인하고 있습니다. 잠시 후 다시 확인하세요.',
      service_contradicts: '결제 서비스의 기록과 맞지 않습니다. 서비스 콘솔과 비교한 뒤 사실대로 처리하세요.',
      order_scheduled: '예약된 결제입니다. 먼저 예약을 취소하세요.',
      refund_refused: '결제 서비스가 환불을 거절했습니다. 사유와 결제를 확인하세요.',
      service_refused: '결제 서비스가 요청을 거절했습니다. 사유를 확인하세요. 같은 요청은 다시 거절됩니다.',
      service_not_found: '결제 서비스에 없는 ID입니다. ID를 확인하세요.',
      service_unauthorized: '결제 서비스가 인증 정보를 거절했습니다. npm run doctor로 확인하세요.',
      service_bad_answer:
        '결제 서비스의 응답을 해석할 수 없습니다. 잠시 후 다시 시도하세요. 자세한 내용은 로그에 있습니다.',
      service_unavailable:
        '결제 서비스에서 쓸 수 있는 응답을 받지 못했거나 잠시 멈추라는 응답을 받았습니다. 잠시 후 다시 시도하세요.',
      database_unavailable:
        '지금은 데이터베이스를 사용할 수 없습니다. 잠시 후 다시 시도하세요. 이유는 로그에 있습니다.',
      value_refused:
        '데이터베이스가 저장할 수 없는 값이 있어 다시 시도해도 결과가 같습니다. 다른 글자로 바꾸거나 아래 번호로 로그를 검색하세요.',
      internal_error: '서버 오류입니다. 아래 번호로 로그를 검색하세요.',
      nothing_to_cancel: '환불할 금액이 없습니다. 이미 환불되었는지 아래 기록을 확인하세요.',
      balance_differs: '페이지를 연 뒤 환불 가능 금액이 바뀌었습니다. 페이지를 다시 여세요.',
      amount_exceeds_balance: '환불 가능 금액보다 큽니다. 남은 금액 이하로 입력하세요.',
      refund_pending: '이 결제의 다른 환불 결과를 확인하고 있습니다. 잠시 후 다시 확인하세요.',
      refund_needs_review: '취소된 금액이 예상과 다릅니다. 이 결제의 환불을 확인해야 합니다.',
      discrepancy_not_refundable: '이 불일치에는 환불할 금액이 없습니다. 처리 결과만 기록하세요.',
      svc_uid_unusable:
        '결제 서비스가 보여 준 ID로는 요청할 수 없습니다. 결제 서비스의 콘솔에서 처리하고 여기에 결과를 기록하세요.',
      refund_amount_unknown:
        '결제 서비스가 보여 준 금액이 정수가 아니어서 환불 한도를 적용할 수 없습니다. 콘솔에서 환불하고 ‘이미 환불함’을 선택하세요.',
      payment_pays_order: '정상 주문의 결제입니다. 환불하려면 결제 페이지에서 진행하세요.',
      payment_not_judged: '지금은 결제를 검증할 수 없습니다. 잠시 후 다시 시도하세요.',
      role_missing: '현재 권한으로는 할 수 없습니다. 관리자에게 요청하세요.',
      refund_request_not_found: '존재하지 않는 환불 요청입니다. 처리할 일에서 찾아보세요.',
      refund_request_waiting:
        '이 결제에는 승인을 기다리는 환불 요청이 있습니다. 처리할 일에서 먼저 처리하세요.',
      refund_request_outdated:
        '요청한 뒤 환불 가능 금액이 바뀌어 환불하지 않았습니다. 요청을 반려하고 다시 요청하세요.',
      passwords_busy: '지금 비밀번호 확인 요청이 많습니다. 몇 초 뒤에 다시 시도하세요.',
      same_operator: '본인이 요청한 환불은 승인할 수 없습니다. 다른 운영자에게 승인을 요청하세요.',
      approver_not_independent:
        '최근 하루 안에 요청자와 승인자 가운데 한 사람이 다른 사람의 계정을 만들거나 바꾸었거나, 한 사람이 두 계정을 모두 바꾸었습니다. 두 사람으로 볼 수 없어 승인하지 않았으니 다른 운영자에게 요청하거나 하루 뒤에 다시 시도하세요.',
      approver_unknown:
        '계정 없이 요청했거나 로그인했으므로 다른 사람인지 확인할 수 없어 승인하지 않았습니다. 운영자 계정을 만들고 다시 요청하세요.',
      password_temporary: '위의 이름을 눌러 임시 비밀번호를 먼저 바꾸세요.',
      account_missing: '‘운영자 계정’에서 첫 계정을 만든 다음 그 계정으로 로그인하세요.',
      second_factor_missing: '위의 이름을 눌러 2단계 인증을 먼저 설정하세요.',
      operator_unknown:
        '프록시가 알려 준 이름의 사용 중인 계정이 없습니다. 프록시를 거쳐 접속하고, 관리자에게 계정을 요청하세요.',
      cross_site: '다른 사이트에서 온 요청이어서 거부했습니다. 이 페이지를 직접 열어 다시 시도하세요.',
      foreign_host: '이 주소로는 열 수 없습니다. PUBLIC_URL의 주소로 여세요.',
    },
  },
};
