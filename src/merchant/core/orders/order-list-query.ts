// The query of GET /api/orders. The list is in the order of changes, and an order that changes again moves to its end:
// a page is begun after the last order of the page before, by its time and, at one time, by its merchant_uid.

import { z } from 'zod';
import { isMerchantUid } from '../../payment-service/identifiers';
import { isoTime, keysetQuery } from '../../platform/http/query';
import { ORDER_STATUSES } from './order-schema';
import type { OrderFilter, StoredOrder } from './order-store';

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z),(.{1,40})$/;

type Place = Pick<StoredOrder, 'updatedAt' | 'merchantUid'>;

export const ordersQuery = z.object({
  status: z.enum(ORDER_STATUSES).optional(),
  updated_from: isoTime.optional().meta({ description: 'Changed at or after this time.' }),
  after: z
    .string()
    .refine((text) => parseOrderCursor(text) !== null, 'must be the "next" of a page')
    .optional()
    .meta({ description: '`next` of the page before; absent for the first page.' }),
  limit: keysetQuery.limit,
});

export function toOrderFilter({ status, updated_from, after }: z.output<typeof ordersQuery>): OrderFilter {
  return {
    status,
    updatedFrom: updated_from === undefined ? undefined : new Date(updated_from),
    after: after === undefined ? undefined : (parseOrderCursor(after) ?? undefined),
  };
}

export function toOrderCursor({ updatedAt, merchantUid }: Place): string {
  return `${updatedAt.toISOString()},${merchantUid}`;
}

export function parseOrderCursor(text: string): Place | null {
  const [, time, merchantUid] = CURSOR.exec(text) ?? [];
  const updatedAt = new Date(time ?? Number.NaN);
  if (Number.isNaN(updatedAt.getTime()) || !isMerchantUid(merchantUid)) return null;
  return { updatedAt, merchantUid };
}
