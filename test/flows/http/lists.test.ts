// The lists of our own rows: the order of each, its pages, and every filter, by a table typed by hand.

import { useWorld } from '../../support/use-world';

const world = useWorld();
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

/** Two rows of each list have the same time, so that only their ids order them. */
beforeAll(async () => {
  const { query } = world.rows;
  for (const [uid, member, status, updated] of [
    ['o-1', 'kim', 'paid', 3],
    ['o-2', 'lee', 'open', 1],
    ['o-3', 'kim', 'open', 2],
    ['o-4', 'kim', 'failed', 2],
  ] as const)
    await query(
      `insert into orders (merchant_uid, name, amount, currency, member_id, status, created_at, updated_at)
       values ($1, 'Tea', 1000, 'KRW', $2, $3::order_status, $4, $4)`,
      [uid, member, status, at(updated)],
    );
  for (const [uid, order, status] of [
    ['svc_1', 'o-1', 'paid'],
    ['svc_2', 'o-1', 'failed'],
  ])
    await query(
      `insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
       values ($1, $2, $3::payment_status, 1000, 'KRW', '{}', now(), now(), now())`,
      [uid, order, status],
    );
  for (const [uid, member, created] of [
    ['k-1', 'kim', 1],
    ['k-2', 'lee', 2],
  ] as const)
    await query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at) values ($1, $2, 'active', $3, $3)`,
      [uid, member, at(created)],
    );
  for (const [id, order, key, status, started, schedule, payment] of [
    ['c-a', 'o-1', 'k-1', 'paid', 1, null, 'svc_1'],
    ['c-b', 'o-2', 'k-2', 'needs_review', 2, null, 'svc_3'],
    ['c-c', 'o-3', 'k-1', 'scheduled', 2, 200, null],
    ['c-d', 'o-4', 'k-2', 'unknown', 0, 100, null],
    ['c-e', 'o-1', 'k-2', 'failed', 3, null, null],
  ] as const)
    await query(
      `insert into charges (id, merchant_uid, customer_uid, status, started_at, schedule_at, svc_uid, kind)
       values ($1, $2, $3, $4::charge_status, $5, $6, $7, case when $6::timestamptz is null then 'again' else 'schedule' end::charge_kind)`,
      [id, order, key, status, at(started), schedule === null ? null : at(schedule), payment],
    );
  for (const [payment, status] of [
    ['svc_1', 'refunded'],
    ['svc_2', 'needs_review'],
    ['svc_1', 'refused'],
  ])
    await query(
      `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at) values ($1, 1, 0, 'x', $2::refund_status, now())`,
      [payment, status],
    );
  for (const [key, status] of [
    ['k-1', 'issued'],
    ['k-2', 'needs_review'],
    ['k-1', 'declined'],
  ])
    await query(
      `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
         privacy_version, consented_at, started_at) values ($1, $3, false, $2::issuance_status, '9012', '1', '1', now(), now())`,
      [key, status, `${key}-${status}`],
    );
  for (const [kind, payment, order, seen, resolved] of [
    ['unknown_order', 'svc_1', 'o-1', 1, false],
    ['amount_mismatch', 'svc_2', 'o-1', 2, true],
    ['amount_mismatch', 'svc_1', 'o-2', 3, false],
  ] as const)
    await query(
      `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at, resolved_at)
       values ($1::discrepancy_kind, $2, $3, $4, $4, $5)`,
      [kind, payment, order, at(seen), resolved ? at(9) : null],
    );
  for (const [payment, order, outcome, received, isOpen] of [
    ['svc_1', 'o-1', 'recorded', 1, false],
    ['svc_2', 'o-1', 'amount_mismatch', 2, false],
    ['svc_1', 'o-2', 'queued', 3, true],
  ] as const)
    await query(
      `insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, outcome, next_attempt_at)
       values ($1, 'legacy', $2, $3, '52.78.100.19', $4::notification_outcome, $5)`,
      [at(received), payment, order, outcome, isOpen ? at(9) : null],
    );
});

type Row = Record<string, unknown>;
/** By path: what names a row, the whole list in its order, and what each filter leaves. */
const LISTS: [
  path: string,
  name: (row: Row) => unknown,
  all: unknown[],
  filters: [query: string, left: unknown[]][],
][] = [
  [
    'orders',
    ({ merchant_uid: uid }) => uid,
    ['o-2', 'o-3', 'o-4', 'o-1'],
    [
      ['member_id=kim', ['o-3', 'o-4', 'o-1']],
      ['status=open', ['o-2', 'o-3']],
      [`updated_from=${at(2).toISOString()}`, ['o-3', 'o-4', 'o-1']],
      [`member_id=kim&status=open&updated_from=${at(2.001).toISOString()}`, []],
    ],
  ],
  [
    'charges',
    ({ id }) => id,
    ['c-e', 'c-c', 'c-b', 'c-a', 'c-d'],
    [
      ['merchant_uid=o-1', ['c-e', 'c-a']],
      ['customer_uid=k-2', ['c-e', 'c-b', 'c-d']],
      ['svc_uid=svc_3', ['c-b']],
      ['status=paid', ['c-a']],
      ['needs_person=true', ['c-b']],
      ['needs_person=false', ['c-e', 'c-c', 'c-a', 'c-d']],
      ['merchant_uid=o-1&customer_uid=k-1', ['c-a']],
    ],
  ],
  [
    'schedules/planned',
    ({ merchant_uid: uid }) => uid,
    ['o-4', 'o-3'],
    [
      ['member_id=kim', ['o-4', 'o-3']],
      ['member_id=lee', []],
      ['merchant_uid=o-3', ['o-3']],
      ['customer_uid=k-2', ['o-4']],
    ],
  ],
  [
    'refunds',
    ({ id }) => id,
    ['3', '2', '1'],
    [
      ['svc_uid=svc_1', ['3', '1']],
      ['status=refunded', ['1']],
      ['needs_person=true', ['2']],
      ['needs_person=false', ['3', '1']],
      ['svc_uid=svc_2&status=refunded', []],
    ],
  ],
  [
    'issuances',
    ({ id }) => id,
    ['3', '2', '1'],
    [
      ['customer_uid=k-1', ['3', '1']],
      ['status=issued', ['1']],
      ['needs_person=true', ['2']],
      ['needs_person=false', ['3', '1']],
    ],
  ],
  [
    'discrepancies',
    ({ id }) => id,
    ['3', '2', '1'],
    [
      ['kind=amount_mismatch', ['3', '2']],
      ['svc_uid=svc_1', ['3', '1']],
      ['merchant_uid=o-1', ['2', '1']],
      ['open=true', ['3', '1']],
      ['open=false', ['2']],
      [`from=${at(2).toISOString()}`, ['3', '2']],
      [`to=${at(2).toISOString()}`, ['2', '1']],
      ['kind=amount_mismatch&open=true', ['3']],
    ],
  ],
  [
    'notifications',
    ({ id }) => id,
    ['3', '2', '1'],
    [
      ['svc_uid=svc_1', ['3', '1']],
      ['merchant_uid=o-1', ['2', '1']],
      ['outcome=recorded', ['1']],
      ['outcome=amount_mismatch', ['2']],
      ['open=true', ['3']],
      ['open=false', ['2', '1']],
      [`from=${at(2).toISOString()}`, ['3', '2']],
      [`to=${at(2).toISOString()}`, ['2', '1']],
    ],
  ],
];

test.each(LISTS)('/api/%s has its order, its pages and its filters', async (path, name, all, filters) => {
  const read = async (query: string) => {
    const { status, body } = await world.api('GET', `/api/${path}?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body as { list: Row[]; next: string | null };
  };
  expect((await read('')).list.map(name)).toEqual(all);
  const paged: unknown[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page = await read(`limit=1${next && `&after=${next}`}`);
    expect(page.list).toHaveLength(1);
    paged.push(...page.list.map(name));
    next = page.next;
  }
  expect(paged).toEqual(all);
  for (const [query, left] of filters)
    expect([query, (await read(query)).list.map(name)]).toEqual([query, left]);
});

test('an order is listed with its payments, the oldest first', async () => {
  const { body } = await world.api('GET', '/api/orders?status=paid');
  const uids = body.list[0].payments.map(({ svc_uid }: { svc_uid: string }) => svc_uid);
  expect(uids).toEqual(['svc_1', 'svc_2']);
});
