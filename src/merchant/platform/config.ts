// The settings and the rules between them; `settings-schema.ts` has the rule of each. Every problem is reported at once,
// with its fix, before anything starts. environment.ts reads the values.

import { CARD_LIMITS, LOOK_LIMITS, SANDBOX_CARD_LIMITS } from './card-limits';
import { databaseUrlProblem } from './database-url';
import { hostProxy, proxyProblems, type HostProxy } from './host-proxy';
import { problemText } from './problem-text';
import { productionProblems } from './production-rules';
import { readSecretFiles } from './secret-files';
import { SANDBOX_CREDENTIALS } from './secrets';
import { isLoopbackUrl } from './setting-urls';
import { environmentSchema, type Environment } from './settings-schema';
import { traceProblems } from './value-traces';

/** Defaults outside production. In production these variables are required. */
const DEVELOPMENT_DEFAULTS: Record<string, string> = {
  ...SANDBOX_CREDENTIALS,
  SERVICE_BASE_URL: 'http://127.0.0.1:4010',
  SERVICE_V2_BASE_URL: 'http://127.0.0.1:4010',
};

export type Config = ReturnType<typeof toConfig>;

/** All problems of the settings, one per line: "NAME: problem; fix". Values never appear in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`Fix these settings before the merchant can start:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
  }
}

/**
 * Reads the settings; `.env.example` lists each with its meaning.
 * @param environment such as process.env; a blank value counts as not set
 * @throws ConfigError with all problems at once
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const { settings, problems: fileProblems } = readSecretFiles(environment);
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value?.trim()));
  const production = given['NODE_ENV'] === 'production';
  const parsed = environmentSchema.safeParse(production ? given : { ...DEVELOPMENT_DEFAULTS, ...given }, {
    error: problemText,
  });
  const refused = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  refused.push(...orderEventsProblems(given), ...identityProblems(given), ...proxyProblems(given));
  if (production) refused.push(...productionProblems(given));
  const problems = withReasonsFirst([...fileProblems, ...traceProblems(ourSettings(given))], refused);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data, hostProxy(given));
}

function ourSettings(given: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in environmentSchema.shape));
}

/** A value that another parser has spoiled, or a file without one, is the reason of every other problem of its setting. */
function withReasonsFirst(reasons: readonly string[], others: readonly string[]): string[] {
  const settingOf = (problem: string) => (problem.split(':', 1)[0] ?? '').replace(/_FILE$/, '');
  const explained = new Set(reasons.map(settingOf));
  return [...reasons, ...others.filter((problem) => !explained.has(settingOf(problem)))];
}

/**
 * The database for what needs no other setting, such as migrations; null if none is named.
 * @throws ConfigError
 */
export function ownerDatabaseUrl(given: Record<string, string | undefined>): string | null {
  const names = ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_URL'];
  const urls = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => names.includes(name.replace(/_FILE$/, '')) && value?.trim(),
    ),
  );
  const { settings, problems } = readSecretFiles(urls);
  const name = names.find((each) => settings[each]?.trim());
  const problem = name === undefined ? null : databaseUrlProblem(settings[name] ?? '');
  const found = withReasonsFirst(
    [...problems, ...traceProblems(settings)],
    problem === null ? [] : [`${name}: ${problem}`],
  );
  if (found.length > 0) throw new ConfigError(found);
  return name === undefined ? null : (settings[name] ?? null);
}

function toConfig(settings: Environment, proxy: HostProxy | null) {
  const production = settings.NODE_ENV === 'production';
  const sandboxMode = !production && isLoopbackUrl(settings.SERVICE_BASE_URL);
  const publicOrigin = settings.PUBLIC_URL === undefined ? null : new URL(settings.PUBLIC_URL).origin;
  const pathPrefix = settings.PATH_PREFIX ?? '';
  return Object.freeze({
    production,
    port: settings.PORT,
    /** All interfaces in production, where the proxy may be on another machine; loopback elsewhere. */
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    /** The origin under which browsers see this server; null if not set. */
    publicOrigin,
    /** Before the path of every route; empty if there is none. */
    pathPrefix,
    /** Origin and prefix, without a slash at the end: the URL that others put before a path; null if not set. */
    publicUrl: publicOrigin === null ? null : `${publicOrigin}${pathPrefix}`,
    databaseUrl: settings.DATABASE_URL,
    /** PostgreSQL without a pooler, for what needs its own session: jobs, locks, migrations. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /** The role that owns the tables, for what changes the schema or its sequences. The server never uses it. */
    databaseOwnerUrl: settings.DATABASE_OWNER_URL ?? settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /**
     * Whether DATABASE_URL is the address of a connection pooler, which may run each transaction on another connection.
     */
    databaseIsPooled: settings.DATABASE_DIRECT_URL !== undefined,
    service: {
      baseUrl: settings.SERVICE_BASE_URL,
      key: settings.SERVICE_KEY,
      secret: settings.SERVICE_SECRET,
      namePrefix: settings.SERVICE_NAME_PREFIX,
      /** The newer generation (§5.7, §9). Null means that it is switched off. */
      newer: toNewer(settings),
    },
    /** The proxy through which the service is called; null: none, whatever the host's variables say. */
    serviceProxy: settings.SERVICE_PROXY ? proxy : null,
    /** Whether this host names a proxy that is not used for a service on another machine. */
    ignoresProxy: proxy !== null && !settings.SERVICE_PROXY && !isLoopbackUrl(settings.SERVICE_BASE_URL),
    webhook: {
      sourceAddresses: settings.WEBHOOK_SOURCE_ADDRESSES,
      sourceCheck: settings.WEBHOOK_SOURCE_CHECK,
      /** Any of them may have signed a notification of the newer generation; null: its signed form is malformed. */
      secrets: settings.WEBHOOK_SECRET ?? null,
    },
    trustedProxies: settings.TRUSTED_PROXIES,
    /** The payment gateway that issues the keys of the card form (§4.2, `pg`); null: the service chooses. */
    cardPg: settings.CARD_PG ?? null,
    /** Whether to announce each order's amount to the service when it is registered (§4.9, `/payments/prepare`). */
    announceOrders: settings.ANNOUNCE_ORDERS,
    /**
     * Where to post events, the secrets that sign them, and the hosts and ranges that may be private in production;
     * null: nowhere.
     */
    orderEvents: toOrderEvents(settings),
    /** Origins of the shop, besides this server, that pages may send the browser back to. */
    returnOrigins: settings.RETURN_URLS,
    /** The look of the member's pages; null: the default. The logo is a file of /static. */
    shop: {
      name: settings.SHOP_NAME ?? null,
      color: settings.SHOP_COLOR ?? null,
      logo: settings.SHOP_LOGO ?? null,
    },
    /** Days to keep notifications, resolved discrepancies and delivered events. */
    keepNotificationsDays: settings.KEEP_NOTIFICATIONS_DAYS,
    /** In won: what one operator may refund of a payment without a second person; null: there is no limit. */
    refundLimit: settings.REFUND_LIMIT ?? null,
    /** The columns of a settlement file (options/ledger). */
    settlementColumns: settings.SETTLEMENT_COLUMNS,
    formSecrets: settings.FORM_SECRET,
    memberSecrets: settings.MEMBER_SECRET,
    apiKeys: settings.API_KEY,
    operatorPasswords: settings.OPERATOR_PASSWORD,
    /** The header in which a trusted proxy names the operator that it has signed in; null: operators sign in here. */
    operatorIdentityHeader: settings.OPERATOR_IDENTITY_HEADER ?? null,
    logLevel: settings.LOG_LEVEL,
    /** Not configurable by environment variables; tests change them. */
    cardLimits: sandboxMode ? SANDBOX_CARD_LIMITS : CARD_LIMITS,
    lookLimits: LOOK_LIMITS,
    /** Of scrypt. One of the choices of OWASP's Password Storage Cheat Sheet: 32 MiB for each password. */
    passwordCost: { N: 2 ** 15, r: 8, p: 3 },
    /** Pages say that no money moves, and offer test cards. */
    sandboxMode,
    /** A service on another machine with the rules of development: `environment.ts` explains the consequences. */
    liveOutsideProduction:
      !production &&
      [settings.SERVICE_BASE_URL, settings.SERVICE_V2_BASE_URL].some((url) => url && !isLoopbackUrl(url)),
  });
}

function toNewer({ SERVICE_V2_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey }: Environment) {
  return baseUrl === undefined || apiKey === undefined ? null : { baseUrl, apiKey };
}

function toOrderEvents(settings: Environment) {
  const { ORDER_EVENTS_URL: url, ORDER_EVENTS_SECRET: secrets, ORDER_EVENTS_ALLOW: allow } = settings;
  return url === undefined || secrets === undefined ? null : { url, secrets, allow };
}

/** Without a secret, the receiver could not tell a real event from a forged one. */
function orderEventsProblems(given: Record<string, string | undefined>): string[] {
  const [hasUrl, hasSecret] = ['ORDER_EVENTS_URL', 'ORDER_EVENTS_SECRET'].map((name) => name in given);
  if (hasUrl === hasSecret) return [];
  return hasUrl
    ? ['ORDER_EVENTS_SECRET: is missing; make one with: echo whsec_$(openssl rand -base64 32)']
    : [
        'ORDER_EVENTS_URL: is missing; leave ORDER_EVENTS_SECRET out, too, if events are to be posted nowhere',
      ];
}

/** Without a trusted proxy the header is always ignored, so that no operator could sign in. */
function identityProblems(given: Record<string, string | undefined>): string[] {
  if (given['OPERATOR_IDENTITY_HEADER'] === undefined || given['TRUSTED_PROXIES'] !== undefined) return [];
  return ['OPERATOR_IDENTITY_HEADER: needs TRUSTED_PROXIES, the addresses from which it is believed'];
}
