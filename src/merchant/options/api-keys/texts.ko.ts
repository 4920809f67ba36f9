// Korean texts of the operator page of API keys.

import type { Scope } from '../../platform/context';

export const ko = {
  title: 'API 키',
  intro:
    '시스템마다 키를 하나씩 만들고 필요한 권한만 주세요. 어떤 키로 요청했는지 요청 로그에 이름이 남습니다. 설정 API_KEY의 키는 이 목록에 없으며 모든 권한이 있습니다.',
  made: '새 키를 만들었습니다',
  onlyNow: '키는 지금 한 번만 표시됩니다. 이 화면을 떠나기 전에 복사하세요.',
  revoked: '폐기했습니다. 이제 이 키를 쓰는 요청은 거절됩니다.',
  make: '키 만들기',
  name: '이름',
  nameHint:
    '키를 쓰는 시스템의 이름입니다. 영문 소문자, 숫자, -를 40자까지 쓸 수 있고 첫 글자는 영문이어야 합니다.',
  scopes: '권한',
  limit: '환불 한도',
  limitHint: '결제 한 건에서 환불할 수 있는 금액(원)입니다. 비워 두면 한도가 없습니다.',
  limitNeeded: '환불 권한이 있는 키에는 한도가 필요합니다. 최대',
  noLimit: '없음',
  created: '생성 시각',
  lastUsed: '마지막 사용',
  never: '없음',
  state: '상태',
  valid: '이용 중',
  revokedState: '폐기됨',
  revoke: '폐기',
  revokeAsks: '이 키를 쓰는 시스템의 요청이 바로 거절됩니다. 되돌릴 수 없습니다.',
  none: '만든 키가 없습니다.',
  problems: {
    wrong: '이름과 환불 한도를 확인하고 권한을 하나 이상 선택하세요.',
    limit:
      'REFUND_LIMIT를 넘는 환불은 두 사람이 확인해야 하므로, 환불 권한이 있는 키에는 그 이하의 환불 한도를 정해야 합니다. 더 큰 한도가 필요하면 API_KEY로 POST /api/keys를 호출해 만드세요.',
    taken: '같은 이름의 키가 사용 중입니다. 다른 이름을 쓰거나 그 키를 먼저 폐기하세요.',
  },
  scopeNames: {
    read: '조회',
    orders: '주문 등록과 종료, 결제 확인, 이벤트 재전송',
    charge: '저장된 카드 결제, 예약, 정기결제',
    refund: '환불',
    members: '회원의 카드와 개인정보',
    keys: 'API 키 관리',
  } satisfies Record<Scope, string>,
};

export type KeyTexts = typeof ko;
