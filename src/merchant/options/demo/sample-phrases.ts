// What `npm run seed`, the demo shop and the sandbox write into rows, in both languages: operators read their pages in their own.

import { en } from './texts.en';
import { ko } from './texts.ko';

const PRODUCTS = (['tea', 'cup', 'teapot'] as const).map((id) => ({
  ko: ko.demo.products[id].name,
  en: en.demo.products[id].name,
}));

export const SAMPLE_PHRASES = [
  ...PRODUCTS,
  { ko: ko.demo.plan.title, en: en.demo.plan.title },
  { ko: '차', en: 'Tea' },
  { ko: '녹차', en: 'Green tea' },
  { ko: '테스트 상품', en: 'Test item' },
  { ko: '이번 주의 차', en: 'Tea of the week' },
  { ko: '세작 녹차 50g', en: 'Second-flush green tea, 50 g' },
  { ko: '다과 세트', en: 'Tea sweets' },
  { ko: '단순 변심', en: 'Changed their mind' },
  { ko: '배송 지연', en: 'Late delivery' },
  { ko: '상품 파손', en: 'Damaged item' },
  { ko: '중복 주문', en: 'Ordered twice' },
  { ko: '김민수', en: 'Kim Minsu' },
  { ko: '이서연', en: 'Lee Seoyeon' },
  { ko: '박지훈', en: 'Park Jihun' },
  { ko: '최유진', en: 'Choi Yujin' },
  { ko: '정하늘', en: 'Jeong Haneul' },
  { ko: '강도윤', en: 'Kang Doyun' },
  {
    ko: '카드사에서 거절되었습니다. (51: 한도초과)',
    en: 'Declined by the card company. (51: over the limit)',
  },
  {
    ko: '카드사에서 거절되었습니다. (14: 사용정지 카드)',
    en: 'Declined by the card company. (14: blocked card)',
  },
  { ko: '카드 비밀번호 앞 두 자리가 일치하지 않습니다. (55)', en: 'The card password does not match. (55)' },
  { ko: '유효기간이 지난 카드입니다. (54)', en: 'The card has expired. (54)' },
];
