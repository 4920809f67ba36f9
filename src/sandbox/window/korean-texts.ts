// Every sentence of the payment window in Korean. The English ones have the same keys, or the type check fails.

import type { WindowChoice } from './choose-outcome';
import type { WindowProblem } from './window-request';

type Choice = { title: (amount: string) => string; hint: (seconds: number) => string };

export type WindowTexts = typeof koreanTexts;

export const koreanTexts = {
  lang: 'ko',
  languageName: '한국어',
  title: '결제창 (샌드박스)',
  errorPrefix: '오류: ',
  banner: '샌드박스 결제창이에요. 실제 돈은 움직이지 않아요.',
  skip: '본문으로 건너뛰기',
  language: '언어',
  toPay: '결제할 금액',
  order: '상품',
  orderNumber: '주문번호',
  buyer: '구매자',
  payMethod: '결제수단',
  customerUid: '빌링키',
  returnsTo: '돌아갈 곳',
  choose: '결과 고르기',
  lead: '구매자가 되어 이 결제가 어떻게 끝날지 골라 주세요.',
  notifications: {
    none: '알림 주소가 없어서 상점에 알리지 않아요.',
    first: '상점이 알림에 답한 뒤에 돌아가요.',
    beside: '상점에 알리고, 답을 기다리지 않고 돌아가요.',
  },
  choices: {
    paid: { title: (amount) => `${amount} 결제하기`, hint: () => '승인된 뒤 상점으로 돌아가요.' },
    slow: {
      title: () => '느린 승인',
      hint: (seconds) => `${seconds}초 뒤에 승인돼요. 그사이 창을 닫아도 결제돼요.`,
    },
    virtual_account: {
      title: () => '가상계좌 발급',
      hint: () => '입금을 기다리는 상태로 돌아가요. 입금은 콘솔에서 해요.',
    },
    declined: { title: () => '카드사 거절', hint: () => '한도 초과로 실패하고 상점으로 돌아가요.' },
    closed: { title: () => '결제 그만두기', hint: () => '구매자가 창을 닫아요. 실패한 결제로 남아요.' },
  } satisfies Record<WindowChoice, Choice> as Record<WindowChoice, Choice>,
  footer: '카드 정보를 묻지 않아요. 실제 카드 번호는 어디에도 입력하지 마세요.',
  console: '샌드박스 콘솔',
  refused: '결제창을 열 수 없어요',
  refusedLead: '상점이 보낸 값을 고쳐 주세요.',
  example: '필수 값만 있는 주소의 예',
  failed: '결제를 만들지 못했어요',
  failedLead: '샌드박스가 알려 준 이유예요.',
  missing: '필수 값인데 없어요',
  malformed: '형식이 맞지 않아요',
  rules: {
    merchant_uid: '1~40자, 공백과 / \\ ? # 제외',
    amount: '0 이상의 정수',
    return_url: 'http 또는 https 주소, 사용자 이름 없이',
    currency: 'KRW, USD, EUR 가운데 하나',
    name: '40자까지',
    pay_method: '16자까지, 예: card',
    channel: 'pc 또는 mobile',
    customer_uid: '80자까지, 공백과 / \\ ? # 제외',
    pg_provider: '16자까지, 예: nice',
    emb_pg_provider: '16자까지, 예: kakaopay',
    escrow: 'true 또는 false',
    cash_receipt_issued: 'true 또는 false',
    buyer_name: '16자까지',
    buyer_email: '64자까지',
    buyer_tel: '16자까지',
    buyer_addr: '128자까지',
    buyer_postcode: '8자까지',
    custom_data: 'JSON 문자열, 65,535자까지',
    notice_url: 'http 또는 https 주소, 10개까지',
    noticeUrls: 'http 또는 https 주소, 10개까지',
    outcome: '이 창의 버튼 하나',
  } satisfies Record<WindowProblem['field'], string>,
};
