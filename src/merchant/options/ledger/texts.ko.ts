// Korean texts of the ledger: its operator page, and the heads of its CSV.

import type { MovementJson } from './ledger-routes';

export const ko = {
  title: '거래 장부',
  intro:
    '결제, 가상계좌 입금, 환불을 실제로 처리된 날짜(한국 시간)별로 표시합니다. 부분 환불은 한 건씩 표시하며, 결제 서비스 콘솔에서 취소한 건도 포함합니다. 주문과 맞지 않는 결제는 불일치 목록에 있습니다.',
  from: '시작일',
  to: '종료일',
  show: '보기',
  csv: 'CSV 다운로드',
  sums: '일별 합계',
  day: '날짜',
  paid: '결제',
  refunded: '환불',
  net: '차액',
  movements: '내역',
  none: '이 기간에는 내역이 없습니다.',
  payment: '결제',
  refund: '환불',
  pages: '페이지',
  first: '처음',
  next: '다음',
  columns: {
    at: '일시(한국 시간)',
    kind: '구분',
    amount: '금액',
    currency: '통화',
    merchant_uid: '주문번호',
    svc_uid: '결제번호',
    refund_id: '환불번호',
    approval_number: '승인번호',
    card_company: '카드사',
    pg_provider: 'PG사',
    pg_tid: 'PG 거래번호',
    fee: '수수료',
    paid_out_on: '정산일',
  } satisfies Record<keyof MovementJson, string>,
};

export type LedgerTexts = typeof ko;
