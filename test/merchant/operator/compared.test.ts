// What a discrepancy compares, and why something is as it is, are said in the reader's language; an id stays as it is.

import { en } from '../../../src/merchant/locales/en';
import { ko } from '../../../src/merchant/locales/ko';
import { comparedIn } from '../../../src/merchant/operator/compared';
import { reasonIn, stateIn } from '../../../src/merchant/operator/foreign-words';
import { formatsIn } from '../../../src/merchant/operator/formats';
import {
  COMPARED_WORDS,
  comparedText,
  type ComparedWord,
} from '../../../src/merchant/payments/compared-words';

const inKorean = (text: string, kind = 'needs_review') =>
  comparedIn(ko, formatsIn('ko', new Date(0)), text, kind);
const inEnglish = (text: string, kind = 'needs_review') =>
  comparedIn(en, formatsIn('en', new Date(0)), text, kind);

test.each(Object.keys(COMPARED_WORDS) as ComparedWord[])('%s is Korean on a Korean page', (word) => {
  const shown = inKorean(comparedText(word, 1300, 200));
  expect(shown).toMatch(/[가-힣]/);
  expect(shown).not.toMatch(/[a-z#]/);
  expect(inEnglish(comparedText(word, 1300, 200))).not.toMatch(/[가-힣#]/);
});

test('a reason of ours has words beside its code, and what others wrote stays as it is', () => {
  expect(reasonIn(ko, 'no_answer')).toBe('서비스가 답하지 않음 (no_answer)');
  expect(reasonIn(en, 'amount_mismatch')).toBe('Amount differs (amount_mismatch)');
  for (const foreign of ['한도 초과', 'constructor', '__proto__'])
    expect([reasonIn(ko, foreign), stateIn(ko, foreign)]).toEqual([foreign, foreign]);
  expect(stateIn(ko, 'paid')).toBe('결제됨');
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
