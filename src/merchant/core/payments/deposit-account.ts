// The account into which a buyer pays (§2.4). Pure.

import type { StoredPayment } from './payment-store';

export type DepositAccount = {
  /** The bank's name, or its code if the service gives no name. */
  bank: string | null;
  number: string;
  holder: string | null;
  until: Date | null;
};

/** Returns null if the payment has no account. */
export function depositAccount(payment: StoredPayment): DepositAccount | null {
  const { vbankNum, vbankName, vbankCode, vbankHolder, vbankDate } = payment;
  if (vbankNum === null) return null;
  return { bank: vbankName ?? vbankCode, number: vbankNum, holder: vbankHolder, until: vbankDate };
}
