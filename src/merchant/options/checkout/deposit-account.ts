// The virtual account that a customer pays into (§2.4).

import { z } from 'zod';
import type { StoredPayment } from '../../core/payments/payment-store';
import { code, text, timestamp } from '../../payment-service/records/record-fields';

export type DepositAccount = {
  /** Its name, or its code where the service gives no name. */
  bank: string | null;
  number: string;
  holder: string | null;
  until: Date | null;
};

/** A row that was stored before it had these columns has the fields in its record alone. */
const recordSchema = z.object({
  vbank_code: code(16),
  vbank_name: text(64),
  vbank_num: code(32),
  vbank_holder: text(64),
  vbank_date: timestamp,
});

/** Returns null if the payment has no account. */
export function depositAccount(payment: StoredPayment): DepositAccount | null {
  const record = recordSchema.safeParse(payment.record).data;
  const number = payment.vbankNum ?? record?.vbank_num ?? null;
  if (number === null) return null;
  return {
    bank: payment.vbankName ?? record?.vbank_name ?? payment.vbankCode ?? record?.vbank_code ?? null,
    number,
    holder: payment.vbankHolder ?? record?.vbank_holder ?? null,
    until: payment.vbankDate ?? record?.vbank_date ?? null,
  };
}
