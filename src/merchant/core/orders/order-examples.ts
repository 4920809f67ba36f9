// An order as the API description shows it, before and after its payment.

import type { z } from 'zod';
import { paymentExample } from '../payments/payment-examples';
import type { newOrderSchema } from './order-schema';

export const newOrderExample = {
  merchant_uid: 'order-1001',
  name: 'Green tea',
  amount: 12_000,
  currency: 'KRW',
  member_id: 'member-7',
  buyer: { name: '김하나', email: 'hana@example.com' },
  custom_data: { cart: 'c-42' },
} satisfies z.input<typeof newOrderSchema>;

export const openOrderExample = {
  ...newOrderExample,
  status: 'open',
  created_at: '2026-11-21T08:58:12.000Z',
  updated_at: '2026-11-21T08:58:12.000Z',
  card_quota: null,
  tax_free: null,
  buyer: { ...newOrderExample.buyer, tel: null, addr: null, postcode: null },
  payments: [],
};

export const paidOrderExample = {
  ...openOrderExample,
  status: 'paid',
  updated_at: paymentExample.fetched_at,
  payments: [paymentExample],
};
