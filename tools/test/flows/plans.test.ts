// No statement of a store scans a whole large table. The statements are captured while the merchant executes all its functions, and
// explained by PostgreSQL at several table sizes.

import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres';
import { startWorld } from '../../../test/support/world';
import { writeOldBooks } from '../../bench/size/old-books';
import { captureStatements, type CapturedStatement } from '../../proof/plans/captured-statements';
import { doEverything, has } from '../../proof/plans/every-statement';
import { explainAll, indexesOf, readIndexes, wholeReads, type Plan } from '../../proof/plans/plans';

const WITH_MANY_ROWS = [
  'notifications',
  'payments',
  'orders',
  'events',
  'event_deliveries',
  'billing_keys',
  'charges',
  'refunds',
];
const LARGE = [...WITH_MANY_ROWS, 'billing_key_issuances', 'discrepancies', 'subscriptions', 'notes'];

let statements: CapturedStatement[];
let database: TestDatabase;
let client: Client;
/** Where tables have many rows, without statistics and with them. */
const plans: Record<string, Plan[]> = {};

beforeAll(async () => {
  const world = await startWorld();
  try {
    statements = await captureStatements(() => doEverything(world));
  } finally {
    await world.close();
  }
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  for (const table of LARGE) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await client.query('set session_replication_role = replica');
  await writeOldBooks(client, { payments: 20_000, orders: 20_000, old: 100 });
  plans['20,000 rows without statistics'] = await explainAll(database.url, statements);
  await client.query('analyze');
  plans['20,000 rows'] = await explainAll(database.url, statements);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A page, with one row that says whether there is another. */
const MOST_ROWS = 1001;
/** As PostgreSQL estimates them with statistics. */
const rowsOf = ({ root }: Plan) => Number(root['Plan Rows']);

/** Prisma names every column. */
const briefly = ({ statement }: Plan) =>
  statement.text
    .replace(/\s+/g, ' ')
    .replace(/^ ?(?:SELECT "|select id, received_at as ).*? from (?=["n])/i, 'SELECT … FROM ')
    .replaceAll('"public".', '')
    .slice(0, 420);

/** Statements that read rows of an index which do not match, and why these are few. */
const SHORT_WALKS: [text: RegExp, why: string][] = [
  [/"updated_at" > \$\d OR "orders"\."merchant_uid" > /, 'past orders of the cursor’s own millisecond'],
  [/"started_at" < \$\d OR "charges"\."id" < /, 'past charges of the cursor’s own millisecond'],
  [/where true and next_attempt_at is null order by id/, 'nearly all notifications are done'],
  [/where true and outcome = \$1::notification_outcome order by id/, 'recorded and unchanged: most of them'],
  [/from notifications .* id [<>]= coalesce/i, 'the period itself, and an hour: ids are bounded as well'],
  [/outcome = 'test' and outcome not in/, '30 days at most, for a command'],
  [
    /"discrepancies"\."(resolved_at" IS NOT NULL|kind" = CAST\(\$1::text AS "discrepancy_kind"\)) ORDER/,
    'discrepancies are few',
  ],
  [/"status" <> CAST\(\$1::text AS "(charge|refund|issuance)_status"\) ORDER/, 'few need a person'],
  [/p\.cancel_amount = p\.amount as "isRefunded"/, '90 days, for a command'],
  [/\(k\.created_at, k\.customer_uid\) < \(/, 'past keys of the cursor’s own millisecond'],
  [/from billing_keys k where k\.status = /, 'most keys are active'],
  [/from payments p where p\.status = \$1::payment_status order by/, 'most payments are paid'],
  [/from orders where status = \$1::order_status order by updated_at/, 'most orders are paid'],
  [/delete from notifications where id in/, 'few of the old ones are open'],
  [/delete from discrepancies where id in/, 'few of the old ones are open'],
];
/**
 * Unique indexes that only inserts read, indexes for the check of a foreign key, and that of the import of settlement files,
 * which has no route.
 */
const UNREAD = [
  'billing_key_issuances_form_nonce_key',
  'notes_pkey',
  'payments_of_pg_tid',
  'refunds_of_discrepancy',
];
/** Indexes that only statements of an option read. They and its tables remain without the option. */
const OF_OPTIONS: Record<string, string> = {
  billing_key_issuances_digits: 'erasure',
  billing_keys_created_at_idx: 'operator',
  billing_keys_status_created_at_idx: 'operator',
  notes_subject_subject_id_id_idx: 'operator',
  orders_of_buyer_email: 'operator',
  orders_of_buyer_name: 'operator',
  orders_of_buyer_tel: 'operator',
  orders_of_member: 'erasure',
  payments_refunded: 'ledger',
  payments_with_key: 'erasure',
  payments_without_time: 'ledger',
  payments_by_time: 'operator',
  payments_by_status: 'operator',
  payments_moved: 'ledger',
  payments_of_approval: 'operator',
  subscriptions_created_at_idx: 'subscriptions',
  subscriptions_due: 'subscriptions',
  subscriptions_member_id_created_at_idx: 'subscriptions',
  subscriptions_needing_person: 'subscriptions',
  subscriptions_status_created_at_idx: 'subscriptions',
};
const isAnalysed = (size: string) => size.endsWith(' rows');

/** A small table may be read completely. A cached plan is replaced with its connection. */
test.each(['20,000 rows without statistics', '20,000 rows'])(
  'no statement reads a whole large table: %s',
  async (size) => {
    const indexes = await readIndexes(client);
    // PostgreSQL collects statistics within a minute or two. Until then only frequent statements matter.
    const which = (plans[size] ?? []).filter(({ statement }) => isAnalysed(size) || statement.name !== null);
    const problems = which.flatMap((plan) =>
      wholeReads(plan, WITH_MANY_ROWS, indexes)
        .map((problem) => `${problem}: ${briefly(plan)}`)
        .filter((problem) => !SHORT_WALKS.some(([text]) => text.test(problem))),
    );
    expect(problems).toEqual([]);
  },
);

test('M15 no statement returns more than a thousand rows at a time', () => {
  const long = (plans['20,000 rows'] ?? []).filter((plan) => rowsOf(plan) > MOST_ROWS);
  expect(long.map((plan) => `${rowsOf(plan)} rows: ${briefly(plan)}`)).toEqual([]);
});

test('every index is used by a statement', async () => {
  const used = new Set(Object.values(plans).flat().flatMap(indexesOf));
  const indexes = [...(await readIndexes(client))].filter(([, { table }]) => LARGE.includes(table));
  const unread = indexes.map(([name]) => name).filter((name) => !used.has(name));
  const isOfMissing = (name: string) => name in OF_OPTIONS && !has(OF_OPTIONS[name] ?? '');
  expect(unread.filter((name) => !isOfMissing(name))).toEqual(UNREAD);
});

test('the statements that PostgreSQL keeps plans of are among them', () => {
  const names = statements.flatMap(({ name }) => name ?? []);
  // These flows do not send the statements of one attempt or one removal.
  expect(names).toEqual(
    expect.arrayContaining([
      'claim-deliveries',
      'update-order-status',
      'upsert-discrepancies',
      'publish-events',
      'read-snapshots',
      'save-deliveries',
      'save-events',
      'save-payments',
      'save-results',
      'store-notifications',
    ]),
  );
});
