// The fields of an order that the operations of §4.3 and §4.9 share (field notes), with their lengths.
import { z } from 'zod';
import { id, listOf, optional, text, wholeNumber } from '../http/fields';
import type { Buyer } from './payment';

const INSTALMENTS_FROM = 50_000;
const LONGEST_CUSTOM_DATA = 65_535; // no limit is shown

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
  // "Echoed data as a JSON string" (§2.4): a client may also send the object itself.
  custom_data: optional(
    z
      .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
      .pipe(z.string().max(LONGEST_CUSTOM_DATA)),
  ),
  notice_url: noticeUrlField,
};

/** Taken by a payment that is made at once, and not by a planned one. */
export const paymentFields = {
  card_quota: optional(wholeNumber(0, 36)),
  tax_free: optional(wholeNumber(0)),
};

/** 0, or 2 and more from 50,000 KRW. */
export function isPossibleQuota({
  card_quota = 0,
  amount,
}: {
  card_quota?: number | undefined;
  amount: number;
}) {
  return card_quota === 0 || (card_quota >= 2 && amount >= INSTALMENTS_FROM);
}

export const quotaRule = {
  path: ['card_quota'],
  message: `must be 0, or 2 and more from ${INSTALMENTS_FROM} KRW`,
};

type BuyerFields = { [Name in keyof Buyer as `buyer_${Name}`]?: string | undefined };

/** What the request says of the buyer; null where it says nothing. */
export function buyerOf(order: BuyerFields): Buyer | null {
  const buyer = {
    name: order.buyer_name ?? null,
    email: order.buyer_email ?? null,
    tel: order.buyer_tel ?? null,
    addr: order.buyer_addr ?? null,
    postcode: order.buyer_postcode ?? null,
  };
  return Object.values(buyer).every((value) => value === null) ? null : buyer;
}
