// Korean texts of the page to which the payment window returns. The English file must have the same keys to compile.

export const ko = {
  windowKey: {
    states: {
      checking: {
        title: '등록을 확인하고 있어요',
        text: '등록 결과를 아직 확인하지 못했어요. 다시 등록하지 말고 기다려 주세요.',
      },
      not_issued: {
        title: '등록하지 못했어요',
        text: '결제창이 닫혔거나 등록이 거절됐어요. 돌아가서 다시 등록해 주세요.',
      },
      left_to_person: {
        title: '저희가 등록을 확인하고 있어요',
        text: '결제창이 너무 오래 열려 있었거나, 다른 요청의 결제수단이거나, 등록된 카드가 너무 많아요. 다시 등록하지 마시고, 궁금한 점은 고객센터로 알려 주세요.',
      },
    },
    toCards: '내 카드 보기',
  },
};

export type WindowKeyTexts = typeof ko;
