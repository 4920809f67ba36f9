// The stories in Korean: the incident, the steps and the expected results.

export const storiesKo = {
  title: '결제가 잘못되는 경우',
  description: '결제가 잘못되는 열두 가지 경우를 시뮬레이션하고, 상점이 어떻게 처리하는지 봐요.',
  lead: '단계를 하나씩 누르며 지켜보세요. 마지막에 기대한 결과와 실제 결과를 나란히 보여 줘요.',
  start: '시작하기',
  next: '다음 단계',
  rest: '끝까지 실행',
  again: '처음부터 다시',
  all: '이야기 목록',
  steps: '단계',
  end: '결과 비교',
  expected: '기대',
  came: '실제',
  what: '항목',
  verdict: '결과',
  good: '일치해요',
  bad: '달라요',
  allGood: '모두 기대한 대로예요.',
  notGood: '기대와 다른 것이 있어요. 상점의 로그와 콘솔의 웹훅을 확인해 주세요.',
  failed: '이야기를 계속할 수 없어요. 상점이 켜져 있는지 확인하고 처음부터 다시 해 주세요.',
  missing: '이 이야기에 필요한 옵션이 상점에 없어요:',
  gone: '진행 중인 이야기가 아니에요. 처음부터 다시 해 주세요.',
  unlinked:
    '상점의 API 키를 몰라서 여기서는 할 수 없어요. SANDBOX_MERCHANT_API_KEY와 SANDBOX_WEBHOOK_URL을 설정하거나, 터미널에서 이 명령을 쓰세요.',
  command: '터미널에서는',
  stories: {
    'lost-result': {
      title: '결과를 잃어버려요',
      incident: '카드로 결제하는 호출의 응답이 사라졌어요. 다시 호출하면 두 번 결제될 수 있어요.',
      steps: {
        fault: '서비스가 다음 카드 결제를 하고 나서 응답 없이 연결을 끊게 해요.',
        charge: '상점이 카드로 결제해요. 상점은 결과를 몰라서 202로 응답해요.',
        'find-out': '상점이 서비스를 조회해서 결과를 알아낼 때까지 기다려요.',
      },
      ends: {
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        calls: '서비스가 받은 카드 결제 호출의 수',
      },
    },
    duplicate: {
      title: '웹훅이 여러 번 와요',
      incident: '같은 웹훅이 다섯 번 더 왔어요. 결제나 발송이 두 번 되면 안 돼요.',
      steps: {
        register: '상점이 주문을 등록해요.',
        pay: '회원이 결제하고 서비스가 웹훅을 보내요.',
        again: '서비스가 같은 웹훅을 한꺼번에 다섯 번 더 보내요.',
      },
      ends: {
        answers: '상점의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        events: 'order.paid 이벤트의 수',
      },
    },
    'forged-amount': {
      title: '금액을 위조해요',
      incident:
        '구매자가 브라우저에서 19,000원을 100원으로 바꿔서 결제했어요. 웹훅에는 결제됐다고만 적혀 있어요.',
      steps: {
        register: '상점이 19,000원짜리 주문을 등록해요.',
        'pay-less': '같은 주문번호로 100원만 결제되고, 서비스가 웹훅을 보내요.',
      },
      ends: {
        answers: '상점의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        discrepancy: '운영자에게 남은 불일치',
      },
    },
    'out-of-order': {
      title: '순서가 뒤바뀌어요',
      incident: '입금 웹훅이 가상계좌 발급 웹훅보다 먼저 왔어요.',
      steps: {
        register: '상점이 주문을 등록해요.',
        account: '가상계좌가 발급됐지만 웹훅이 늦어요.',
        deposit: '입금되고, 입금 웹훅이 먼저 와요.',
        late: '발급 웹훅이 이제야 와요.',
      },
      ends: {
        answers: '상점의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
      },
    },
    overtaken: {
      title: '오래된 응답이 늦게 와요',
      incident:
        '한 결제의 웹훅 두 개를 동시에 확인해요. 먼저 조회한 응답이 더 오래된 내용인데 나중에 도착해요.',
      steps: {
        register: '상점이 주문을 등록해요.',
        account: '가상계좌가 발급됐지만 웹훅이 늦어요.',
        slow: '발급 웹훅이 오고 서비스가 조회에 천천히 응답해요. 그사이에 입금되고 입금 웹훅이 와요.',
      },
      ends: {
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        notifications: '전송된 웹훅의 수',
      },
    },
    'early-notification': {
      title: '웹훅이 주문보다 먼저 와요',
      incident: '상점이 주문을 등록하기 전에 회원이 결제했어요.',
      steps: {
        pay: '회원이 결제하고 서비스가 웹훅을 보내요. 상점은 아직 주문을 몰라요.',
        register: '상점이 주문을 등록해요.',
        wait: '상점이 결제를 다시 확인할 때까지 기다려요.',
      },
      ends: {
        answers: '상점의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
      },
    },
    outage: {
      title: '서비스에 장애가 나요',
      incident: '웹훅이 왔는데 서비스를 조회할 수 없어요. 서비스는 웹훅을 다시 보내지 않아요.',
      steps: {
        register: '상점이 주문을 등록해요.',
        fault: '서비스가 다음 조회 두 번에 503으로 응답하게 해요.',
        pay: '회원이 결제하고 서비스가 웹훅을 보내요.',
        wait: '상점이 결제를 다시 확인할 때까지 기다려요.',
      },
      ends: {
        answers: '상점의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
      },
    },
    'missed-notification': {
      title: '웹훅이 오지 않아요',
      incident: '회원은 결제했는데 웹훅이 사라졌어요. 상점이 모르면 발송하지 못해요.',
      steps: {
        register: '상점이 주문을 등록해요.',
        'pay-silently': '회원이 결제하지만 웹훅이 전송되지 않아요.',
        unknown: '상점에서 주문은 아직 결제 전이에요.',
        compare: '상점이 서비스의 목록과 비교해요. 몇 분마다 자동으로도 비교해요.',
      },
      ends: {
        before: '비교하기 전 주문의 상태',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        notifications: '전송된 웹훅의 수',
      },
    },
    'lost-registration': {
      title: '카드 등록의 응답이 사라져요',
      incident: '서비스는 카드를 등록했는데 응답이 사라졌어요. 회원이 카드를 다시 등록하게 하면 안 돼요.',
      steps: {
        fault: '서비스가 다음 카드를 등록하고 나서 응답 없이 연결을 끊게 해요.',
        card: '회원이 카드를 등록해요.',
        register: '상점이 주문을 등록해요.',
        charge: '상점이 서비스에서 빌링키를 찾아 주문을 결제해요.',
      },
      ends: {
        form: '양식의 응답',
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        calls: '서비스가 받은 카드 등록의 수',
      },
    },
    'closed-window': {
      title: '빌링키가 발급된 뒤 결제창을 닫아요',
      incident:
        '회원이 카카오페이를 등록하고, 상점으로 돌아오기 전에 결제창을 닫았어요. 웹훅도 사라졌어요. 회원이 다시 등록하게 하면 안 돼요.',
      steps: {
        request: '상점이 빌링키를 요청해요. 회원은 결제창에서 발급받아요.',
        close: '빌링키가 발급되자 회원이 결제창을 닫고, 웹훅은 전송되지 않아요.',
        unknown: '상점에는 아직 회원의 카드가 없어요.',
        compare: '상점이 서비스의 목록과 비교해요. 몇 분마다 자동으로도 비교해요.',
      },
      ends: {
        before: '비교하기 전 회원의 카드 수',
        cards: '회원의 카드 수',
        key: '결제창에서 발급된 빌링키와 같음',
        events: 'card.registered 이벤트의 수',
      },
    },
    'replaced-card': {
      title: '카드를 바꿔요',
      incident: '예약된 결제가 있는데 회원이 카드를 바꿨어요. 예약은 새 카드로 결제돼야 해요.',
      steps: {
        card: '회원이 카드를 등록해요.',
        plan: '상점이 10분 뒤 결제를 예약해요.',
        replace: '회원이 다른 카드로 바꿔요.',
        time: '10분이 지나고 예약이 실행돼요.',
      },
      ends: {
        order: '주문의 상태',
        payments: '주문에 남은 결제의 수',
        card: '결제된 카드',
        changed: '예약할 때와 다른 카드인지',
      },
    },
    'card-testing': {
      title: '훔친 카드를 시험해 봐요',
      incident:
        '어떤 프로그램이 훔친 카드 번호를 양식에 하나씩 넣어 보며 쓸 수 있는 카드를 찾아요. 이를 막지 않는 상점은 카드사가 계약을 해지해요.',
      steps: {
        try: '프로그램이 카드 등록 양식을 여덟 번 열고 매번 다른 카드를 보내요.',
        member: '다른 브라우저에서 회원이 카드를 등록해요.',
      },
      ends: {
        answers: '프로그램이 받은 응답',
        calls: '서비스까지 간 카드의 수',
        member: '회원이 받은 응답',
      },
    },
  },
};
