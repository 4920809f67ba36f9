// GET /api/ledger: money movements by the day on which they happened in Seoul.

import { z } from 'zod';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import type { Movement } from './ledger-store';
import { ledgerQuery, readMovements, readSums } from './read-ledger';
import type { Total } from './sum-store';

const optionalText = z.string().nullable();

const movementSchema = z
  .strictObject({
    at: z.iso.datetime().meta({ description: 'When the money moved, on the clock of the payment service.' }),
    kind: z
      .enum(['payment', 'refund'])
      .meta({ description: '`refund`: one part, also one made at the service’s console.' }),
    amount: z.int().meta({ description: 'Negative for a refund.' }),
    currency: z.string(),
    tax_free: z.int().nullable().meta({
      description:
        'The part of the amount without tax, with its sign; null if only the service knows how it divided a refund.',
    }),
    vat: z.int().nullable().meta({
      description:
        'The VAT in the rest, 1/11 of it; null without `tax_free`, and for another currency than KRW.',
    }),
    pay_method: optionalText,
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
  const { kind, refundId } = movement;
  return {
    at: movement.at.toISOString(),
    kind,
    amount: Number(movement.amount),
    currency: movement.currency,
    tax_free: numberOrNull(movement.taxFree),
    vat: numberOrNull(movement.vat),
    pay_method: movement.payMethod,
    merchant_uid: movement.merchantUid,
    svc_uid: movement.svcUid,
    ...(kind === 'refund' && { refund_id: refundId === null ? null : String(refundId) }),
    approval_number: movement.approvalNumber,
    card_company: movement.cardCompany,
    pg_provider: movement.pgProvider,
    pg_tid: movement.pgTid,
    fee: numberOrNull(movement.fee),
    paid_out_on: movement.paidOutOn,
  };
}

const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value));

const sumSchema = z
  .strictObject({
    day: z.iso.date().meta({ description: 'In Seoul.' }),
    currency: z.string(),
    paid: z.int(),
    refunded: z.int().max(0).meta({ description: 'Negative, so that both add up.' }),
  })
  .meta({ id: 'LedgerSum' });

const totalSchema = z
  .strictObject({
    month: z.string().meta({ description: 'In Seoul.' }),
    currency: z.string(),
    pay_method: optionalText,
    pg_provider: optionalText,
    payments: z.int().meta({ description: 'How many.' }),
    paid: z.int(),
    refunds: z.int().meta({ description: 'How many.' }),
    refunded: z.int().max(0),
    tax_free: z.int(),
    vat: z.int(),
    undivided: z.int().meta({
      description: 'Refunds whose part without tax is not known: `tax_free` and `vat` lack them.',
    }),
    settled: z.int().meta({ description: 'What settlement files have named, before fees.' }),
    fee: z.int(),
    paid_out: z.int().meta({ description: '`settled` without `fee`.' }),
    unsettled: z.int().meta({ description: 'What no settlement file has named.' }),
  })
  .meta({ id: 'LedgerTotal' });

export type TotalJson = z.output<typeof totalSchema>;

export const totalJson = ({ payMethod, pgProvider, taxFree, ...total }: Total): TotalJson => ({
  ...total,
  pay_method: payMethod,
  pg_provider: pgProvider,
  tax_free: taxFree,
  paid_out: total.settled - total.fee,
});

const ledgerSchema = z
  .strictObject({
    list: z.array(movementSchema),
    sums: z.array(sumSchema).meta({ description: 'Of the whole period, not only of the page.' }),
    totals: z.array(totalSchema).meta({
      description: 'Of the whole period, by month, method of payment and PG.',
    }),
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
      tax_free: 0,
      vat: 1_091,
      pay_method: 'card',
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
  totals: [
    {
      month: '2026-11',
      currency: 'KRW',
      pay_method: 'card',
      pg_provider: 'nice',
      payments: 1,
      paid: 12_000,
      refunds: 0,
      refunded: 0,
      tax_free: 0,
      vat: 1_091,
      undivided: 0,
      settled: 12_000,
      fee: 336,
      paid_out: 11_664,
      unsettled: 0,
    },
  ],
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
      const [{ list, next }, { days, totals }] = await Promise.all([
        readMovements(context, query),
        readSums(context, query),
      ]);
      return { body: { list: list.map(movementJson), sums: days, totals: totals.map(totalJson), next } };
    },
  }),
];
