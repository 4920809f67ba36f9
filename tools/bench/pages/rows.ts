// Rows for the lists: ten thousand of each kind, all resolved, so that no job processes them.

import type { Client } from 'pg';

const ROWS = 10_000;

const STATEMENTS = [
  `insert into orders (merchant_uid, name, amount, currency, status, version, created_at, updated_at)
   select 'list-' || n, 'Tea', 1000, 'KRW', 'paid', 1, now() - interval '30 days', now() - interval '30 days' + n * interval '1 second'`,
  `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address, outcome,
     attempts, judged_at)
   select now() - interval '30 days', 'legacy', 'svc_' || n, 'list-' || n, 'paid', '52.78.100.19', 'recorded', 1,
     now() - interval '30 days'`,
  `insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
   select 'svc_' || n, 'list-' || n, 'paid', 1000, 'KRW', '{}', now(), now(), now()`,
  `insert into discrepancies (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at, resolved_at,
     resolution, resolved_by, resolution_note)
   select 'amount_mismatch', 'svc_other_' || n, 'list-' || n, '1000 KRW', '900 KRW', now(), now(), now(), 'ignored',
     'bench', 'a test of ours'`,
  `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at, resolved_at)
   select 'charge' || n, 'list-' || n, 'again', 'card_' || n, 'paid', now(), now()`,
  `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at, resolved_at)
   select 'svc_' || n, 100, 0, 'too much', 'refunded', now(), now()`,
  `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
   select 'card_' || n, 'member_of_list', 'removed', now() - interval '30 days', now() - interval '30 days'`,
  `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
     privacy_version, consented_at, started_at, resolved_at)
   select 'card_' || n, 'nonce-' || n, false, 'issued', '1111', '1', '1', now(), now(), now()`,
  `insert into events (stream, version, type, data, occurred_at, position)
   select 'list-' || n, 1, 'order.paid',
     jsonb_build_object('merchant_uid', 'list-' || n, 'status', 'paid', 'previous_status', 'open', 'version', 1,
       'amount', 1000, 'currency', 'KRW', 'member_id', null, 'svc_uid', 'svc_' || n), now(), n`,
];

export async function addRows(database: Client): Promise<void> {
  for (const statement of STATEMENTS)
    await database.query(`${statement} from generate_series(1, $1::int) as n`, [ROWS]);
  await database.query('vacuum analyze');
}
