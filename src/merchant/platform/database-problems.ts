// Checks the connection to PostgreSQL in production: traffic to a database on another host must be encrypted, unless
// the settings say explicitly that it need not be.

import { parseAddressList } from './address-list';

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

/** The problems of a database URL in production. */
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
