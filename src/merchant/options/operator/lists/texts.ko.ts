// Korean texts of the lists and the search.

export const listsKo = {
  search: {
    label: '주문, 결제, 고객, 카드 검색',
    placeholder: '번호, 이름, 전화번호, 이메일, 금액 …',
    ask: '검색어를 입력하세요',
    what: '주문·결제·고객·빌링키의 번호 전체, 구매자 이름의 전부나 일부, 전화번호, 이메일, 승인번호, 금액, 카드 끝 네 자리로 검색할 수 있습니다. 이름의 일부, 금액, 카드 끝 네 자리는 최근 결제·주문·카드 10,000건 안에서 찾습니다.',
    card: '카드 번호 전체를 입력하지 마세요. 끝 네 자리만 있으면 됩니다.',
  },
  sorts: {
    newest: '최신순',
    oldest: '오래된순',
    largest: '금액 높은순',
    smallest: '금액 낮은순',
  },
  list: {
    count: '#건',
    one: '1건',
    rows: '건',
    overCount: '#건 초과',
    overHint: '조건을 좁히면 합계가 표시됩니다.',
    sortHint: '이 중 최근 #건을 금액순으로 정렬했습니다.',
    sum: '합계',
    refundedOfThese: '이 중 환불',
    times: {
      orders: '주문의 마지막 변경 시각 기준입니다. 합계는 결제 여부와 관계없는 주문 금액입니다.',
      payments:
        '결제 시각(한국 시간) 기준이며, 결제되지 않은 건은 기록된 시각 기준입니다. 합계는 원장과 같은 결제 금액입니다. ‘이 중 환불’에는 이후에 환불된 금액도 포함됩니다.',
      refunds:
        '여기에서 요청한 환불이며 요청 시각 기준입니다. 결제 서비스 콘솔에서 한 환불은 원장에 실제 환불 시각으로 표시됩니다.',
    },
    refundsOfThese:
      '환불 #건의 합계입니다. 기간은 환불된 시각(한국 시간) 기준이며, 아래는 그 환불이 있는 결제입니다.',
    none: '없음',
    csv: 'CSV 다운로드',
    all: '전체',
    flags: {
      true: '예',
      false: '아니요',
    },
    search: '검색',
    empty: '아직 내역이 없습니다',
    nothingFound: '검색 결과가 없습니다',
    nothingFoundHint: '조건을 바꾸거나 지우고 다시 검색하세요.',
    pages: '페이지',
    first: '처음',
    next: '다음',
  },
  empty: {
    payments:
      '웹훅을 받아 검증한 결제가 여기에 표시됩니다. 결제가 보이지 않으면 npm run doctor로 확인하세요.',
    orders: 'POST /api/orders로 등록한 주문이 여기에 표시됩니다.',
    notifications:
      '결제 서비스가 보낸 웹훅이 여기에 표시됩니다. 오지 않으면 서비스 콘솔의 웹훅 주소를 확인하세요.',
    discrepancies: '주문과 맞지 않는 결제가 여기에 표시됩니다. 지금은 처리할 일이 없습니다.',
    charges: 'POST /api/orders/{merchant_uid}/charge나 /api/schedules로 요청한 결제가 여기에 표시됩니다.',
    refunds: '환불 내역이 여기에 표시됩니다. 환불은 결제 페이지에서 합니다.',
    issuances: '회원이 /cards/new에서 카드를 등록하면 여기에 표시됩니다.',
    keys: '회원이 /cards/new에서 등록한 카드가 여기에 표시됩니다.',
    events: '주문이 결제되거나 취소되면 상점에 보낸 이벤트가 여기에 표시됩니다.',
    audit: '운영자의 로그인과 작업이 여기에 표시됩니다.',
  },
};
