// What an operator has entered to refund a payment. It says whether all or a part is refunded, so that an empty field moves
// no money, and it has the balance that the operator saw.

import { z } from 'zod';
import { discrepancyRefundSchema, refundShape } from '../../core/refunds/refund-schema';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import { readAmount, readAmountOrZero } from './formats';

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

const discrepancyFormSchema = discrepancyRefundSchema.extend({ checksum: checksum.unwrap() });

export type RefundInput = z.output<typeof formSchema>;

/** @throws HttpError 400 `invalid_request` */
export function parseRefund(body: unknown): RefundInput {
  return parseRequest(formSchema, toFields(body));
}

/** All of a payment that fits no order. @throws HttpError 400 `invalid_request` */
export function parseDiscrepancyRefund(body: unknown, by: string) {
  return parseRequest(discrepancyFormSchema, { ...toFields(body), by });
}

const approvalSchema = strictBody({ refund_account });

/** The account of the buyer, which a request does not hold. @throws HttpError 400 `invalid_request` */
export function parseApproval(body: unknown): z.output<typeof approvalSchema> {
  return parseRequest(approvalSchema, toFields(body));
}

/** The non-empty fields: a form sends empty ones as well. */
export function formFields(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value]] : [],
    ),
  );
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
