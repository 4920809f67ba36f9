// PostgreSQL's plans for our statements, from EXPLAIN.

import { Client } from 'pg';
import type { CapturedStatement } from './captured-statements';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Subplan Name'?: string;
  Plans?: Node[];
  [more: string]: unknown;
};

export type Plan = { statement: CapturedStatement; root: Node };

const EXPLAINED = /^\s*(?:\/\* [\w-]+ \*\/\s*)?(?:select|with|insert|update|delete)\b/i;

/** Explains each statement as its session would plan it: prepared ones with a generic plan, others with their values. */
export async function explainAll(
  databaseUrl: string,
  statements: readonly CapturedStatement[],
): Promise<Plan[]> {
  const plans: Plan[] = [];
  const explained = statements.filter(({ text }) => EXPLAINED.test(text));
  for (const options of new Set(explained.map((statement) => statement.options))) {
    const client = new Client({ connectionString: databaseUrl, options });
    await client.connect();
    try {
      for (const statement of explained.filter((each) => each.options === options))
        plans.push({ statement, root: await explain(client, statement) });
    } finally {
      await client.end();
    }
  }
  return plans;
}

async function explain(client: Client, { text, values, prelude, name }: CapturedStatement): Promise<Node> {
  await client.query('begin');
  try {
    for (const set of prelude) await client.query(set.text, set.values);
    const explained =
      name !== null
        ? await client.query(`explain (generic_plan, format json) ${text}`)
        : await client.query(`explain (format json) ${text}`, values);
    const [row] = explained.rows as [{ 'QUERY PLAN': [{ Plan: Node }] }];
    return row['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('rollback');
  }
}

/** Every index that a plan reads. */
export function indexesOf({ root }: Plan): string[] {
  return [...nodesOf(root)].flatMap(({ node }) => node['Index Name'] ?? []);
}

export type IndexFacts = { firstColumn: string; isPartial: boolean };

/** Returns the indexes, keyed by name. */
export async function readIndexes(client: Client): Promise<Map<string, IndexFacts & { table: string }>> {
  const { rows } = await client.query<IndexFacts & { name: string; table: string }>(
    `select indexrelid::regclass::text as name, indrelid::regclass::text as "table",
       pg_get_indexdef(indexrelid, 1, true) as "firstColumn", indpred is not null as "isPartial"
     from pg_index i join pg_class t on t.oid = i.indrelid where t.relnamespace = 'public'::regnamespace order by 1`,
  );
  return new Map(rows.map(({ name, ...facts }) => [name, facts]));
}

/**
 * The full scans of a plan: a sequential scan of a table, or an index scan without a condition or limit. A scan of a partial index
 * is not a full scan.
 */
export function wholeReads(
  { root }: Plan,
  tables: readonly string[],
  indexes: ReadonlyMap<string, IndexFacts>,
): string[] {
  const problems: string[] = [];
  for (const { node, table, isLimited, isFiltered } of nodesOf(root)) {
    if (table === undefined || !tables.includes(table)) continue;
    const { 'Node Type': type, 'Index Name': index = '', 'Index Cond': condition = '' } = node;
    if (type === 'Seq Scan') problems.push(`reads all of ${table}`);
    else if (node['Disabled'] === true) problems.push(`has a disabled ${type} of ${table}`);
    const { firstColumn = '', isPartial = false } = indexes.get(index) ?? {};
    if (!type.includes('Index') || isPartial) continue;
    const enters = new RegExp(`\\b${firstColumn}\\b\\)?(?:::\\w+)? = `).test(condition);
    const bounds = new RegExp(`\\b${firstColumn}\\b`).test(condition);
    if (!enters && !isLimited && !bounds) problems.push(`walks all of ${table} along ${index}`);
    if (!enters && isFiltered) problems.push(`may walk past much of ${table} along ${index}`);
  }
  return problems;
}

/** Nodes that read all rows of their input before they return the first. */
const TAKES_ALL = new Set(['Sort', 'Hash', 'Aggregate', 'WindowAgg', 'SetOp', 'BitmapOr', 'BitmapAnd']);

type Found = { node: Node; table: string | undefined; isLimited: boolean; isFiltered: boolean };

function* nodesOf(node: Node, isLimited = false, heap?: Node): Generator<Found> {
  const table = node['Relation Name'] ?? heap?.['Relation Name'];
  yield { node, table, isLimited, isFiltered: (heap ?? node)['Filter'] !== undefined };
  const type = node['Node Type'];
  const below = type === 'Limit' || (isLimited && !TAKES_ALL.has(type));
  const isBitmap = type.startsWith('Bitmap');
  for (const each of node.Plans ?? [])
    // A sub-select runs on its own.
    yield* nodesOf(each, each['Subplan Name'] === undefined && below, isBitmap ? (heap ?? node) : undefined);
}
