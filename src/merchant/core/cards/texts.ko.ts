// Korean texts of the member's cards. The English texts must have the same keys to compile.

export const ko = {
  list: {
    title: '내 카드',
    empty: '아직 등록한 카드가 없어요.',
    emptyHint: '카드를 한 번 등록해 두면 결제할 때 바로 쓸 수 있어요.',
    add: '새 카드 등록',
    news: {
      registered: '카드를 등록했어요.',
      replaced: '새 카드로 교체했어요.',
      removed: '카드를 삭제했어요.',
    },
    closeNews: '안내 닫기',
    usedBy: '이 카드로 결제하는 정기결제:',
    withoutCard: '결제할 카드가 없어진 정기결제:',
    newsNext: '이제 결제할 때 이 카드를 고를 수 있어요.',
    unknownCard: '카드',
    state: {
      active: '사용 가능',
      pending: '확인 중',
      replacing: '교체 확인 중',
      needs_review: '고객센터 확인 필요',
      removing: '삭제 중',
    },
    pendingHint: '결과를 확인하고 있어요. 카드를 다시 보내지 마시고 잠시 뒤에 확인해 주세요.',
    reviewHint: '보내신 카드가 맞는지 확인하지 못했어요. 고객센터로 알려 주세요.',
    removingHint: '삭제를 마무리하고 있어요. 끝나면 이 목록에서 사라지니 따로 하실 일은 없어요.',
    twice: '같은 카드가 두 번 등록된 것 같아요. 하나는 삭제해도 돼요.',
    replace: '교체',
    remove: '삭제',
    keptTitle: '저장하는 것과 저장하지 않는 것',
    kept: '가려진 카드 번호와 카드사 이름, 동의한 약관의 버전과 시각을 저장해요. 등록이 거절되면 그 이유도 저장해요.',
    notKept: '카드 번호 전체, 유효기간, 생년월일, 비밀번호는 저장하지 않아요.',
  },
  removal: {
    question: '{card} 카드를 삭제할까요?',
    ends: '‘{name}’ 정기결제는 결제할 카드가 없어서 다음 결제일에 끝나요. 계속하려면 삭제하지 말고 교체해 주세요.',
    consequences: [
      '결제 서비스에 저장된 이 카드의 결제 정보를 삭제해요.',
      '이 카드로 예정된 결제를 모두 취소해요.',
      '이 카드로는 더 이상 결제할 수 없고, 되돌릴 수 없어요. 다시 쓰려면 새로 등록해야 해요.',
    ],
    confirm: '이 카드 삭제하기',
    failed: {
      expired: {
        title: '아무것도 삭제하지 않았어요.',
        text: '페이지가 열린 지 15분이 넘었어요. 삭제하려면 한 번 더 눌러 주세요.',
      },
      in_use: {
        title: '아직 삭제하지 않았어요.',
        text: '이 카드로 먼저 보낸 요청이 아직 끝나지 않았어요. 결과가 여기에 보이면 다시 삭제해 주세요.',
      },
      cannot_now: {
        title: '삭제하지 못했어요.',
        text: '결제 서비스에서 삭제를 확인하지 못해 카드가 목록에 그대로 있어요. 잠시 뒤 다시 삭제해 주세요.',
      },
    },
  },
  signedOut: {
    title: '로그인이 필요해요',
    text: '로그인이 끝났거나 쿠키가 꺼져 있어요. 아무것도 보내거나 바꾸지 않았으니 다시 열어 처음부터 해 주세요.',
    openAgain: '다시 열기',
  },
  errors: {
    forged_form: {
      title: '이 양식은 받을 수 없어요',
      text: '지금 로그인한 회원에게 만들어 드린 양식이 아니에요. 아무것도 바꾸지 않았어요.',
      next: '양식을 새로 열어 처음부터 입력해 주세요.',
    },
    card_of_another_member: {
      title: '다른 회원의 카드예요',
      text: '지금 로그인한 회원의 카드가 아니라서 열 수 없어요.',
      next: '내 카드에서 카드를 골라 주세요.',
    },
    no_such_card: {
      title: '카드를 찾을 수 없어요',
      text: '카드가 없거나, 이미 삭제됐거나, 지금은 쓸 수 없는 카드예요.',
      next: '내 카드에서 확인해 주세요.',
    },
  },
};

export type CardTexts = typeof ko;
