// What the payment service shows against the decision of a person, in Korean. The English sentences are those of the API.

import type { ContradictionFacts, ContradictionTexts } from '../../core/attempts/contradiction';
import { wordsKo } from './word-texts.ko';

const money = (amount: number, currency: string | null) =>
  `${amount.toLocaleString('ko')}${currency === 'KRW' ? '원' : ` ${currency ?? '(통화 없음)'}`}`;
const statuses: Readonly<Record<string, string>> = wordsKo.statuses;
const holds = ({ svcUid, status, held, currency }: ContradictionFacts['payment_holds']) =>
  `결제 서비스에서 ${svcUid} 결제는 ‘${statuses[status] ?? status}’ 상태이고 ${money(held, currency)}이 남아 있어요.`;
const won = (amount: bigint) => amount.toLocaleString('ko');

export const contradictionsKo: ContradictionTexts = {
  payment_missing: ({ svcUid }) => `결제 서비스에 ${svcUid} 결제가 없어요.`,
  payment_status_unknown: ({ svcUid }) => `결제 서비스에서 ${svcUid} 결제는 우리가 모르는 상태예요.`,
  payment_holds: holds,
  payment_for_another: (facts) => `${holds(facts)} 이 주문의 결제로 세지 않으니 불일치를 봐 주세요.`,
  nothing_held: () => '결제 서비스에 이 청구로 돈이 남은 결제가 없어요.',
  schedule_waits: ({ merchantUid }) =>
    `결제 서비스에 주문 ${merchantUid}의 예약이 남아 있어요. 예약을 먼저 취소해 주세요.`,
  cancelled_amount: ({ svcUid, cancelled, cancelledBefore, amount }) =>
    `결제 서비스에서 ${svcUid} 결제의 취소 금액은 ${won(cancelled)}이에요. 이 환불 전에는 ${won(cancelledBefore)}이었고 환불은 ${won(amount)}이에요.`,
  key_missing: ({ customerUid }) => `결제 서비스에 카드 키 ${customerUid}이(가) 없어요.`,
  key_there: ({ customerUid, card }) =>
    `결제 서비스에 카드 키 ${customerUid}이(가) 있어요. 카드는 ${card ?? '번호가 없는 카드'}예요.`,
  key_of_before: ({ customerUid, card }) =>
    `결제 서비스의 카드 키 ${customerUid}은(는) 아직 전 카드(${card ?? '번호 없음'})의 것이에요.`,
};
