// GET /api/ledger: money movements by the day on which they happened in Seoul.

import { z } from 'zod';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import type { Movement } from './ledger-store';
import { ledgerQuery, readMovements, readSums } from './read-ledger';

const optionalText = z.string().nullable();

const movementSchema = z
  .strictObject({
    at: z.iso.datetime().meta({ description: 'When the money moved, on the clock of the payment service.' }),
    kind: z
      .enum(['payment', 'refund'])
      .meta({ description: '`refund`: one part, also one made at the service’s console.' }),
    amount: z.int().min(0).meta({ description: 'Never negative.' }),
    currency: z.string(),
    merchant_uid: z.string(),
    svc_uid: z.string(),
    refund_id: z.string().nullable().optional().meta({
      description: 'Of a refund: its id in `GET /api/refunds`; null if it was made at the service’s console.',
    }),
    approval_number: optionalText,
    card_company: optionalText,
    pg_provider: optionalText,
    pg_tid: optionalText.meta({
      description: 'Of a refund: that of the cancellation, if the service names it.',
    }),
    fee: z
      .int()
      .nullable()
      .meta({ description: 'From an imported settlement file; null before. Negative if a fee is returned.' }),
    paid_out_on: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day of the payout; null before its import.' }),
  })
  .meta({ id: 'Movement', description: 'One movement of money.' });

export type MovementJson = z.output<typeof movementSchema>;

export function movementJson(movement: Movement): MovementJson {
  const { kind, refundId, fee } = movement;
  return {
    at: movement.at.toISOString(),
    kind,
    amount: Number(movement.amount),
    currency: movement.currency,
    merchant_uid: movement.merchantUid,
    svc_uid: movement.svcUid,
    ...(kind === 'refund' && { refund_id: refundId === null ? null : String(refundId) }),
    approval_number: movement.approvalNumber,
    card_company: movement.cardCompany,
    pg_provider: movement.pgProvider,
    pg_tid: movement.pgTid,
    fee: fee === null ? null : Number(fee),
    paid_out_on: movement.paidOutOn,
  };
}

const sumSchema = z
  .strictObject({
    day: z.iso.date().meta({ description: 'In Seoul.' }),
    currency: z.string(),
    paid: z.int().min(0),
    refunded: z.int().min(0),
  })
  .meta({ id: 'LedgerSum' });

const ledgerSchema = z
  .strictObject({
    list: z.array(movementSchema),
    sums: z.array(sumSchema).meta({ description: 'Of the whole period, not only of the page.' }),
    next: z.string().nullable().meta({ description: '`after` of the next page; null on the last.' }),
  })
  .meta({ id: 'Ledger' });

const ledgerExample = {
  list: [
    {
      at: '2026-11-21T09:00:00.000Z',
      kind: 'payment',
      amount: 12_000,
      currency: 'KRW',
      merchant_uid: 'order-1001',
      svc_uid: 'svc_20261121a7f3',
      approval_number: '55384589',
      card_company: '현대카드',
      pg_provider: 'nice',
      pg_tid: 'nice_mid_20261121a7f3',
      fee: 336,
      paid_out_on: '2026-11-25',
    },
  ],
  sums: [{ day: '2026-11-21', currency: 'KRW', paid: 12_000, refunded: 0 }],
  next: null,
} satisfies z.input<typeof ledgerSchema>;

export const ledgerRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/ledger',
    scope: 'read',
    summary: 'Money movements by the day on which they happened in Seoul',
    description:
      'Payments, deposits to virtual accounts and each part of a refund, the oldest first. A payment that fits no order is in `GET /api/discrepancies` instead.',
    query: ledgerQuery,
    answers: {
      200: {
        description: 'A page, and the sums of the period.',
        schema: ledgerSchema,
        example: ledgerExample,
      },
    },
    async handle(context, { query }) {
      const [{ list, next }, sums] = await Promise.all([
        readMovements(context, query),
        readSums(context, query),
      ]);
      return { body: { list: list.map(movementJson), sums, next } };
    },
  }),
];
