// What a row has in English is said in the reader's language: what a discrepancy compares, why something is as it is, how
// somebody paid, where an event went. An id stays as it is.

import { en } from '../../../src/merchant/locales/en';
import { ko } from '../../../src/merchant/locales/ko';
import { deliveriesText } from '../../../src/merchant/operator/event-list';
import { inWords, type ColumnName } from '../../../src/merchant/operator/foreign-words';
import { formatsIn } from '../../../src/merchant/operator/formats';
import {
  COMPARED_WORDS,
  comparedText,
  type ComparedWord,
} from '../../../src/merchant/payments/compared-words';

const inKorean = (text: string, kind = 'needs_review') =>
  inWords(ko, formatsIn('ko', new Date(0)), { name: 'expected', value: text, kind });
const inEnglish = (text: string, kind = 'needs_review') =>
  inWords(en, formatsIn('en', new Date(0)), { name: 'actual', value: text, kind });
const inBoth = (name: ColumnName, value: string) =>
  ([ko, en] as const).map((words) => inWords(words, formatsIn(words.lang, new Date(0)), { name, value }));

const DELIVERY = { attempts: 3, next_attempt_at: null, delivered_at: null };

test.each(Object.keys(COMPARED_WORDS) as ComparedWord[])('%s is Korean on a Korean page', (word) => {
  const shown = inKorean(comparedText(word, 1300, 200));
  expect(shown).toMatch(/[가-힣]/);
  expect(shown).not.toMatch(/[a-z#]/);
  expect(inEnglish(comparedText(word, 1300, 200))).not.toMatch(/[가-힣#]/);
});

test('a reason of ours has words beside its code, and what others wrote stays as it is', () => {
  expect(inBoth('reason', 'no_answer')).toEqual([
    '서비스가 답하지 않음 (no_answer)',
    'no answer of the service (no_answer)',
  ]);
  expect(inBoth('reason', 'amount_mismatch')).toEqual([
    '금액 불일치 (amount_mismatch)',
    'Amount differs (amount_mismatch)',
  ]);
  for (const name of ['reason', 'claimed_status', 'pay_method', 'deliveries'] as const)
    for (const foreign of ['한도 초과', 'constructor', '__proto__'])
      expect(inBoth(name, foreign)).toEqual([foreign, foreign]);
});

test('what a notification claims and how somebody paid have words, and an order of such a name has none', () => {
  expect(inBoth('claimed_status', 'paid')).toEqual(['결제됨', 'Paid']);
  expect(inBoth('pay_method', 'vbank')).toEqual(['가상계좌', 'Virtual account']);
  expect(inBoth('merchant_uid', 'card')).toEqual(['card', 'card']);
});

test('where an event went has words for each target, and the reason of a failure stays as it was', () => {
  const text = deliveriesText({
    deliveries: [
      { ...DELIVERY, target: 'handler', state: 'delivered', reason: null },
      { ...DELIVERY, target: 'url', state: 'given_up', reason: 'handler: delivered' },
    ],
  });
  expect(inBoth('deliveries', text)).toEqual([
    '상점의 함수: 보냄; 상점의 URL: 포기함 (handler: delivered)',
    'Function of the shop: Delivered; URL of the shop: Given up (handler: delivered)',
  ]);
});

test('amounts stand in their place, as people in the language write them', () => {
  expect(inKorean('cancelled 1300, history 200')).toBe('취소 금액 1,300, 취소 내역의 합 200');
  expect([inKorean('12000 KRW'), inEnglish('12000 KRW')]).toEqual(['12,000원', '₩12,000']);
});

test('a state is a word where states are compared, and an order that is called like one keeps its name', () => {
  expect([inKorean('paid', 'status_went_back'), inEnglish('closed', 'paid_after_close')]).toEqual([
    '결제됨',
    'Closed',
  ]);
  for (const id of ['paid', 'order-12', 'svc_1234567890']) expect(inKorean(id, 'order_mismatch')).toBe(id);
});
