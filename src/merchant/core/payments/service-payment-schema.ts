// A payment as the service shows it now (§2.4), under the document's names: what we check of it is typed, everything
// else is passed on as it came, cleaned and with card numbers masked.

import { z } from 'zod';
import type { Page } from '../../payment-service/records/page';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import { toUnixSecondsOrZero } from '../../platform/http/query';
import { paymentExample } from './payment-schema';

const amount = z.int().min(0);
const time = z.int().min(0).meta({ description: 'UNIX seconds; 0 for never.' });

const servicePaymentSchema = z
  .looseObject({
    svc_uid: z.string(),
    merchant_uid: z.string(),
    status: z
      .enum(['ready', 'paid', 'cancelled', 'failed', 'unknown'])
      .meta({ description: '`unknown` stands for a status that the document does not name.' }),
    amount,
    cancel_amount: amount,
    currency: z.string().nullable(),
    card_number: z.string().nullable().meta({ description: 'Masked.' }),
    customer_uid: z.string().nullable(),
    started_at: time,
    paid_at: time,
    failed_at: time,
    cancelled_at: time,
  })
  .meta({
    id: 'ServicePayment',
    description: 'A payment record of the service (§2.4), unchecked against orders.',
  });

export const servicePaymentPageSchema = z
  .strictObject({
    total: z.int().min(0),
    previous: z.int().min(0).meta({ description: 'Page number; 0 for none.' }),
    next: z.int().min(0).meta({ description: 'Page number; 0 for none.' }),
    list: z.array(servicePaymentSchema),
    unreadable: z.array(z.string().nullable()).meta({
      description: 'Records of this page that lack what we rely on, by svc_uid where it can be read.',
    }),
  })
  .meta({ id: 'ServicePaymentPage' });

export function servicePaymentPageJson(page: Page<PaymentRecord>): z.output<typeof servicePaymentPageSchema> {
  const { total, previous, next, list, unreadable } = page;
  return { total, previous, next, list: list.map(servicePaymentJson), unreadable };
}

function servicePaymentJson(record: PaymentRecord): z.output<typeof servicePaymentSchema> {
  return {
    ...record.raw,
    svc_uid: record.svcUid,
    merchant_uid: record.merchantUid,
    status: record.status,
    amount: record.amount,
    cancel_amount: record.cancelAmount,
    currency: record.currency,
    card_number: record.cardNumber,
    customer_uid: record.customerUid,
    started_at: toUnixSecondsOrZero(record.startedAt),
    paid_at: toUnixSecondsOrZero(record.paidAt),
    failed_at: toUnixSecondsOrZero(record.failedAt),
    cancelled_at: toUnixSecondsOrZero(record.cancelledAt),
  };
}

/** A page with the payment of `paymentExample`, shortened. */
export const servicePaymentPageExample = {
  total: 1,
  previous: 0,
  next: 0,
  list: [
    {
      svc_uid: paymentExample.svc_uid,
      merchant_uid: paymentExample.merchant_uid,
      status: 'paid',
      amount: paymentExample.amount,
      cancel_amount: 0,
      currency: paymentExample.currency,
      pay_method: 'card',
      pg_provider: paymentExample.pg_provider,
      pg_tid: paymentExample.pg_tid,
      apply_num: paymentExample.apply_num,
      card_name: paymentExample.card_name,
      card_number: paymentExample.card_number,
      customer_uid: paymentExample.customer_uid,
      name: 'Green tea',
      started_at: paymentExample.record.paid_at,
      paid_at: paymentExample.record.paid_at,
      failed_at: 0,
      cancelled_at: 0,
    },
  ],
  unreadable: [],
} satisfies z.input<typeof servicePaymentPageSchema>;
