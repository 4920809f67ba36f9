// What an operator has entered to refund a payment. It says whether all or a part is refunded, so that an empty field moves
// no money, and it has the balance that the operator saw.

import { z } from 'zod';
import { discrepancyRefundSchema, refundShape } from '../../../core/refunds/refund-schema';
import { parseRequest, strictBody } from '../../../platform/http/body-fields';
import { readAmount, readAmountOrZero } from '../frame/formats';
import { formFields } from '../frame/page';

const { amount, tax_free, checksum, reason, refund_account } = refundShape;

const formSchema = strictBody({
  how: z.enum(['all', 'part']),
  amount,
  tax_free,
  checksum: checksum.unwrap(),
  reason,
  refund_account,
}).refine((form) => (form.how === 'part') === (form.amount !== undefined), {
  path: ['amount'],
  message: 'is required for a part, and refused for all',
});

/** The balance that the operator saw; null for one that is no whole number. */
const discrepancyFormSchema = discrepancyRefundSchema.extend({ checksum: checksum.unwrap().nullable() });

/** `checksum` in the form of a payment whose balance is no whole number. */
export const NO_WHOLE_BALANCE = 'none';

export type RefundInput = z.output<typeof formSchema>;

/** @throws HttpError 400 `invalid_request` */
export function parseRefund(body: unknown): RefundInput {
  return parseRequest(formSchema, toFields(body));
}

/** All of a payment that fits no order. @throws HttpError 400 `invalid_request` */
export function parseDiscrepancyRefund(body: unknown, by: string) {
  const fields = { ...toFields(body), by };
  const isWhole = formFields(body)['checksum'] !== NO_WHOLE_BALANCE;
  return parseRequest(discrepancyFormSchema, isWhole ? fields : { ...fields, checksum: null });
}

const approvalSchema = strictBody({ refund_account });

/** The account of the buyer, which a request does not hold. @throws HttpError 400 `invalid_request` */
export function parseApproval(body: unknown): z.output<typeof approvalSchema> {
  return parseRequest(approvalSchema, toFields(body));
}

const ACCOUNT_FIELDS = ['holder', 'bank', 'account', 'tel'];

/** In a form, the fields of the refund account are not nested, and amounts are text. */
function toFields(body: unknown): Record<string, unknown> {
  const form = formFields(body);
  const entries = Object.entries(form);
  const account = entries.filter(([name]) => ACCOUNT_FIELDS.includes(name));
  const others = entries.filter(([name]) => !ACCOUNT_FIELDS.includes(name));
  return {
    ...Object.fromEntries(others),
    ...(account.length > 0 && { refund_account: Object.fromEntries(account) }),
    ...('checksum' in form && { checksum: readAmount(form['checksum'] ?? '') }),
    ...('amount' in form && { amount: readAmount(form['amount'] ?? '') }),
    ...('tax_free' in form && { tax_free: readAmountOrZero(form['tax_free'] ?? '') }),
  };
}

/** Banks to which a deposit is refunded, by the codes that Korean banks share. The document shows no list (§2.4). */
export const BANKS: readonly (readonly [code: string, name: { ko: string; en: string }])[] = [
  ['004', { ko: 'KB국민은행', en: 'KB Kookmin Bank' }],
  ['088', { ko: '신한은행', en: 'Shinhan Bank' }],
  ['020', { ko: '우리은행', en: 'Woori Bank' }],
  ['081', { ko: '하나은행', en: 'Hana Bank' }],
  ['011', { ko: 'NH농협은행', en: 'NH NongHyup Bank' }],
  ['003', { ko: 'IBK기업은행', en: 'Industrial Bank of Korea' }],
  ['090', { ko: '카카오뱅크', en: 'KakaoBank' }],
  ['092', { ko: '토스뱅크', en: 'Toss Bank' }],
  ['089', { ko: '케이뱅크', en: 'K bank' }],
  ['023', { ko: 'SC제일은행', en: 'Standard Chartered Bank Korea' }],
  ['027', { ko: '한국씨티은행', en: 'Citibank Korea' }],
  ['045', { ko: '새마을금고', en: 'MG Community Credit' }],
  ['071', { ko: '우체국', en: 'Korea Post' }],
  ['048', { ko: '신협', en: 'Shinhyup' }],
  ['007', { ko: '수협은행', en: 'Suhyup Bank' }],
  ['002', { ko: '산업은행', en: 'Korea Development Bank' }],
  ['031', { ko: 'iM뱅크', en: 'iM Bank' }],
  ['032', { ko: '부산은행', en: 'Busan Bank' }],
  ['039', { ko: '경남은행', en: 'Kyongnam Bank' }],
  ['034', { ko: '광주은행', en: 'Kwangju Bank' }],
  ['037', { ko: '전북은행', en: 'Jeonbuk Bank' }],
  ['035', { ko: '제주은행', en: 'Jeju Bank' }],
  ['012', { ko: '지역 농·축협', en: 'Local NongHyup' }],
  ['050', { ko: '저축은행', en: 'Savings banks' }],
  ['064', { ko: '산림조합', en: 'National Forestry Cooperative' }],
];
