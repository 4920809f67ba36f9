// Korean texts of the card links. The English file must have the same keys to compile.

export const ko = {
  cardLink: {
    pages: {
      register: { title: '카드 등록', go: '카드 등록하기' },
      cards: { title: '내 카드', go: '내 카드 보기' },
    },
    lead: '상점에서 보낸 페이지예요.',
    text: '계속하면 이 브라우저에서 상점 회원으로 한 시간 동안 로그인돼요. 이 주소는 한 번만 쓸 수 있어요.',
    stranger: '방금 상점에서 온 것이 아니라면 이 페이지를 닫아 주세요. 다른 사람의 계정이 열릴 수 있어요.',
    ended: {
      title: '더는 열 수 없는 페이지예요',
      text: '이 주소는 10분 안에 한 번만 쓸 수 있고, 로그인은 한 시간 동안 유지돼요. 이미 사용했거나, 시간이 지났거나, 주소가 온전하지 않아요.',
      next: '상점으로 돌아가서 페이지를 다시 열어 주세요.',
      signedIn: '이 브라우저에는 아직 로그인되어 있어요.',
      toCards: '내 카드로 가기',
    },
  },
};

export type CardLinkTexts = typeof ko;
