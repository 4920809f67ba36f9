// The way to PostgreSQL in production: rows and passwords of a database on another host do not travel in the clear, unless
// somebody has written down that they may.

import { parseAddressList } from './address-list';

const LOOPBACK = parseAddressList(['127.0.0.0/8', '::1']).list;

/** With these the driver speaks TLS and checks certificate and host name; without sslmode it speaks none at all. */
const VERIFIED_MODES = ['verify-full', 'verify-ca', 'require'];

/**
 * Written out, these are the merchant's own decision: the private network may be encrypted below us, which cannot be seen
 * from here. `npm run doctor` warns of them.
 */
const UNVERIFIED_MODES = ['disable', 'no-verify'];

const ADVICE =
  'add sslmode=verify-full (with sslrootcert=/path/ca.pem for a CA of your own), or write out sslmode=disable where the network itself protects the connection';

/**
 * How the driver (`pg`) reads DATABASE_URL. `local` is loopback or a Unix socket.
 * Returns null where the text is no URL.
 */
export function databaseTransport(
  databaseUrl: string,
): 'local' | 'verified' | 'unverified' | 'undecided' | null {
  const url = parseDatabaseUrl(databaseUrl);
  if (url === null) return null;
  // The driver takes the last one where a parameter is repeated, and its host precedes that of the address.
  const last = (name: string) => url.searchParams.getAll(name).at(-1);
  if (isLocalHost(last('host') || url.hostname)) return 'local';
  const mode = last('sslmode') ?? '';
  if (UNVERIFIED_MODES.includes(mode)) return 'unverified';
  // With this parameter "require" checks no certificate, as in libpq.
  if (last('uselibpqcompat') === 'true' && mode !== 'verify-full') return 'undecided';
  return VERIFIED_MODES.includes(mode) ? 'verified' : 'undecided';
}

/** What is wrong with an address of the database in production. */
export function databaseProblems(
  given: Readonly<Record<string, string | undefined>>,
  name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
): string[] {
  const databaseUrl = given[name];
  if (databaseUrl === undefined) return [];
  switch (databaseTransport(databaseUrl)) {
    case 'local':
    case 'verified':
    case 'unverified':
      return [];
    case 'undecided':
      return [`${name}: does not say how the connection to another host is protected; ${ADVICE}`];
    case null:
      return [`${name}: cannot be read; write special characters of user and password as %XX`];
  }
}

/** A URL with user and without host, as for a Unix socket, is none to `URL`. The driver helps itself in the same way. */
function parseDatabaseUrl(text: string): URL | null {
  const readable = [text, text.replace('@/', '@no-host/')].find((each) => URL.canParse(each));
  return readable === undefined ? null : new URL(readable);
}

/** A path is the folder of a Unix socket. */
function isLocalHost(host: string): boolean {
  return host === 'localhost' || /^(\/|%2f)/i.test(host) || LOOPBACK.includes(host.replace(/^\[|\]$/g, ''));
}
