// Writes data of several years for plans and measurements: orders with several payment attempts each, their notifications and
// all dependent rows. Rows are written in order of time, by statements of at most a million rows.

import type { Client } from 'pg';

/** Each of `payments` has one notification; `old` of these are past the retention time. */
export type BookSizes = { payments: number; orders: number; old: number };

const STEP = 1_000_000;

/** Inserts the rows $1 to $2 of a table. $3 is the number of orders, $4 of payments, $5 of old notifications. */
type Rows = { table: string; count: (sizes: BookSizes) => number; sql: string };

/** The time of order or payment `n` of `count`: old ones 500 to 410 days ago, the others within the last 390. */
const time = (n: string, count: string, old: string) => `(case when (${n}) <= (${old})
  then now() - interval '500 days' + (${n})::float8 / (${old})::float8 * interval '90 days'
  else now() - interval '390 days' + (${n})::float8 / (${count})::float8 * interval '389 days' end)`;
const ORDER_TIME = time('n', '$3', '$5::float8 * $3 / $4');
const PAYMENT_TIME = time('n', '$4', '$5');
/** The payments of an order are consecutive: the last is paid, those before have failed. */
const ORDER_OF = `'old-' || lpad(((n - 1) * $3::bigint / $4::bigint + 1)::text, 9, '0')`;
const IS_PAID = `(n * $3::bigint / $4::bigint <> (n - 1) * $3::bigint / $4::bigint)`;

const ROWS: readonly Rows[] = [
  {
    table: 'orders',
    count: ({ orders }) => orders,
    sql: `insert into orders (merchant_uid, name, amount, currency, member_id, status, version, created_at, updated_at)
      select 'old-' || lpad(n::text, 9, '0'), '우롱차 선물 세트', 12000, 'KRW',
        case when n % 2 = 0 then 'member-' || n % 100000 end,
        (case when n % 1000 < 920 then 'paid' when n % 1000 < 950 then 'cancelled' when n % 1000 < 970 then 'failed'
          when n % 1000 < 990 then 'closed' when n % 1000 < 997 then 'partially_cancelled'
          when n % 1000 < 999 then 'open' else 'awaiting_deposit' end)::order_status, 2, ${ORDER_TIME},
        ${ORDER_TIME} + interval '2 minutes'
      from generate_series($1::bigint, $2::bigint) as n where $4::bigint > 0 and $5::bigint >= 0`,
  },
  {
    table: 'payments',
    count: ({ payments }) => payments,
    sql: `insert into payments (svc_uid, merchant_uid, status, amount, currency, pay_method, pg_provider, pg_tid, apply_num,
        card_name, card_number, customer_uid, started_at, paid_at, failed_at, fail_reason, record, fetched_at,
        created_at, updated_at)
      select 'svc_' || lpad(n::text, 12, '0'), ${ORDER_OF}, (case when ${IS_PAID} then 'paid' else 'failed' end)::payment_status,
        12000, 'KRW', 'card', 'nice', 'sandbox_mid_' || n, case when ${IS_PAID} then '23128046' end, '현대카드',
        '4242-42**-****-4242', case when n % 10 = 3 then 'key-' || n % 200000 end, at, case when ${IS_PAID} then at end,
        case when not ${IS_PAID} then at end, case when not ${IS_PAID} then '한도 초과' end,
        jsonb_build_object('svc_uid', 'svc_' || lpad(n::text, 12, '0'), 'merchant_uid', ${ORDER_OF}, 'amount', 12000,
          'currency', 'KRW', 'status', case when ${IS_PAID} then 'paid' else 'failed' end, 'pay_method', 'card',
          'name', '우롱차 선물 세트', 'card_code', '367', 'buyer_name', '홍길동'), at, at, at
      from generate_series($1::bigint, $2::bigint) as n, lateral (select ${PAYMENT_TIME} as at) t
      where $5::bigint >= 0`,
  },
  {
    table: 'notifications',
    count: ({ payments }) => payments,
    sql: `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address, request_id,
        outcome, attempts, judged_at)
      select at, 'legacy', 'svc_' || lpad(n::text, 12, '0'), ${ORDER_OF}, case when ${IS_PAID} then 'paid' else 'failed' end,
        '52.78.100.19', gen_random_uuid(),
        (case when n % 10000 = 7 then 'amount_mismatch' when n % 100 = 9 then 'unchanged' else 'recorded' end)::notification_outcome,
        1, at
      from generate_series($1::bigint, $2::bigint) as n, lateral (select ${PAYMENT_TIME} as at) t
      where $5::bigint >= 0`,
  },
  {
    table: 'events',
    count: ({ orders }) => orders,
    sql: `insert into events (stream, version, type, data, occurred_at, position)
      select 'old-' || lpad(n::text, 9, '0'), 2, 'order.paid', jsonb_build_object('merchant_uid', 'old-' || lpad(n::text, 9, '0'),
          'status', 'paid', 'previous_status', 'open', 'version', 2, 'amount', 12000, 'currency', 'KRW', 'member_id', null,
          'svc_uid', 'svc_' || lpad((n * $4::bigint / $3::bigint)::text, 12, '0')), ${ORDER_TIME},
        nextval('events_position_seq')
      from generate_series($1::bigint, $2::bigint) as n where $5::bigint >= 0`,
  },
  {
    table: 'event_deliveries',
    count: ({ orders }) => orders,
    sql: `insert into event_deliveries (event_id, target, stream, attempts, delivered_at)
      select id, 'handler', stream, 1, occurred_at from events
      where position between $1::bigint and $2::bigint and $3::bigint > 0 and $4::bigint > 0 and $5::bigint >= 0`,
  },
  {
    table: 'discrepancies',
    count: ({ payments }) => Math.floor(payments / 1_000),
    sql: `insert into discrepancies (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at, resolved_at)
      select 'amount_mismatch', 'svc_' || lpad((n * 1000)::text, 12, '0'), 'old-' || lpad(n::text, 9, '0'), '12000 KRW', '1 KRW',
        at, at, case when n % 50 <> 0 then at end
      from generate_series($1::bigint, $2::bigint) as n,
        lateral (select ${time('n', '$4::float8 / 1000', '$5::float8 / 1000')} as at) t where $3::bigint > 0`,
  },
  {
    table: 'billing_keys',
    count: ({ orders }) => Math.floor(orders / 5),
    sql: `insert into billing_keys (customer_uid, member_id, status, card_number, card_name, created_at, updated_at)
      select 'key-' || n, 'member-' || n % 100000, 'active', '4242-42**-****-4242', '현대카드', at, at
      from generate_series($1::bigint, $2::bigint) as n, lateral (select now() - interval '300 days' + n * interval '1 second' as at) t
      where $3::bigint > 0 and $4::bigint > 0 and $5::bigint >= 0`,
  },
  {
    table: 'billing_key_issuances',
    count: ({ orders }) => Math.floor(orders / 5),
    sql: `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
        privacy_version, consented_at, started_at, resolved_at)
      select 'key-' || n, 'nonce-' || n, false, 'issued', '4242', '1', '1', at, at, at
      from generate_series($1::bigint, $2::bigint) as n, lateral (select now() - interval '300 days' as at) t
      where $3::bigint > 0 and $4::bigint > 0 and $5::bigint >= 0`,
  },
  {
    table: 'charges',
    count: ({ orders }) => Math.floor(orders / 3),
    sql: `insert into charges (id, merchant_uid, kind, customer_uid, status, svc_uid, started_at, resolved_at)
      select translate(md5(n::text), '0123456789', 'ghijklmnop'), 'old-' || lpad((n * 3)::text, 9, '0'), 'again', 'key-' || n % 200000,
        (case when n % 5 = 0 then 'failed' else 'paid' end)::charge_status,
        'svc_' || lpad((n * 3 * $4::bigint / $3::bigint)::text, 12, '0'), at, at
      from generate_series($1::bigint, $2::bigint) as n,
        lateral (select ${time('n', '$3::float8 / 3', '0')} as at) t where $5::bigint >= 0`,
  },
  {
    table: 'refunds',
    count: ({ orders }) => Math.floor(orders / 30),
    sql: `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at, resolved_at)
      select 'svc_' || lpad((n * 30 * $4::bigint / $3::bigint)::text, 12, '0'), 12000, 0, 'cold', 'refunded', at, at
      from generate_series($1::bigint, $2::bigint) as n,
        lateral (select ${time('n', '$3::float8 / 30', '0')} as at) t where $5::bigint >= 0`,
  },
  {
    table: 'subscriptions',
    count: ({ orders }) => Math.floor(orders / 100),
    sql: `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
        payment_at, check_at, status, created_at, updated_at)
      select 'sub-' || n, 'key-' || n, 'member-' || n % 100000, 'Tea of the month', 12000, 'KRW', 'month', at,
        now() + interval '20 days', now() + interval '20 days', 'active', at, at
      from generate_series($1::bigint, $2::bigint) as n, lateral (select now() - interval '300 days' as at) t
      where $3::bigint > 0 and $4::bigint > 0 and $5::bigint >= 0`,
  },
];

/** The filled tables, in order of their foreign keys. */
export const BOOK_TABLES = ROWS.map(({ table }) => table);

/** @param onTable is called for each filled table, with its number of rows */
export async function writeOldBooks(
  database: Pick<Client, 'query'>,
  sizes: BookSizes,
  onTable: (table: string, rows: number) => unknown = () => undefined,
): Promise<void> {
  const { payments, orders, old } = sizes;
  for (const { table, count, sql } of ROWS) {
    const total = count(sizes);
    for (let from = 1; from <= total; from += STEP)
      await database.query(sql, [from, Math.min(from + STEP - 1, total), orders, payments, old]);
    await onTable(table, total);
  }
}
