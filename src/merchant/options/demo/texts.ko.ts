// Every sentence of the landing page and the demo shop in Korean. The English ones have the same keys, or the type check fails.

export const landingKo = {
  title: '상점 서버에 오신 걸 환영해요',
  lead: '카드를 빌링키로 등록하고, 그 키로 결제하고, 알림을 확인해 장부에 적는 서버예요. 아래에서 골라 보세요.',
  doors: [
    [
      '/demo',
      { title: '데모 상점', text: '등록한 카드나 결제창으로 사 보고, 상점이 무엇을 전달받는지 함께 봐요.' },
    ],
    [
      '/cards/new',
      { title: '카드 등록', text: '회원이 카드를 입력하는 양식이에요. 테스트 카드로 채울 수 있어요.' },
    ],
    ['/cards', { title: '내 카드', text: '등록한 카드를 보고, 교체하고, 삭제해요.' }],
    [
      '/operator',
      {
        title: '운영자 페이지',
        text: '결제, 알림, 맞지 않는 것을 보고 처리해요. 비밀번호는 npm start가 보여 줘요.',
      },
    ],
    ['/docs', { title: 'API 설명', text: '상점의 시스템이 부르는 모든 경로와 예시예요.' }],
  ] as [string, { title: string; text: string }][],
  console: {
    title: '샌드박스 콘솔',
    text: '결제 서비스의 자리에서 결제, 입금, 잘못된 알림, 시간을 만들어 봐요.',
  },
  firstTitle: '터미널에서 첫 주문',
  firstText: 'API_KEY는 npm start가 마지막에 보여 줘요.',
};

export const demoKo = {
  title: '데모 상점',
  lead: '실제 가게처럼 사 보세요. 샌드박스라서 돈은 움직이지 않아요.',
  products: { tea: '우전 녹차 80g', cup: '백자 찻잔', teapot: '옹기 다관' },
  buy: '사기',
  toShop: '상점으로',
  payWith: '결제 방법',
  inWindow: '결제창에서 결제',
  inWindowHint: '샌드박스의 결제창으로 갔다가 돌아와요. 알림보다 먼저 돌아올 수 있어요.',
  noCards: '등록한 카드가 없어요.',
  addCard: '카드 등록하기',
  pay: '{amount} 결제하기',
  window: {
    title: '결제창으로 가고 있어요',
    text: '바로 열리지 않으면 아래를 눌러 주세요.',
    open: '결제창 열기',
  },
  order: {
    title: '주문',
    number: '주문번호',
    amount: '금액',
    status: '상태',
    statuses: {
      open: '결제 기다림',
      awaiting_deposit: '입금 기다림',
      paid: '결제됨',
      partially_cancelled: '일부 취소됨',
      cancelled: '취소됨',
      failed: '결제 실패',
      closed: '닫힘',
    },
    again: '다시 결제하기',
    openConsole: '콘솔에서 이 결제 보기',
  },
  told: {
    title: '상점이 전달받은 것',
    lead: 'src/merchant/shop/on-order-event.ts가 받은 이벤트예요. 메일, 배송, 회계는 여기서 시작해요.',
    empty: '아직 없어요. 주문의 상태가 바뀌면 여기에 나타나요.',
    waiting: '전달하는 중',
    delivered: '전달됨',
    showJson: 'JSON 보기',
  },
  plan: {
    title: '이달의 차',
    lead: '한 달에 한 번, 등록한 카드로 결제돼요. 첫 결제는 지금 해요.',
    each: '한 달에 {amount}',
    start: '구독 시작하기',
    status: '구독 상태',
    statuses: {
      active: '이용 중',
      past_due: '결제 실패, 다시 시도 예정',
      cancelled: '해지됨',
      ended: '끝남',
    },
    cycle: '회차',
    next: '다음 결제',
    nothingNext: '없음',
    now: '상점의 지금',
    attempt: '다시 시도한 횟수',
    travel: '다음 결제 시각으로 가기',
    travelHint: '서비스와 상점의 시계를 함께 앞으로 돌려요. 되돌릴 수는 없어요.',
    travelFailed: '샌드박스가 답하지 않아 시계를 돌리지 못했어요. 잠시 뒤 다시 해 주세요.',
    failing:
      '결제 실패를 보려면 “이후 결제 실패” 카드로 시작하세요. 내 카드에서 다른 카드로 교체하면 다음 시도에 성공해요.',
    cancel: '구독 해지',
    cancelQuestion: '해지하면 더는 결제되지 않아요. 이미 낸 돈은 돌려받지 않아요.',
    cancelConfirm: '해지하기',
    replace: '카드 교체하기',
  },
};
