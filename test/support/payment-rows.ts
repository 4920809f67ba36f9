// Rows of payments and refunds, made without the program: what the ledger and the overview add up.

import type { Rows } from './rows';

/** Deletes them. */
export const ALL_PAYMENT_ROWS =
  'truncate orders, payments, refunds, settlements, settlement_problems, billing_keys cascade';

/** An entry of `cancel_history`. `at`: UNIX seconds; absent if the service shows no time. */
export type HistoryEntry = { amount: number; at?: number; tid?: string };

export type PaymentRow = {
  status?: string;
  amount?: number;
  cancelled?: number;
  currency?: string;
  method?: string;
  provider?: string;
  /** Of the order. */
  taxFree?: number;
  /** Null: the service shows no time. Likewise for `cancelledAt`. */
  paidAt?: Date | null;
  failedAt?: Date | null;
  cancelledAt?: Date | null;
  /** When we stored it first, and last. */
  createdAt: Date;
  updatedAt: Date;
  /** Null: the record has none. */
  history?: readonly HistoryEntry[] | null;
};

export type RefundRow = { amount: number; before?: number; status?: string; startedAt: Date };

export function createPaymentRows({ query }: Pick<Rows, 'query'>) {
  async function payment(svcUid: string, row: PaymentRow): Promise<void> {
    const { status = 'paid', amount = 1000, cancelled = 0, currency = 'KRW', history = null } = row;
    const { paidAt = null, failedAt = null, cancelledAt = null, createdAt, updatedAt } = row;
    const merchantUid = `order-${svcUid}`;
    await query(
      `insert into orders (merchant_uid, name, amount, currency, tax_free, created_at, updated_at)
       values ($1, 'Tea', $2, $3, $5, $4, $4)`,
      [merchantUid, amount, currency, createdAt, row.taxFree ?? null],
    );
    const entries = history?.map((each) => ({
      amount: each.amount,
      cancelled_at: each.at,
      pg_tid: each.tid,
    }));
    const stored = {
      svc_uid: svcUid,
      merchant_uid: merchantUid,
      status,
      amount,
      cancel_amount: cancelled,
      currency,
      pay_method: row.method,
      pg_provider: row.provider,
      paid_at: paidAt,
      failed_at: failedAt,
      cancelled_at: cancelledAt,
      pg_tid: `tid-${svcUid}`,
      record: entries === undefined ? {} : { cancel_history: entries },
      counted: true,
      fetched_at: updatedAt,
      created_at: createdAt,
      updated_at: updatedAt,
    };
    await query('insert into payments select * from jsonb_populate_record(null::payments, $1)', [stored]);
  }

  /** Returns its id. */
  async function refund(svcUid: string, row: RefundRow): Promise<bigint> {
    const { amount, before = 0, status = 'refunded', startedAt } = row;
    const [inserted] = await query<{ id: string }>(
      `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
       values ($1, $2, $3, 'cold', $4::refund_status, $5) returning id`,
      [svcUid, amount, before, status, startedAt],
    );
    return BigInt(inserted?.id ?? 0);
  }
  return { payment, refund };
}
