// The session of every connection to PostgreSQL: what stored times, time limits and the place of the tables depend on is set
// here, whatever the URL, the role or the database say, and checked at each connection.

import { DatabaseError } from './errors';

/**
 * Each value on its own in a backslash-escaped form, as PostgreSQL splits the text at spaces. The time zone is UTC
 * because the adapter sends dates without an offset. The tables are in "public", also for Prisma's own statements.
 */
const FIXED = [
  'TimeZone=UTC',
  'DateStyle=ISO,MDY',
  'IntervalStyle=postgres',
  'standard_conforming_strings=on',
  'bytea_output=hex',
  'search_path=public',
  'default_transaction_isolation=read\\ committed',
];

/**
 * In milliseconds. A lock held elsewhere must not block a request forever. The server's timeout is shorter than ours
 * (database-pool.ts), so that the server ends and rolls back a slow statement; ours is for a server that is silent. An
 * idle transaction releases its locks.
 */
const LIMITS = { lock_timeout: 2000, statement_timeout: 2500, idle_in_transaction_session_timeout: 5000 };
const LIMITED = Object.entries(LIMITS).map(([name, ms]) => `${name}=${ms}`);

/** PostgreSQL's advice for solid-state disks, so that a batch finds its rows by index and does not scan the table. */
const PLANS = 'random_page_cost=1.1';

/** A migration may take longer than a request, and waits for locks as it says itself. */
const UNLIMITED = Object.keys(LIMITS).map((name) => `${name}=0`);

/** A connection of the driver. */
type Queries = { query<Row extends object>(sql: string): Promise<{ rows: Row[] }> };

type Session = {
  /** `owner`: of migrations, without limits. `pooled`: behind a pooler, where only the role can set them. */
  kind?: 'server' | 'owner' | 'pooled';
  /** More options, such as `-c tcp_keepalives_idle=15`. */
  options?: string;
};

/**
 * The driver's settings for this database. The URL's own `options` come first: of two values PostgreSQL takes the last.
 * @param databaseUrl without `databaseUrlProblem`
 */
export function connectionTo(databaseUrl: string, { kind = 'server', options = '' }: Session = {}) {
  const [address = '', query = ''] = databaseUrl.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  const ofUrl = parameters.getAll('options').at(-1) ?? '';
  // The driver would prefer these to ours.
  parameters.delete('options');
  const ours = { server: [...FIXED, ...LIMITED, PLANS], owner: [...FIXED, ...UNLIMITED], pooled: [] }[kind];
  return {
    connectionString: parameters.size > 0 ? `${address}?${parameters.toString()}` : address,
    options: [ofUrl, options, ...ours.map((each) => `-c ${each}`)].filter(Boolean).join(' '),
  };
}

const CHECKED = [
  'server_encoding',
  'TimeZone',
  'DateStyle',
  'IntervalStyle',
  'standard_conforming_strings',
  'default_transaction_isolation',
];
/** The view `pg_settings` would make a row of every setting that PostgreSQL has, at each new connection. */
const valueOf = (name: string): string => `current_setting('${name}')`;
const CHECK = `values ${[
  ...CHECKED.map((name) => `('${name}', ${valueOf(name)})`),
  ...Object.keys(LIMITS).map(
    (name) => `('${name}', (1000 * extract(epoch from ${valueOf(name)}::interval))::text)`,
  ),
  `('search_path', current_schema()::text)`,
].join(', ')}`;

const RIGHT: Readonly<Record<string, RegExp>> = {
  server_encoding: /^UTF8$/,
  TimeZone: /^(Etc\/)?UTC$/,
  DateStyle: /^ISO\b/,
  IntervalStyle: /^postgres$/,
  standard_conforming_strings: /^on$/,
  search_path: /^public$/,
  default_transaction_isolation: /^read committed$/,
};

/**
 * For each new connection, before its first statement.
 * @throws DatabaseError `WRONG_SETTING_<name>`
 */
export async function checkSession(client: Queries, { hasLimits = true } = {}): Promise<void> {
  const { rows } = await client.query<{ column1: string; column2: string | null }>(CHECK);
  const values = new Map(rows.map(({ column1: name, column2: value }) => [name, value ?? '']));
  const wrong = Object.entries(RIGHT).find(([name, right]) => !right.test(values.get(name) ?? ''));
  if (wrong) throw new DatabaseError(`${WRONG_SETTING}${wrong[0]}`);
  for (const [name, most] of hasLimits ? Object.entries(LIMITS) : []) {
    const ms = Number(values.get(name));
    if (ms === 0 || ms > most) throw new DatabaseError(`${WRONG_SETTING}${name}`);
  }
}

/** Before the name of a setting, in the code of an error. */
export const WRONG_SETTING = 'WRONG_SETTING_';
