// The columns of `payments` that a fetched record fills: the value and the JSON schema of each. The SQL of
// verdict-store.ts, the JSON of a payment and the API description are built from this table. A column of schema.prisma
// that is missing here is a compile error.

import { z } from 'zod';
import { PaymentStatus, Prisma, type Payment } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';

/** A record that fits its order, as it is stored. */
export type VerifiedPayment = {
  record: PaymentRecord;
  status: PaymentStatus;
  currency: string;
  /** False if the payment does not pay for its order. */
  counted: boolean;
};

type Column = { value: (payment: VerifiedPayment, fetchedAt: Date) => unknown; json: z.ZodType };

const amount = z.int().min(0);
const time = z.iso.datetime();

const PAYMENT_COLUMNS = {
  status: {
    value: ({ status }) => status,
    json: z.enum(PaymentStatus).meta({
      description:
        'The status of the service: `cancelled` also after a partial refund. Compare `cancel_amount` with `amount`, or read the status of the order.',
    }),
  },
  amount: { value: ({ record }) => record.amount, json: amount },
  cancelAmount: {
    value: ({ record }) => record.cancelAmount,
    json: amount.meta({ description: 'The refunded amount.' }),
  },
  currency: { value: ({ currency }) => currency, json: z.string() },
  payMethod: text('payMethod', 32),
  pgProvider: text('pgProvider', 32),
  pgTid: text('pgTid', 64),
  applyNum: text('applyNum', 20),
  cardName: text('cardName', 64),
  cardNumber: text('cardNumber', 32, 'Masked.'),
  customerUid: text('customerUid', 80),
  failReason: text('failReason', 500),
  cancelReason: text('cancelReason', 256),
  receiptUrl: text('receiptUrl', 500),
  startedAt: { value: ({ record }) => record.startedAt, json: time.nullable() },
  paidAt: { value: ({ record }) => record.paidAt, json: time.nullable() },
  failedAt: { value: ({ record }) => record.failedAt, json: time.nullable() },
  cancelledAt: { value: ({ record }) => record.cancelledAt, json: time.nullable() },
  vbankCode: text('vbankCode', 16, 'Bank of the virtual account into which the buyer pays.'),
  vbankName: text('vbankName', 64),
  vbankNum: text('vbankNum', 32, 'Number of that account.'),
  vbankHolder: text('vbankHolder', 64),
  vbankDate: {
    value: ({ record }) => record.vbankDate,
    json: time.nullable().meta({ description: 'The deadline of the deposit.' }),
  },
  counted: {
    value: ({ counted }) => counted,
    json: z.boolean().meta({ description: 'False if the payment does not pay for its order.' }),
  },
  fetchedAt: { value: (_payment, fetchedAt) => fetchedAt, json: time },
  regressedAt: {
    value: () => null,
    json: time.nullable().meta({
      description: 'Since when the payment service has shown less than this; null while it does not.',
    }),
  },
  record: {
    value: ({ record }) => record.raw,
    json: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The whole fetched record (§2.4), under the document’s names.' }),
  },
} as const satisfies Record<
  Exclude<keyof Payment, 'svcUid' | 'merchantUid' | 'createdAt' | 'updatedAt'>,
  Column
>;

type TextField = {
  [Field in keyof PaymentRecord]: PaymentRecord[Field] extends string | null ? Field : never;
};

/** A descriptive text, cut to the width of its column. `record` has the whole text. */
function text(
  field: NonNullable<TextField[keyof PaymentRecord]>,
  width: number,
  description?: string,
): Column {
  const json = z.string().nullable();
  return {
    value: ({ record }) => record[field]?.slice(0, width) ?? null,
    json: description === undefined ? json : json.meta({ description }),
  };
}

type Field = keyof typeof PAYMENT_COLUMNS;
const COLUMNS = Object.entries<Column>(PAYMENT_COLUMNS).map(([field, column]) => ({
  field: field as Field,
  name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ...column,
}));
const listed = (each: (name: string) => string) =>
  Prisma.raw(COLUMNS.map(({ name }) => each(name)).join(', '));

/** `status, amount, …` */
export const columnNames = listed((name) => name);
/** `status = excluded.status, …` */
export const columnsFromExcluded = listed((name) => `${name} = excluded.${name}`);

/** The values of one row, by column name. Null columns are omitted. */
export function toColumns(payment: VerifiedPayment, fetchedAt: Date): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, value } of COLUMNS) {
    const each = value(payment, fetchedAt);
    if (each !== null) values[name] = each;
  }
  return values;
}

/** The JSON schemas of a stored payment, by column name. */
export const columnSchemas = Object.fromEntries(COLUMNS.map(({ name, json }) => [name, json]));

/** Amounts are integers in the currency's unit of §2.4; times are ISO 8601 or null. */
export function columnsJson(payment: Payment): Record<string, unknown> {
  return Object.fromEntries(
    COLUMNS.map(({ name, field }) => {
      const value = payment[field];
      return [name, typeof value === 'bigint' ? Number(value) : value];
    }),
  );
}
