// The newer interface generation (§5.7, §9). Its payments are converted to the same records as legacy ones.

import { z } from 'zod';
import { isMerchantUid, isSvcUid } from './identifiers';
import { readPayment, toPaymentStatus, type PaymentRecord } from './records/payment-record';
import {
  amount,
  amountOrZero,
  check,
  checkRecord,
  identifier,
  type ServiceResponse,
} from './records/record-fields';
import { ServiceError } from './records/service-error';
import { call, orNull, type Connection } from './transport/client';

/** @param connection null if the newer generation is switched off */
export function newerGenerationOperations(connection: Connection | null) {
  return {
    /**
     * GET /v2/payments/{payment_id}. Like `findPayment`: returns null if there is no such payment, and the caller
     * verifies the record. If the generation is switched off, throws `unauthorized`: only a notification from before
     * can cause the call, and there are no credentials.
     */
    async findNewerPayment(paymentId: string): Promise<PaymentRecord | null> {
      const path = '/v2/payments/{payment_id}';
      if (connection === null)
        throw new ServiceError({ kind: 'unauthorized', method: 'GET', path, detail: 'switched off' });
      const response = await orNull(
        call(connection, { method: 'GET', path, ids: { payment_id: paymentId } }),
      );
      return response && readNewerPayment(response);
    },
  };
}

const transactionSchema = z.looseObject({
  id: z.string(),
  is_primary: z.boolean().nullish(),
  status: z.string(),
  amount: z.looseObject({ total: amount, cancelled: amountOrZero.optional() }),
  currency: z.unknown().optional(),
  failure: z.looseObject({ reason: z.unknown().optional() }).nullish().catch(null),
  channel: z.looseObject({ type: z.unknown().optional() }).nullish().catch(null),
});
const paymentSchema = z.object({
  payment: z.looseObject({
    id: identifier(isMerchantUid),
    transactions: z.array(z.looseObject({ is_primary: z.boolean().nullish() })),
  }),
});

/** Reads the primary transaction, with the same strict fields as a legacy record. */
export function readNewerPayment(response: ServiceResponse): PaymentRecord {
  const { invalidResponse } = response;
  const { payment } = check(paymentSchema, response);
  const primary = payment.transactions.filter((transaction) => transaction.is_primary === true);
  if (primary.length !== 1) throw invalidResponse('the payment has not exactly one primary transaction');
  const transaction = readTransaction(payment.id, { payload: primary[0], invalidResponse });
  const { id, amount, currency, failure, channel } = transaction;
  const status = toPaymentStatus(transaction.status);
  const isPartial = /^partial/i.test(transaction.status);
  if (isPartial && !amount.cancelled) throw invalidResponse('a partial cancellation without its amount');
  // Only the names of §2.4, so that both generations can be compared.
  const legacyShape = {
    svc_uid: id,
    merchant_uid: payment.id,
    status: status === 'unknown' ? transaction.status : status,
    amount: amount.total,
    cancel_amount: amount.cancelled ?? (status === 'cancelled' ? amount.total : 0),
    currency,
    fail_reason: failure?.reason ?? null,
    ...readChannel(channel?.type),
  };
  const otherSvcUids = payment.transactions
    .map((other) => other['id'])
    .filter(isSvcUid)
    .filter((other) => other !== id);
  return readPayment({ payload: legacyShape, invalidResponse }, otherSvcUids);
}

/** @throws UnreadableRecordError with the names of §2.4 */
function readTransaction(paymentId: string, response: ServiceResponse): z.output<typeof transactionSchema> {
  const { id, amount: amounts, ...rest } = response.payload as Record<string, unknown>;
  const { total } = (amounts ?? {}) as { total?: unknown };
  return checkRecord(transactionSchema, response, {
    ...rest,
    svc_uid: id,
    merchant_uid: paymentId,
    amount: total,
  });
}

/**
 * Only LIVE moves money (reported; §9 shows no channel). Without a type, or with another one, the channel is unknown.
 */
function readChannel(type: unknown): { sandbox?: boolean } {
  const word = typeof type === 'string' ? type.trim().toLowerCase() : '';
  return word === 'live' || word === 'test' ? { sandbox: word === 'test' } : {};
}
