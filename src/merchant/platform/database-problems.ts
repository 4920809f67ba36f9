// Why PostgreSQL cannot be used, and what to do about it, by the code of the error. What PostgreSQL has named is never
// told as "it does not answer".

import { WRONG_SETTING } from './database-session';

/** `says` continues a sentence that begins with "The database"; `fix` is a sentence. */
type DatabaseReason = { says: string; fix: string };

const RUNNING = 'Is it running, and is DATABASE_URL right? Without DATABASE_URL, npm start must be running.';
const CREDENTIALS =
  'Check user and password of DATABASE_URL; special characters of a password are written as %XX. pg_hba.conf of the server must admit this host.';
const MIGRATE = 'Run: npm run migrate';
const ROLES = 'Run deploy/postgres-roles.sql, and sign in as merchant_runtime.';
const LATER =
  'Nothing has to be done, unless it lasts: see pg_stat_activity for the statement that holds it up.';
const AGAIN = 'The next attempt uses a new connection. If it lasts, see the log of PostgreSQL.';

/** `create database` that works on every server, whatever the locale of its cluster is. */
export const CREATE_DATABASE =
  "create database merchant encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0";

const NO_ANSWER: DatabaseReason = { says: 'does not answer', fix: RUNNING };

const REASONS: Readonly<Record<string, DatabaseReason>> = {
  '53300': {
    says: 'has no connection left for this role',
    fix: 'Stop what holds connections (pg_stat_activity), raise max_connections, or use a pooler: docs/04-going-live.md, section 5.',
  },
  '42501': {
    says: 'refuses this role a right that the statement needs',
    fix: 'Run deploy/postgres-roles.sql. What changes the schema uses DATABASE_OWNER_URL, the role that owns the tables.',
  },
  '28P01': { says: 'refuses user or password', fix: CREDENTIALS },
  '28000': { says: 'refuses this user from this host', fix: CREDENTIALS },
  '3D000': {
    says: 'with the name in DATABASE_URL does not exist',
    fix: `Create it: ${CREATE_DATABASE}; deploy/postgres-roles.sql does so too.`,
  },
  '57P03': { says: 'is starting or stopping, or is in recovery', fix: 'Wait until it accepts connections.' },
  '57P01': { says: 'has ended the connection: an administrator stops or restarts it', fix: AGAIN },
  '57P02': { says: 'has ended the connection: one of its processes has crashed', fix: AGAIN },
  '57P04': { says: 'was dropped', fix: 'Restore it, or correct DATABASE_URL.' },
  '57014': { says: 'has cancelled a statement that took too long', fix: LATER },
  '55P03': { says: 'did not get a lock in time', fix: LATER },
  '40001': { says: 'has rolled back a transaction because of another one', fix: LATER },
  '40P01': { says: 'has rolled back a transaction because of a deadlock', fix: LATER },
  '53100': {
    says: 'has no disk space left',
    fix: 'Free space or enlarge the disk. Nothing has to be restarted afterwards.',
  },
  '53200': {
    says: 'has no memory left',
    fix: 'Give the server more memory, or lower work_mem and max_connections.',
  },
  '25006': {
    says: 'is read-only: a standby, or default_transaction_read_only is on',
    fix: 'Let DATABASE_URL lead to the primary. If a provider has made it read-only, its disk may be full.',
  },
  '22P05': {
    says: 'cannot store a character in its encoding',
    fix: `The encoding must be UTF8: dump it, and restore it into a new one: ${CREATE_DATABASE};`,
  },
  '22021': {
    says: 'refuses a character: it is not valid in the encoding',
    fix: 'If the encoding of the database is UTF8 (show server_encoding), the value itself is damaged: the log names the request.',
  },
  '22023': {
    says: 'refuses a parameter of the session, such as a time zone that it does not know',
    fix: 'Correct "options" in DATABASE_URL. UTC needs the time zone files of PostgreSQL (tzdata).',
  },
  '42704': {
    says: 'does not know a setting or an object that a statement names',
    fix: 'Correct "options" in DATABASE_URL. If they are right, a migration is missing: npm run migrate',
  },
  '42P01': { says: 'lacks a table: a migration is missing', fix: MIGRATE },
  '42703': { says: 'lacks a column: a migration is missing', fix: MIGRATE },
  '42883': { says: 'lacks a function: a migration is missing', fix: MIGRATE },
  '3F000': { says: 'lacks a schema: a migration is missing', fix: MIGRATE },
  '0A000': { says: 'does not support a statement', fix: 'PostgreSQL 14 or newer is needed.' },
  '08P01': {
    says: 'refuses how the connection was opened',
    fix: 'A pooler refuses the settings of our session: set DATABASE_DIRECT_URL to the address of PostgreSQL without it.',
  },
  TLS_REFUSED: {
    says: 'offers no TLS, and sslmode asks for it',
    fix: 'Switch TLS on at the server (ssl = on), or write sslmode=disable where the network itself protects the connection.',
  },
  P1011: {
    says: 'could not be reached by TLS: certificate or protocol was refused',
    fix: 'Run npm run doctor for the reason, and check sslmode and sslrootcert in DATABASE_URL.',
  },
  NO_PASSWORD: { says: 'asks for a password, and DATABASE_URL has none', fix: CREDENTIALS },
  NO_CONNECTION: {
    says: 'gave no connection in time: all are in use, or the server does not answer',
    fix: RUNNING,
  },
  ENOTFOUND: {
    says: 'has a host name that cannot be resolved (DNS)',
    fix: 'Check the host in DATABASE_URL.',
  },
  EAI_AGAIN: {
    says: 'has a host name that cannot be resolved now (DNS)',
    fix: 'Check the name server of this machine and the host in DATABASE_URL.',
  },
  ECONNREFUSED: { says: 'refuses connections at this host and port: nothing listens there', fix: RUNNING },
  EHOSTUNREACH: { says: 'cannot be reached: there is no route to its host', fix: RUNNING },
  ENETUNREACH: { says: 'cannot be reached: there is no route to its network', fix: RUNNING },
  ENOENT: {
    says: 'has no socket at the path in DATABASE_URL',
    fix: RUNNING,
  },
  ECONNRESET: { says: 'has closed the connection', fix: AGAIN },
  EPIPE: { says: 'has closed the connection', fix: AGAIN },
  ETIMEDOUT: { says: 'does not answer in time', fix: RUNNING },
};

/** By the first two characters of PostgreSQL's code. */
const CLASSES: Readonly<Record<string, DatabaseReason>> = {
  '08': { says: 'has broken the connection', fix: AGAIN },
  '22': { says: 'refuses a value', fix: 'The log names the request. Restarting does not help.' },
  '23': { says: 'refuses a row that contradicts another one', fix: 'The log names the request.' },
  '28': { says: 'refuses the sign-in', fix: CREDENTIALS },
  '42': { says: 'refuses a statement', fix: `Database and code may be of different versions. ${MIGRATE}` },
  '53': { says: 'has run out of a resource', fix: 'See the log of PostgreSQL.' },
  '57': { says: 'was stopped by an operator', fix: AGAIN },
  '58': { says: 'has an error of its disk or files', fix: 'See the log of PostgreSQL, and check its disk.' },
  XX: {
    says: 'has an internal error',
    fix: 'See the log of PostgreSQL. If data is damaged, restore a backup.',
  },
};

const WRONG_ENCODING: DatabaseReason = {
  says: 'is not in UTF8, so it cannot store every name',
  fix: `Create one, and restore your data into it: ${CREATE_DATABASE};`,
};

/** @param code of PostgreSQL (SQLSTATE), of the driver, of Prisma, or of checkSession */
export function databaseReason(code: string): DatabaseReason {
  if (code.startsWith(WRONG_SETTING)) return wrongSetting(code.slice(WRONG_SETTING.length));
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE';
  return REASONS[code] ?? (isSqlState ? CLASSES[code.slice(0, 2)] : undefined) ?? NO_ANSWER;
}

/** One sentence with the code, and the remedy. */
export function databaseReasonText(code: string): string {
  const { says, fix } = databaseReason(code);
  return `The database ${says} (${code}). ${fix}`;
}

function wrongSetting(name: string): DatabaseReason {
  if (name === 'server_encoding') return WRONG_ENCODING;
  return {
    says: `has another ${name} in this session than the server relies on`,
    fix: `The role or the database sets it, and a pooler passes on no other. ${ROLES}`,
  };
}
