// The order that a payment or a schedule is made for, and its request fields with their lengths (§4.3, §4.9).

import { z } from 'zod';
import { id, listOf, optional, text, wholeNumber } from '../http/fields';
import type { Buyer } from './payment';

const MIN_INSTALMENT_AMOUNT = 50_000;
const MAX_CUSTOM_DATA_LENGTH = 65_535; // The document shows no limit; this one is our choice.

export type Order = {
  merchantUid: string;
  amount: number;
  currency: string;
  name: string | null;
  buyer: Buyer | null;
  customData: string | null;
  noticeUrls: readonly string[];
  cardQuota?: number;
  taxFree?: number;
};

export const noticeUrlField = optional(listOf(z.url({ protocol: /^https?$/ }), 10));

export const orderFields = {
  merchant_uid: id(40),
  amount: wholeNumber(1),
  currency: optional(z.enum(['KRW', 'USD', 'EUR'])),
  buyer_name: optional(text(16)),
  buyer_email: optional(text(64)),
  buyer_tel: optional(text(16)),
  buyer_addr: optional(text(128)),
  buyer_postcode: optional(text(8)),
  // A JSON string (§2.4). A client may also send the object itself.
  custom_data: optional(
    z
      .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
      .pipe(z.string().max(MAX_CUSTOM_DATA_LENGTH)),
  ),
  notice_url: noticeUrlField,
};

/** Fields of a payment that is made at once. A schedule does not have them. */
export const paymentFields = {
  card_quota: optional(wholeNumber(0, 36)),
  tax_free: optional(wholeNumber(0)),
};

/** `card_quota` is 0, or at least 2 if the amount is large enough. */
export function isPossibleQuota({ card_quota = 0, amount }: QuotaFields): boolean {
  return card_quota === 0 || (card_quota >= 2 && amount >= MIN_INSTALMENT_AMOUNT);
}

type QuotaFields = { card_quota?: number | undefined; amount: number };

export const quotaRule = {
  path: ['card_quota'],
  message: `must be 0, or 2 and more from ${MIN_INSTALMENT_AMOUNT} KRW`,
};

type OrderRequest = {
  merchant_uid: string;
  amount: number;
  currency?: string | undefined;
  name?: string | undefined;
  custom_data?: string | undefined;
  notice_url?: string[] | undefined;
  card_quota?: number | undefined;
  tax_free?: number | undefined;
} & BuyerFields;

type BuyerFields = { [Name in keyof Buyer as `buyer_${Name}`]?: string | undefined };

export function orderOf(request: OrderRequest): Order {
  return {
    merchantUid: request.merchant_uid,
    amount: request.amount,
    currency: request.currency ?? 'KRW',
    name: request.name ?? null,
    buyer: buyerOf(request),
    customData: request.custom_data ?? null,
    noticeUrls: request.notice_url ?? [],
    cardQuota: request.card_quota ?? 0,
    taxFree: request.tax_free ?? 0,
  };
}

/** Returns null if the request has no field of the buyer. */
function buyerOf(request: BuyerFields): Buyer | null {
  const buyer = {
    name: request.buyer_name ?? null,
    email: request.buyer_email ?? null,
    tel: request.buyer_tel ?? null,
    addr: request.buyer_addr ?? null,
    postcode: request.buyer_postcode ?? null,
  };
  return Object.values(buyer).every((value) => value === null) ? null : buyer;
}
