// What every page says in Korean. English has the same keys, or it does not compile.

export const ko = {
  lang: 'ko',
  languageName: '한국어',
  layout: {
    service: '결제수단',
    description: '카드를 한 번 등록해 두고 결제할 때 쓰는 페이지예요.',
    skip: '본문으로 건너뛰기',
    language: '언어',
    errorPrefix: '오류: ',
    sandbox: '샌드박스예요. 실제 카드가 등록되거나 돈이 나가지 않아요.',
    footer: '카드 정보는 결제 서비스에 전달할 뿐 여기에 저장하지 않아요.',
    terms: '이용약관',
    privacy: '개인정보 처리방침',
    cards: '내 카드',
  },
  refresh: {
    after: '이 페이지가 {seconds}초 뒤에 다시 확인해요.',
    stop: '자동으로 확인하지 않기',
    again: '지금 다시 확인하기',
  },
  /** Before the id of the request. */
  reference: '문의하실 때 알려 주실 번호:',
  backToForm: '카드 등록으로',
  backToCards: '내 카드로',
  backToShop: '하던 곳으로 돌아가기',
};
