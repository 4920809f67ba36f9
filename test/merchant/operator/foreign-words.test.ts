// What a row has in English is said in the reader's language: what a discrepancy compares, why something is as it is, how
// somebody paid, where an event went. An id stays as it is.

import { en } from '../../../src/merchant/locales/en';
import { ko } from '../../../src/merchant/locales/ko';
import { inWords, type ColumnName } from '../../../src/merchant/operator/foreign-words';
import { formatsIn } from '../../../src/merchant/operator/formats';
import {
  COMPARED_WORDS,
  comparedText,
  type ComparedWord,
} from '../../../src/merchant/payments/compared-words';

/** In Korean and in English. */
const inBoth = (name: ColumnName, value: string, kind?: string) =>
  ([ko, en] as const).map((words) =>
    inWords(words, formatsIn(words.lang, new Date(0)), { name, value, kind }),
  );
const compared = (text: string, kind = 'needs_review') => inBoth('expected', text, kind);

test.each(Object.keys(COMPARED_WORDS) as ComparedWord[])('%s is Korean on a Korean page', (word) => {
  const [korean, english] = compared(comparedText(word, 1300, 200));
  expect(korean).toMatch(/[가-힣]/);
  expect(korean).not.toMatch(/[a-z#]/);
  expect(english).not.toMatch(/[가-힣#]/);
});

test('what is ours has words, and an id or what others wrote stays as it is', () => {
  expect(inBoth('reason', 'no_answer')).toEqual([
    '서비스가 답하지 않음 (no_answer)',
    'no answer of the service (no_answer)',
  ]);
  expect(inBoth('claimed_status', 'paid')).toEqual(['결제됨', 'Paid']);
  expect(inBoth('pay_method', 'vbank')).toEqual(['가상계좌', 'Virtual account']);
  expect(inBoth('merchant_uid', 'card')).toEqual(['card', 'card']);
  for (const name of ['reason', 'claimed_status', 'pay_method', 'deliveries'] as const)
    for (const foreign of ['한도 초과', 'constructor', '__proto__'])
      expect(inBoth(name, foreign)).toEqual([foreign, foreign]);
});
