// The part of the payment service that notifications need: a token, and a paid record (§2.4) of 1,000 won for every `svc_<n>` of
// `order-<n>`. It is cheap, and the same for every program.

import { listen } from './program';

const SECONDS = 1_795_309_431;
const TOKEN = JSON.stringify({
  code: 0,
  message: null,
  response: { access_token: 'a'.repeat(40), now: SECONDS, expired_at: SECONDS + 1_800 },
});
const RECORD = {
  svc_uid: 'svc_%',
  merchant_uid: 'order-%',
  pay_method: 'card',
  channel: 'pc',
  pg_provider: 'nice',
  emb_pg_provider: null,
  pg_tid: 'sandbox_mid_1343227130',
  pg_id: 'sandbox_mid',
  escrow: false,
  apply_num: '23128046',
  bank_code: null,
  bank_name: null,
  card_code: '367',
  card_name: '현대카드',
  card_quota: 0,
  card_number: '4242-42**-****-4242',
  card_type: '0',
  vbank_code: null,
  vbank_name: null,
  vbank_num: null,
  vbank_holder: null,
  vbank_date: 0,
  vbank_issued_at: 0,
  customer_uid: null,
  customer_uid_usage: null,
  name: '테스트 상품',
  amount: 1_000,
  cancel_amount: 0,
  currency: 'KRW',
  buyer_name: '홍길동',
  buyer_email: 'buyer@example.com',
  buyer_tel: '010-0000-0000',
  buyer_addr: '서울특별시 중구 세종대로 110',
  buyer_postcode: '04524',
  custom_data: null,
  user_agent: 'Mozilla/5.0 (sandbox checkout)',
  status: 'paid',
  started_at: SECONDS,
  paid_at: SECONDS,
  failed_at: 0,
  cancelled_at: 0,
  fail_reason: null,
  cancel_reason: null,
  receipt_url: 'https://receipt.example/card/1',
  cancel_history: [],
  cancel_receipt_urls: [],
  cash_receipt_issued: false,
};
const [BEFORE = '', BETWEEN = '', AFTER = ''] = JSON.stringify({
  code: 0,
  message: null,
  response: RECORD,
}).split('%');
const HEADERS = { 'content-type': 'application/json' };

listen((request, response) => {
  request.resume();
  const { url = '' } = request;
  const number = /^\/payments\/svc_(\d+)/.exec(url)?.[1];
  const body = number === undefined ? tokenOrNothing(url) : `${BEFORE}${number}${BETWEEN}${number}${AFTER}`;
  response.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(body) }).end(body);
});

function tokenOrNothing(url: string): string {
  if (url === '/users/getToken') return TOKEN;
  // Other calls of the product, such as those of reconciliation, get an empty list.
  return '{"code":0,"message":null,"response":{"total":0,"previous":0,"next":0,"list":[]}}';
}
