// The table of orders. `order-schema.ts` adds the buyer, the merchant's own data and the payments.

import { z } from 'zod';
import { OrderStatus, type Order } from '../../../generated/prisma/client';
import { TO_NULL } from '../../platform/personal-data';
import { column, count, describeRow, hidden, text, time, type Lines } from '../../platform/row';

export const orderRow = describeRow({
  merchantUid: column('stays', text, 'order-1001'),
  name: column('stays', text, 'Green tea'),
  amount: column('stays', z.int().positive(), 12_000),
  currency: column('stays', text, 'KRW'),
  memberId: column(TO_NULL, text.nullable(), 'member-7'),
  status: column('stays', z.enum(OrderStatus), 'open'),
  createdAt: column('stays', time, '2026-11-21T08:58:12.000Z'),
  updatedAt: column('stays', time, '2026-11-21T08:58:12.000Z'),
  cardQuota: column('stays', count.nullable(), null),
  taxFree: column('stays', count.nullable(), null),
  buyerName: hidden(TO_NULL),
  buyerEmail: hidden(TO_NULL),
  buyerTel: hidden(TO_NULL),
  buyerAddr: hidden(TO_NULL),
  buyerPostcode: hidden(TO_NULL),
  // The merchant's own data, which may contain anything.
  customData: hidden(TO_NULL),
  version: hidden('stays'),
  erasedAt: hidden('stays'),
} satisfies Lines<Order>);
