// What a payment carries besides its amount (§2.4, §4.3, §4.9): instalments, the tax-free part, the buyer, and the
// merchant's own data. An order is registered with these fields, and a charge can override them.

import type { Order } from '../../../generated/prisma/client';
import type { Buyer } from '../../payment-service/charges';

/** Absent fields are not sent. */
export type PaymentFields = {
  /** Months: 0 for one-off, or 2 and more. */
  cardQuota?: number | undefined;
  /** The tax-free part of the amount. */
  taxFree?: number | undefined;
  buyer?: Buyer | undefined;
  /** JSON as text. It is sent together with the id of the charge (`charges/charge-id.ts`). */
  customData?: string | undefined;
};

export type PaymentFieldProblem = 'instalments_not_possible' | 'tax_free_exceeds_amount';

/** §4.3: the minimum amount for instalments. */
export const MIN_INSTALMENT_AMOUNT = 50_000;

/** Why these fields do not fit an amount; null if they do. */
export function findPaymentFieldProblem(
  { cardQuota = 0, taxFree = 0 }: PaymentFields,
  { amount, currency }: { amount: number; currency: string },
): PaymentFieldProblem | null {
  if (cardQuota > 0 && (currency !== 'KRW' || amount < MIN_INSTALMENT_AMOUNT))
    return 'instalments_not_possible';
  return taxFree > amount ? 'tax_free_exceeds_amount' : null;
}

/**
 * The columns of `orders` with these fields; null if not given. `customData` is JSON as text, because JSONB refuses
 * `\u0000`.
 */
type StoredFields = Pick<
  Order,
  | 'cardQuota'
  | 'taxFree'
  | 'buyerName'
  | 'buyerEmail'
  | 'buyerTel'
  | 'buyerAddr'
  | 'buyerPostcode'
  | 'customData'
>;

export function toStoredFields({ cardQuota, taxFree, buyer, customData }: PaymentFields): StoredFields {
  return {
    cardQuota: cardQuota ?? null,
    taxFree: taxFree === undefined ? null : BigInt(taxFree),
    buyerName: buyer?.name ?? null,
    buyerEmail: buyer?.email ?? null,
    buyerTel: buyer?.tel ?? null,
    buyerAddr: buyer?.addr ?? null,
    buyerPostcode: buyer?.postcode ?? null,
    customData: customData ?? null,
  };
}

export function fromStoredFields(stored: StoredFields): PaymentFields {
  return {
    cardQuota: stored.cardQuota ?? undefined,
    taxFree: stored.taxFree === null ? undefined : Number(stored.taxFree),
    buyer: storedBuyer(stored),
    customData: stored.customData ?? undefined,
  };
}

function storedBuyer(stored: StoredFields): Buyer | undefined {
  const { buyerName, buyerEmail, buyerTel, buyerAddr, buyerPostcode } = stored;
  const columns = [buyerName, buyerEmail, buyerTel, buyerAddr, buyerPostcode];
  if (columns.every((column) => column === null)) return undefined;
  return {
    name: buyerName ?? undefined,
    email: buyerEmail ?? undefined,
    tel: buyerTel ?? undefined,
    addr: buyerAddr ?? undefined,
    postcode: buyerPostcode ?? undefined,
  };
}

/** Per-charge overrides take precedence over the fields of the order. A buyer is overridden as a whole. */
export function chargedFields(order: StoredFields, overrides: PaymentFields): PaymentFields {
  const registered = fromStoredFields(order);
  return {
    cardQuota: overrides.cardQuota ?? registered.cardQuota,
    taxFree: overrides.taxFree ?? registered.taxFree,
    buyer: overrides.buyer ?? registered.buyer,
    customData: overrides.customData ?? registered.customData,
  };
}
