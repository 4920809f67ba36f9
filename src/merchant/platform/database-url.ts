// How the URL of a database is read, and what is refused in one: another database system, special characters that were not
// encoded, parameters without an effect here and, in production, a connection that is not protected.

import { parseAddressList } from './address-list';

/** The settings that hold such a URL. */
type DatabaseUrlName = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL';

const LOOPBACK = parseAddressList(['127.0.0.0/8', '::1']).list;

/** With these modes the driver uses TLS and verifies certificate and host name. Without sslmode it uses no TLS. */
const VERIFIED_MODES = ['verify-full', 'verify-ca', 'require'];

/**
 * Set explicitly, these are the merchant's decision: a private network may be encrypted at a lower layer, which we
 * cannot see. `npm run doctor` warns about them.
 */
const UNVERIFIED_MODES = ['disable', 'no-verify'];

const ADVICE =
  'add sslmode=verify-full (with sslrootcert=/path/ca.pem for a CA of your own), or write out sslmode=disable where the network itself protects the connection';

/** The parameters that the driver reads and that leave our session as it is (database-session.ts). */
const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'ssl',
  'uselibpqcompat',
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'options',
];

const OWN_DATABASE =
  'the tables are in the schema "public": leave it out, and give the merchant a database of its own';
const OWN_LIMITS = 'the server sets its own limits and numbers of connections: leave it out';

/** Parameters of other drivers, and what to do instead. */
const FOREIGN: readonly [names: RegExp, instead: string][] = [
  [/^(schema|currentSchema|search_path)$/i, OWN_DATABASE],
  [
    /^pgbouncer$/,
    'leave it out, and set DATABASE_DIRECT_URL to the address of PostgreSQL without the pooler',
  ],
  [/limit|timeout|pool|max|keepalive|tcp_/i, OWN_LIMITS],
  [
    /ssl|tls|channel_binding|gss/i,
    'leave it out; sslmode=verify-full with sslrootcert protects the connection',
  ],
  [
    /timezone|datestyle|encoding/i,
    'the server sets its own time zone, format of dates and encoding: leave it out',
  ],
];

const ENCODE =
  'cannot be read; write special characters of user and password as %XX: @ is %40, : is %3A, / is %2F, # is %23, ? is %3F, % is %25';

/** Why the URL cannot be used anywhere; null if it can. No text repeats a value. */
export function databaseUrlProblem(databaseUrl: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    return 'must begin with postgresql://; the merchant works with no other database than PostgreSQL';
  const url = parseDatabaseUrl(databaseUrl);
  const [authority = ''] = databaseUrl.replace(/^\w+:\/\//, '').split(/[/?]/, 1);
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(','))
    return 'names several hosts; name the one address that leads to the primary';
  // A raw "/", "#" or "?" ends the part with the password too early, and the rest of it follows the host.
  const isCut =
    url === null || url.hash !== '' || (url.username === '' && /@/.test(url.pathname + url.search));
  if (isCut || /%(?![0-9a-f]{2})/i.test(databaseUrl)) return ENCODE;
  const problems = [...new Set(url.searchParams.keys())].flatMap((name) => parameterProblem(name) ?? []);
  if (movesTables(url.searchParams.getAll('options').at(-1) ?? ''))
    problems.push(`has options with another search_path: ${OWN_DATABASE}`);
  return problems.length > 0 ? problems.join('; ') : null;
}

function parameterProblem(name: string): string | null {
  if (PARAMETERS.includes(name)) return null;
  const shown = /^\w{1,40}$/.test(name) ? `"${name}"` : 'a parameter';
  const [, instead] = FOREIGN.find(([names]) => names.test(name)) ?? [];
  return `has ${shown}, which has no effect here; ${instead ?? `leave it out (${PARAMETERS.join(', ')} have one)`}`;
}

/** Whether `options` of the URL name another schema than "public" as the first one. */
function movesTables(options: string): boolean {
  const [, path] = /(?:-c\s*|--)search_path\s*=\s*((?:\\.|[^\s\\])*)/i.exec(options) ?? [];
  return path !== undefined && !/^["']?public\b/.test(path);
}

/**
 * How the driver (`pg`) reads DATABASE_URL. `local` is loopback or a Unix socket.
 * Returns null if the text is not a URL.
 */
export function databaseTransport(
  databaseUrl: string,
): 'local' | 'verified' | 'unverified' | 'undecided' | null {
  const url = parseDatabaseUrl(databaseUrl);
  if (url === null) return null;
  // The driver uses the last value of a repeated parameter, and prefers the `host` parameter to the host of the URL.
  const last = (name: string) => url.searchParams.getAll(name).at(-1);
  if (isLocalHost(last('host') || url.hostname)) return 'local';
  const mode = last('sslmode') ?? '';
  if (UNVERIFIED_MODES.includes(mode)) return 'unverified';
  // With this parameter "require" checks no certificate, as in libpq.
  if (last('uselibpqcompat') === 'true' && mode !== 'verify-full') return 'undecided';
  return VERIFIED_MODES.includes(mode) ? 'verified' : 'undecided';
}

/** The problems of a database URL in production, besides those that it has everywhere. */
export function databaseProblems(
  given: Readonly<Record<string, string | undefined>>,
  name: DatabaseUrlName,
): string[] {
  const databaseUrl = given[name];
  if (databaseUrl === undefined || databaseTransport(databaseUrl) !== 'undecided') return [];
  return [`${name}: does not say how the connection to another host is protected; ${ADVICE}`];
}

/**
 * `URL` does not parse a URL with a user and no host, as used for a Unix socket. The driver uses the same workaround.
 */
function parseDatabaseUrl(text: string): URL | null {
  const readable = [text, text.replace('@/', '@no-host/')].find((each) => URL.canParse(each));
  return readable === undefined ? null : new URL(readable);
}

/** A path is the directory of a Unix socket. */
function isLocalHost(host: string): boolean {
  return host === 'localhost' || /^(\/|%2f)/i.test(host) || LOOPBACK.includes(host.replace(/^\[|\]$/g, ''));
}
