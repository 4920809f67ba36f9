// A payment in the API, under the document's names: as it is stored, and as the service shows it now.

import { z } from 'zod';
import type { Page } from '../../payment-service/records/page';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { JsonObject } from '../../payment-service/records/raw-record';
import { link } from '../../payment-service/records/record-fields';
import { defineErrors } from '../../platform/errors';
import { toUnixSecondsOrZero } from '../../platform/http/query';
import type { StoredPayment } from './payment-store';
import { PAID_AT, paymentRow } from './row';

export const paymentErrors = defineErrors({
  payment_not_found: {
    status: 404,
    message: 'No verified payment has this svc_uid.',
    remedy: 'See GET /api/notifications and GET /api/discrepancies for payments that did not match an order.',
  },
});

export const paymentSchema = z
  .strictObject({
    ...paymentRow.shape,
    cash_receipt_issued: z.boolean().nullable().meta({
      description:
        'Whether a cash receipt (현금영수증) is issued automatically (§2.4); null if the service does not say.',
    }),
    cancel_receipt_urls: z.array(z.url()).meta({
      description: 'Receipts of its cancellations (§2.4), as far as the service shows them.',
    }),
  })
  .meta({ id: 'Payment', description: 'A payment that was re-fetched from the service and fits its order.' });

export function paymentJson(payment: StoredPayment): z.output<typeof paymentSchema> {
  return {
    ...paymentRow.json(payment),
    cash_receipt_issued: cashReceiptIssued(payment),
    cancel_receipt_urls: cancelReceiptUrls(payment),
  };
}

/** Null if the record does not say. It has no column, because nothing searches for it. */
export function cashReceiptIssued({ record }: Pick<StoredPayment, 'record'>): boolean | null {
  const shown = (record as JsonObject)['cash_receipt_issued'];
  return typeof shown === 'boolean' ? shown : null;
}

/** From both places of §2.4, each once: the availability varies by PG. */
export function cancelReceiptUrls({ record }: Pick<StoredPayment, 'record'>): string[] {
  const { cancel_receipt_urls: listed, cancel_history: history } = record as JsonObject;
  const entries = Array.isArray(history) ? history : [];
  const ofEntries = entries.map((entry) => (entry as JsonObject | null)?.['receipt_url']);
  const urls = [...(Array.isArray(listed) ? listed : []), ...ofEntries].map((url) => link.parse(url));
  return [...new Set(urls)].filter((url) => url !== null);
}

/** With a shortened record. */
export const paymentExample = {
  ...paymentRow.example,
  cash_receipt_issued: false,
  cancel_receipt_urls: [],
};
const PAID_AT_SECONDS = Date.parse(PAID_AT) / 1000;

const amount = z.int().min(0);
const time = z.int().min(0).meta({ description: 'UNIX seconds; 0 for never.' });

/**
 * A payment as the service shows it now (§2.4). Fields that we check are typed; all others are passed on as received,
 * cleaned and with card numbers masked.
 */
const servicePaymentSchema = z
  .looseObject({
    svc_uid: z.string(),
    merchant_uid: z.string(),
    status: z
      .enum(['ready', 'paid', 'cancelled', 'failed', 'unknown'])
      .meta({ description: '`unknown`: a status that is not in the document.' }),
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
      description:
        'Records of this page that cannot be read, by svc_uid as the service shows it; null for one without.',
    }),
  })
  .meta({ id: 'ServicePaymentPage' });

export function servicePaymentPageJson(page: Page<PaymentRecord>): z.output<typeof servicePaymentPageSchema> {
  const { total, previous, next, list, unreadable } = page;
  return {
    total,
    previous,
    next,
    list: list.map(servicePaymentJson),
    unreadable: unreadable.map(({ svcUid }) => svcUid),
  };
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
      started_at: PAID_AT_SECONDS,
      paid_at: PAID_AT_SECONDS,
      failed_at: 0,
      cancelled_at: 0,
    },
  ],
  unreadable: [],
} satisfies z.input<typeof servicePaymentPageSchema>;
