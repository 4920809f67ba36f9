// The newer interface generation (§5.7, §9): its payments become the same records as the legacy ones.
import { z } from 'zod';
import { check, type BadAnswer } from './check';
import { orNull, type Call } from './call';
import { isMerchantUid, isSvcUid } from './identifiers';
import { amount, amountOrZero } from './record-fields';
import { readPayment, toPaymentStatus } from './read-payment';
import type { PaymentRecord } from './records';

export type NewerGenerationOperations = {
  /** GET /v2/payments/{payment_id}. Null where the service knows no such payment; what is answered is judged. */
  findNewerPayment(paymentId: string): Promise<PaymentRecord | null>;
};

export function createNewerGenerationOperations(call: Call): NewerGenerationOperations {
  return {
    async findNewerPayment(paymentId) {
      const answer = await orNull(
        call({ method: 'GET', path: '/v2/payments/{payment_id}', ids: { payment_id: paymentId } }),
      );
      if (!answer) return null;
      return readNewerPayment(answer.payload, answer.bad);
    },
  };
}

const transactionSchema = z.looseObject({
  id: z.string(),
  is_primary: z.boolean().nullish(),
  status: z.string(),
  amount: z.looseObject({ total: amount, cancelled: amountOrZero.optional() }),
});
const answerSchema = z.object({
  payment: z.looseObject({
    id: z.string().refine(isMerchantUid),
    transactions: z.array(z.looseObject({ is_primary: z.boolean().nullish() })),
  }),
});

/** The primary transaction counts; its fields are read as strictly as those of a legacy record. */
export function readNewerPayment(payload: unknown, bad: BadAnswer): PaymentRecord {
  const { payment } = check(answerSchema, payload, bad);
  const primary = payment.transactions.filter((transaction) => transaction.is_primary === true);
  if (primary.length !== 1) throw bad('the payment has not exactly one primary transaction');
  const transaction = check(transactionSchema, primary[0], bad);
  const { id, amount, status } = transaction;
  const legacyShape = {
    ...transaction,
    svc_uid: id,
    merchant_uid: payment.id,
    amount: amount.total,
    cancel_amount: amount.cancelled ?? (toPaymentStatus(status) === 'cancelled' ? amount.total : 0),
  };
  const otherSvcUids = payment.transactions
    .map((other) => other.id)
    .filter((other) => isSvcUid(other) && other !== id);
  return Object.assign(readPayment(legacyShape, bad, payment), { otherSvcUids });
}
