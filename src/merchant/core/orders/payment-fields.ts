// What the payment of an order carries beside its amount (§2.4, §4.3, §4.9): instalments, the part without tax, the buyer,
// and the merchant's own data. An order is registered with it, and a charge may say otherwise.

import type { Order } from '../../../generated/prisma/client';
import type { Buyer } from '../../payment-service/charges';

/** Absent: nothing is said of it, and nothing is sent. */
export type PaymentFields = {
  /** Months: 0 for one-off, or 2 and more. */
  cardQuota?: number | undefined;
  /** The part of the amount that is free of tax. */
  taxFree?: number | undefined;
  buyer?: Buyer | undefined;
  /** JSON as text. It travels beside the id of the charge (`charges/charge-id.ts`). */
  customData?: string | undefined;
};

export type PaymentFieldProblem = 'instalments_not_possible' | 'tax_free_exceeds_amount';

/** §4.3: below this amount the service takes no instalments. */
export const MIN_INSTALMENT_AMOUNT = 50_000;

/** Why these fields do not fit an amount. Returns null if they do. */
export function findPaymentFieldProblem(
  { cardQuota = 0, taxFree = 0 }: PaymentFields,
  { amount, currency }: { amount: number; currency: string },
): PaymentFieldProblem | null {
  if (cardQuota > 0 && (currency !== 'KRW' || amount < MIN_INSTALMENT_AMOUNT))
    return 'instalments_not_possible';
  return taxFree > amount ? 'tax_free_exceeds_amount' : null;
}

/** The columns of `orders` that hold them; null where nothing was said. Text of JSON, because JSONB refuses `\u0000`. */
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

/** What the charge says itself goes before what its order was registered with. A buyer is taken as a whole. */
export function chargedFields(order: StoredFields, said: PaymentFields): PaymentFields {
  const registered = fromStoredFields(order);
  return {
    cardQuota: said.cardQuota ?? registered.cardQuota,
    taxFree: said.taxFree ?? registered.taxFree,
    buyer: said.buyer ?? registered.buyer,
    customData: said.customData ?? registered.customData,
  };
}
