// Charges and key-in payments as the API description shows them.

import type { z } from 'zod';
import { paidOrderExample } from '../orders/order-examples';
import type { chargeDecisionSchema, storedChargeSchema } from './charge-list-schema';
import type { chargeSchema, onetimeSchema } from './charge-schema';

export const chargeExample = {
  customer_uid: 'member-7-card-1',
} satisfies z.input<typeof chargeSchema>;

/** Stores the card that the other examples pay with. The number is that of a test card. */
export const onetimeExample = {
  merchant_uid: 'order-1002',
  name: 'Tea pot',
  amount: 60_000,
  card_quota: 3,
  member_id: 'member-7',
  customer_uid: 'member-7-card-1',
  card_number: '4242-4242-4242-4242',
  expiry: '2037-12',
  birth: '880101',
  pwd_2digit: '12',
  terms_version: '2026-11-01',
  privacy_version: '2026-11-01',
} satisfies z.input<typeof onetimeSchema>;

export const chargedExample = { outcome: 'paid', order: paidOrderExample };

const [firstPayment] = paidOrderExample.payments;
const onetime = { merchant_uid: onetimeExample.merchant_uid, amount: onetimeExample.amount };

/** The record is shortened. */
export const onetimePaidExample = {
  outcome: 'paid',
  order: {
    ...paidOrderExample,
    ...onetime,
    name: onetimeExample.name,
    card_quota: onetimeExample.card_quota,
    buyer: null,
    custom_data: null,
    payments: [
      {
        ...firstPayment,
        ...onetime,
        svc_uid: 'svc_20261121c5d1',
        pg_tid: 'nice_mid_20261121c5d1',
        receipt_url: 'https://receipt.example/svc_20261121c5d1',
        record: { ...onetime, svc_uid: 'svc_20261121c5d1', status: 'paid', card_quota: 3 },
      },
    ],
  },
};

export const chargeDecisionExample = {
  outcome: 'not_executed',
  note: 'The card company has no approval',
  by: 'kim',
} satisfies z.input<typeof chargeDecisionSchema>;

export const settledChargeExample = {
  id: 'boeeplloabnegohaljcanogkfmaldfaj',
  merchant_uid: 'order-1005',
  kind: 'again',
  customer_uid: 'member-7-card-1',
  schedule_at: null,
  status: 'not_executed',
  svc_uid: null,
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-21T09:30:00.000Z',
  resolved_at: '2026-11-21T10:00:00.000Z',
  settled_by: chargeDecisionExample.by,
  settle_note: chargeDecisionExample.note,
} satisfies z.input<typeof storedChargeSchema>;
