// Korean texts of the landing page and the demo shop. The English file must have the same keys to compile.

export const ko = {
  landing: {
    title: '상점 서버에 오신 걸 환영해요',
    lead: '카드를 빌링키로 등록하고, 그 키로 결제하고, 웹훅을 검증해 기록하는 서버예요. 아래에서 골라 보세요.',
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
          text: '결제와 웹훅, 확인이 필요한 건을 보고 처리해요. 비밀번호는 npm start가 출력해요.',
        },
      ],
      ['/docs', { title: 'API 설명', text: '상점의 시스템이 호출하는 모든 경로와 예시예요.' }],
    ] as [string, { title: string; text: string }][],
    console: {
      title: '샌드박스 콘솔',
      text: '결제 서비스가 되어 결제, 입금, 잘못된 웹훅, 시간의 흐름을 시뮬레이션해요.',
    },
    firstTitle: '터미널에서 첫 주문',
    firstText: 'npm start를 실행하면 마지막에 API_KEY가 채워진 이 호출이 출력돼요.',
    orders: '주문',
    lastEvent: '최근 이벤트',
    noEvent: '아직 없어요',
  },
  demo: {
    header: {
      name: '차담',
      shop: '상점',
      orders: '내 주문',
      cards: '내 카드',
      operator: '운영자',
      console: '콘솔',
    },
    clock: {
      ahead: '상점 시각 {date} ({distance} 앞)',
      behind: '상점 시각 {date} ({distance} 뒤)',
      reset: '되돌리기',
    },
    lead: '차 한 잔의 시간을 파는 작은 찻집이에요. 샌드박스라서 사도 돈은 움직이지 않아요.',
    products: {
      tea: {
        name: '우전 녹차 80g',
        short: '곡우 전에 딴 첫 잎',
        text: '곡우 전에 딴 여린 첫 잎만 가마솥에 덖었어요. 풋풋한 향이 나고 끝맛이 달아요.',
        facts: [
          ['산지', '경남 하동'],
          ['용량', '80g'],
          ['우리는 법', '70도, 2분'],
        ],
      },
      cup: {
        name: '백자 찻잔',
        short: '손에 꼭 맞는 하얀 잔',
        text: '얇게 빚어 차의 색이 비치는 백자 잔이에요. 잎 그림은 손으로 그렸어요.',
        facts: [
          ['재질', '백자'],
          ['용량', '120ml'],
          ['구성', '잔과 받침'],
        ],
      },
      teapot: {
        name: '옹기 다관',
        short: '숨 쉬는 흙으로 빚은 다관',
        text: '숨 쉬는 흙으로 빚어 차가 천천히 식어요. 쓸수록 차의 향이 배어요.',
        facts: [
          ['재질', '옹기'],
          ['용량', '350ml'],
          ['구성', '다관과 거름망'],
        ],
      },
    } as Record<
      'tea' | 'cup' | 'teapot',
      { name: string; short: string; text: string; facts: [string, string][] }
    >,
    orders: {
      title: '내 주문',
      plans: '구독',
      goods: '주문',
      empty: '아직 주문이 없어요',
      emptyHint: '상점에서 마음에 드는 것을 골라 보세요.',
    },
    toShop: '상점으로',
    payWith: '결제 방법',
    inWindow: '결제창에서 결제',
    inWindowHint:
      '카드 정보를 이 상점이 아니라 결제 서비스의 창에 입력해요. 웹훅이 오기 전에 돌아올 수 있어요.',
    unknownCard: '카드',
    noCards: '지금 결제할 수 있는 카드가 없어요.',
    addCard: '카드 등록하기',
    pay: '{amount} 결제하기',
    window: {
      title: '결제창에서 결제하기',
      text: '카드 정보는 결제 서비스의 결제창에만 입력해요. 이 상점은 카드 번호를 보지 않아요.',
      item: '상품',
      open: '결제창 열기',
      codeTitle: '이 페이지의 코드',
      codeText:
        '상점의 페이지에서도 이렇게 결제창을 열어요. 실제 서비스를 쓸 때는 스크립트 주소, 객체 이름, 가맹점 식별코드만 바꾸면 돼요.',
    },
    keyWindow: {
      title: '카카오페이 등록하기',
      text: '결제수단은 결제 서비스의 결제창에서 등록하고, 지금은 아무것도 결제되지 않아요. 이 상점은 카드 번호를 보지 않아요.',
      open: '결제창 열기',
    },
    order: {
      title: '주문',
      number: '주문번호',
      amount: '금액',
      status: '상태',
      statuses: {
        open: '결제 대기',
        awaiting_deposit: '입금 대기',
        paid: '결제 완료',
        partially_cancelled: '부분 취소',
        cancelled: '취소됨',
        failed: '결제 실패',
        closed: '종료',
      },
      again: '다시 결제하기',
      charging:
        '결제됐는지 아직 확인하지 못했어요. 카드에서 돈이 나갔을 수도 있어요. 저희가 확인하고 있으니 다시 결제하지 마세요.',
      notSent:
        '이 주문을 결제 서비스에 확인하지 못해서 이번에는 카드로 결제를 요청하지 않았어요. 잠시 뒤 같은 주문으로 다시 결제해 주세요.',
      openConsole: '콘솔에서 이 결제 보기',
    },
    notKnown: {
      title: '결제됐는지 아직 몰라요',
      text: '저희 쪽 오류로 결제 결과를 확인하지 못했어요. 카드에서 돈이 나갔을 수도 있으니 다시 결제하지 말고, 잠시 뒤 주문에서 결과를 확인해 주세요.',
      order: '주문 확인하기',
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
      short: '달마다 한 가지 차를 보내 드려요',
      text: '그달에 가장 맛있는 차 한 가지를 골라 상자에 담아 보내 드려요.',
      lead: '한 달에 한 번, 등록한 카드로 결제돼요. 첫 결제는 지금 해요.',
      wallet: '카카오페이로 정기결제',
      registered: '등록했어요. 이제 구독을 시작할 수 있어요.',
      each: '한 달에 {amount}',
      start: '구독 시작하기',
      status: '구독 상태',
      statuses: {
        active: '이용 중',
        past_due: '결제 실패, 다시 시도 예정',
        paused: '일시 정지',
        cancelled: '해지됨',
        ended: '종료',
      },
      count: '결제 횟수',
      paidTimes: '{count}회 완료',
      nextCycle: '{date} ({cycle}회차)',
      next: '다음 결제',
      retry: '다시 결제하는 때',
      nothingNext: '없음',
      now: '상점 시각',
      failures: '이번 회차 결제 실패',
      failedTimes: '{count}번',
      card: '결제할 카드',
      cardGone: '삭제됨',
      cardGoneTitle: '결제할 카드가 없어요',
      cardGoneText:
        '이 구독에 쓰던 카드를 삭제했어요. 이대로 두면 다음 결제 때 구독이 끝나요. 계속 이용하려면 이 구독을 해지하고 다른 카드로 다시 시작해 주세요.',
      startAgain: '다른 카드로 시작하기',
      paying: '{cycle}회차 결제일이에요. 결과를 기다리고 있어요…',
      paidNow: '{cycle}회차 {amount} 결제가 완료됐어요.',
      failedNow: '{cycle}회차 결제가 실패했어요.',
      payments: '결제 내역',
      noPayments: '아직 결제한 회차가 없어요.',
      cycleOf: '{cycle}회차',
      travel: '다음 결제 시각으로 가기',
      travelHint: '상점과 샌드박스의 시계를 함께 앞으로 옮겨요. 맨 위의 ‘되돌리기’로 지금 시각으로 돌아와요.',
      travelFailed:
        '샌드박스에서 확인을 받지 못해 시계가 옮겨졌는지 알 수 없어요. 상점 시각을 확인하고 다시 해 주세요.',
      failing:
        '결제 실패를 보려면 “이후 결제 실패” 카드로 시작하세요. 내 카드에서 다른 카드로 교체하면 다음 시도에 성공해요.',
      cancel: '구독 해지',
      cancelQuestion: '해지하면 더는 결제되지 않아요. 이미 결제된 금액은 환불되지 않아요.',
      cancelConfirm: '해지하기',
      replace: '카드 교체하기',
    },
  },
  errors: {
    cannot_cancel_now: {
      title: '지금은 구독을 해지할 수 없어요',
      text: '이 구독의 결제가 아직 끝나지 않았거나 결제 서비스의 응답을 받지 못해서 구독을 해지하지 않았어요.',
      next: '잠시 뒤 다시 시도해 주세요.',
    },
    clock_not_moved: {
      title: '시계를 되돌렸는지 알 수 없어요',
      text: '샌드박스에서 확인을 받지 못했어요.',
      next: '샌드박스가 켜져 있는지, 상점 시각이 언제인지 확인하고 다시 시도해 주세요.',
    },
  },
};
