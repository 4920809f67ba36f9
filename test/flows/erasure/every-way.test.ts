// Every way in which rows name a member, and every text of those rows: an erasure blanks all but what the table below keeps, and
// changes nothing of another member.

import { FEATURES } from '../../../src/merchant/features';
import { eraseMember } from '../../../src/merchant/options/erasure/erase-member';
import { startErasure } from '../../../src/merchant/options/erasure/erasure-store';
import { useRunningContext } from '../../support/use-world';
import { ALL_MEMBER_ROWS, createMemberRows } from './member-rows';

const running = useRunningContext();
beforeEach(() => running.rows.query(ALL_MEMBER_ROWS));

const query = <Row>(sql: string, values: unknown[] = []) => running.rows.query<Row>(sql, values);
const { key, order, subscription, link } = createMemberRows({ query });

const CANARY = '~canary~';
/** Columns that name rows, or hold values of closed sets. */
const NAMES =
  /^(merchant_uid|svc_uid|customer_uid|next_customer_uid|subscription_id|member_id|id|stream|type|subject_id|form_nonce|token_hash|currency|end_reason|target)$/;

/** Puts a value into every text of these tables that is no name. Returns the columns. */
async function fill(tables: readonly string[]): Promise<string[]> {
  const columns = await query<{ table: string; column: string; type: string; length: number | null }>(
    `select table_name as table, column_name as column, data_type as type, character_maximum_length as length
     from information_schema.columns where table_schema = 'public' and table_name = any($1)
       and data_type in ('character varying', 'character', 'text', 'jsonb')`,
    [tables],
  );
  const filled = columns.filter(({ column }) => !NAMES.test(column));
  for (const { table, column, type, length } of filled) {
    const fields = `{"buyer_name": "${CANARY}", "member": "${CANARY}", "added_later": "${CANARY}"}`;
    const value =
      type === 'jsonb' ? `${column} || '${fields}'` : `left('${CANARY}', ${length ?? CANARY.length})`;
    await query(`update ${table} set ${column} = ${value}`);
  }
  return filled.map(({ table, column }) => `${table}.${column}`);
}

/** Those that a feature says how to erase: an option may be gone, and its table is empty then. */
const ERASED = new Set(FEATURES.flatMap(({ personalData = {} }) => Object.keys(personalData)));
const isErased = (name: string) => ERASED.has(name.split('.')[0] ?? '');

const TABLES = {
  orders: 'merchant_uid',
  payments: 'merchant_uid',
  charges: 'merchant_uid',
  refunds: 'svc_uid',
  refund_requests: 'svc_uid',
  discrepancies: 'merchant_uid',
  billing_keys: 'customer_uid',
  billing_key_issuances: 'customer_uid',
  subscriptions: 'subscription_id',
  card_links: 'token_hash',
};

/** The columns that still have the value, in the rows whose name has this word. */
async function leftIn(columns: readonly string[], word: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of columns) {
    const [table = '', column = ''] = name.split('.');
    const found = await query(
      `select from ${table} where ${TABLES[table as keyof typeof TABLES]} like '%' || $1 || '%' and ${column}::text like '%~c%'`,
      [word],
    );
    if (found.length > 0) left.push(name);
  }
  return left.sort();
}

/** Not personal, or typed by a person of the merchant: the answer to an erasure lists those rows. */
const KEPT = `
  billing_key_issuances.privacy_version billing_key_issuances.settle_note billing_key_issuances.settled_by
  billing_key_issuances.terms_version
  billing_keys.card_code billing_keys.card_name billing_keys.card_type
  billing_keys.issued_by billing_keys.pg_provider
  charges.settle_note charges.settled_by
  discrepancies.actual discrepancies.expected discrepancies.resolution_note discrepancies.resolved_by
  orders.name
  payments.apply_num payments.cancel_reason payments.card_name payments.pay_method payments.pg_provider payments.pg_tid
  payments.receipt_url payments.vbank_code payments.vbank_name
  refund_requests.decided_by refund_requests.reason refund_requests.requested_by
  refunds.cancel_reason refunds.requested_by refunds.settle_note refunds.settled_by
  subscriptions.name subscriptions.next_name`;
const kept = KEPT.trim().split(/\s+/).filter(isErased);

async function everything(word: string, memberId: string, keyUid: string): Promise<void> {
  await key(keyUid, memberId);
  await order(`named-${word}`, { memberId, chargedWith: keyUid, paidWith: keyUid });
  await order(`charged-${word}`, { chargedWith: keyUid });
  await order(`paid-${word}`, { paidWith: keyUid });
  if (isErased('subscriptions')) await subscription(`plan-${word}`, memberId);
  if (isErased('card_links')) await link(`link-${word}`, memberId);
}

const linesWith = async (word: string) =>
  (await running.rows.books()).split('\n').filter((line) => line.includes(word));

test('an erasure finds the rows of a member in every way in which rows name it, and blanks every text that is not kept', async () => {
  await everything('gone', 'member-gone', 'key-gone');
  await everything('other', 'member-other', 'key-other');
  // The member's key has paid for somebody else's order, which stays that person's.
  await order('given-other', { memberId: 'member-other', chargedWith: 'key-gone', paidWith: 'key-gone' });
  // The payment of another order was also reported for an order of the member. Its refund is listed and not changed.
  await query(
    `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at)
     values ('order_mismatch', 'svc_named-other', 'named-gone', now(), now())`,
  );
  const columns = await fill(Object.keys(TABLES).filter(isErased));
  const others = await linesWith('other');
  expect(await leftIn(columns, 'gone')).toEqual([...columns].sort());

  const outcome = await eraseMember(running.context, 'member-gone');
  expect(outcome).toMatchObject({ kind: 'erased', waiting: [] });
  expect(await leftIn(columns, 'gone')).toEqual(kept.toSorted());
  expect(await linesWith('member-gone')).toEqual([]);
  expect(await query(`select from card_links where token_hash = 'link-gone'`)).toEqual([]);
  const told = await query(`select stream from events where data::text like '%gone"%' order by stream`);
  expect(told).toEqual([]);
  expect(await linesWith('other')).toEqual(others);
  const erased = await query<{ uid: string }>(
    'select merchant_uid as uid from orders where erased_at is not null order by 1',
  );
  expect(erased.map(({ uid }) => uid)).toEqual(['charged-gone', 'named-gone', 'paid-gone']);
  // A person has to read what was typed about the three orders and the card.
  const kinds = outcome.toCheck.map(({ kind }) => kind);
  const times = (kind: string, count: number) => Array.from({ length: count }, () => kind);
  expect(kinds).toEqual([
    ...times('charge', 2),
    ...times('discrepancy', 4),
    ...times('issuance', 1),
    ...times('order', 3),
    ...times('payment', 3),
    ...times('refund', 7),
  ]);
});

/** What about the member is there alone. */
const ALONE: [table: string, make: () => Promise<unknown>][] = [
  ['orders', () => order('alone', { memberId: 'gone' })],
  ['billing_keys', () => key('alone', 'gone')],
  ['subscriptions', () => subscription('alone', 'gone')],
  ['card_links', () => link('alone', 'gone')],
  [
    'erasures',
    () =>
      query(
        `insert into erasures (member_id, requested_at, next_attempt_at, to_check) values ('gone', now(), now(), '[]')`,
      ),
  ],
];

test('each of an order, a card, a subscription, a link and an open erasure alone begins an erasure, and nothing does not', async () => {
  for (const [what, make] of ALONE.filter(([table]) => isErased(table))) {
    await make();
    expect([what, (await startErasure(running.context, 'gone')) === null]).toEqual([what, false]);
    expect([what, (await eraseMember(running.context, 'gone')).kind]).toEqual([what, 'erased']);
    expect([what, await linesWith('gone')]).toEqual([what, []]);
    expect([what, await startErasure(running.context, 'gone')]).toEqual([what, null]);
    await query(ALL_MEMBER_ROWS);
  }
});

test('rows are listed for a person for each reason that they can have alone', async () => {
  await key('key-gone', 'gone');
  await order('order-gone', { memberId: 'gone', chargedWith: 'key-gone' });
  await query('truncate notes, refund_requests, refunds');
  const listed = async () => {
    await query('truncate erasures');
    return ((await startErasure(running.context, 'gone')) ?? []).map(({ kind }) => kind);
  };
  expect(await listed()).toEqual([]);
  const typed: [change: string, undo: string, kind: string][] = [
    [`update charges set settle_note = 'x'`, 'update charges set settle_note = null', 'charge'],
    [
      `update discrepancies set resolution_note = 'x'`,
      'update discrepancies set resolution_note = null',
      'discrepancy',
    ],
    [
      `update billing_key_issuances set settle_note = 'x'`,
      'update billing_key_issuances set settle_note = null',
      'issuance',
    ],
    [`update payments set cancel_reason = 'x'`, 'update payments set cancel_reason = null', 'payment'],
    ...(
      [
        ['charge', `select id from charges`],
        ['discrepancy', 'select id::text from discrepancies'],
        ['issuance', 'select id::text from billing_key_issuances'],
        ['order', 'select merchant_uid from orders'],
      ] as const
    ).map(([subject, id]): [string, string, string] => [
      `insert into notes (subject, subject_id, written_by, text, written_at)
       select '${subject}', (${id} limit 1), 'kim', 'x', now()`,
      'truncate notes',
      subject,
    ]),
    ...(
      [
        ['svc_order-gone', null, 'payment'],
        ['svc_other', `(select id from discrepancies)`, 'discrepancy'],
      ] as const
    ).map(([svcUid, discrepancy, kind]): [string, string, string] => [
      `insert into refund_requests (svc_uid, discrepancy_id, amount, balance, reason, needs_account, requested_by, requested_at)
       values ('${svcUid}', ${discrepancy ?? 'null'}, 1, 1, 'x', false, 'kim', now())`,
      'truncate refund_requests',
      kind,
    ]),
    ...['svc_order-gone', 'svc_second_order-gone'].map((svcUid): [string, string, string] => [
      `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
       values ('${svcUid}', 1, 0, 'x', 'refunded', now())`,
      'truncate refunds',
      'refund',
    ]),
  ];
  for (const [change, undo, kind] of typed) {
    await query(change);
    expect([change, await listed()]).toEqual([change, [kind]]);
    await query(undo);
  }
});
