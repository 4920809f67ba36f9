// Korean texts of the pages about operators' accounts.

import type { Role } from './session';

export const accountsKo = {
  accounts: {
    title: '운영자 계정',
    intro:
      '운영자마다 계정을 하나씩 만드세요. 결정, 메모, 환불이 그 이름으로 기록됩니다. 계정은 삭제하지 않고 사용 중지만 합니다.',
    none: '아직 계정이 없습니다. 지금은 OPERATOR_PASSWORD로 로그인합니다. 첫 계정은 ‘관리’ 권한이어야 하고, 계정을 만들면 OPERATOR_PASSWORD로는 더 이상 로그인할 수 없습니다.',
    made: '새 비밀번호',
    onlyNow:
      '비밀번호는 지금 한 번만 표시됩니다. 본인에게 안전하게 전달하세요. 처음 로그인하면 바꿔야 합니다.',
    changed: {
      role: '권한을 바꿨습니다. 이 운영자는 다시 로그인해야 합니다.',
      disable: '사용을 중지했습니다. 이 운영자는 즉시 로그아웃됩니다.',
      'end-sessions': '이 운영자를 모든 브라우저에서 로그아웃했습니다.',
    },
    add: '계정 추가',
    name: '이름',
    nameHint: '64자까지 쓸 수 있습니다. 기록에 남는 이름이므로 나중에 바꿀 수 없습니다.',
    role: '권한',
    roles: {
      view: '조회',
      decide: '결정과 메모',
      refund: '환불까지',
      admin: '관리',
    } satisfies Record<Role, string>,
    secondFactor: '2단계 인증',
    on: '켜짐',
    off: '꺼짐',
    sessions: '로그인된 브라우저',
    state: '상태',
    enabled: '사용 중',
    disabled: '사용 중지',
    change: '변경',
    changeRole: '권한 바꾸기',
    reset: '비밀번호 재설정',
    resetHint: '새 비밀번호를 만들고 2단계 인증을 해제합니다. 사용 중지한 계정은 다시 쓸 수 있게 됩니다.',
    problems: {
      wrong: '이름과 권한을 확인하세요. 이름은 한 줄, 64자까지입니다.',
      taken: '같은 이름이나 대소문자만 다른 이름의 계정이 있습니다. 다른 이름을 쓰세요.',
      not_admin: '첫 계정은 ‘관리’ 권한이어야 합니다.',
      not_found: '존재하지 않는 계정입니다. 목록에서 찾아보세요.',
      last_admin: '사용 중인 ‘관리’ 계정이 하나는 있어야 합니다. 다른 계정을 먼저 ‘관리’로 바꾸세요.',
      too_short: '비밀번호는 12자 이상이어야 합니다.',
      too_common: '너무 흔한 비밀번호입니다. 다른 비밀번호를 쓰세요.',
      has_name: '비밀번호에 이름을 쓸 수 없습니다.',
      not_new: '지금 비밀번호와 다른 비밀번호를 쓰세요.',
      wrong_password: '현재 비밀번호가 맞지 않습니다.',
      wrong_code: '코드가 맞지 않습니다. 휴대전화의 시각을 확인하고, 앱에 보이는 새 코드를 입력하세요.',
      too_many: '시도가 너무 많습니다. 몇 분 뒤에 다시 시도하세요.',
    },
    own: {
      title: '내 계정',
      byProxy: '프록시가 로그인을 처리합니다. 비밀번호와 2단계 인증은 그곳에서 바꾸세요.',
      noAccount:
        'OPERATOR_PASSWORD로 로그인했습니다. ‘운영자 계정’에서 계정을 만들면 이 비밀번호는 쓸 수 없게 됩니다.',
      password: '비밀번호 바꾸기',
      current: '지금 비밀번호',
      next: '새 비밀번호',
      nextHint: '12자 이상이어야 합니다. 긴 문장도 좋습니다.',
      change: '바꾸기',
      changed: '비밀번호를 바꿨습니다. 다른 브라우저에서는 로그아웃되었습니다.',
      mustChange: '임시 비밀번호로 로그인했습니다. 비밀번호를 바꿔야 다른 페이지를 볼 수 있습니다.',
      required: '2단계 인증을 설정해야 다른 페이지를 볼 수 있습니다.',
      isOn: '2단계 인증이 켜져 있습니다. 새 휴대전화로 바꾸려면 관리자에게 비밀번호 재설정을 요청하세요.',
      codesLeft: '남은 복구 코드:',
      setUp: '인증 앱에 이 비밀 키를 등록한 뒤, 앱에 보이는 6자리 코드를 입력하세요.',
      secret: '비밀 키',
      open: '이 기기의 인증 앱에서 열기',
      code: '코드',
      confirm: '2단계 인증 켜기',
      recovery: '복구 코드',
      recoveryHint:
        '지금 한 번만 표시됩니다. 휴대전화를 잃어버리면 앱의 코드 대신 쓸 수 있고, 하나씩 한 번만 쓸 수 있습니다. 안전한 곳에 보관하세요.',
    },
  },
};
