// Reads the settings of the platform and of all features. Every problem is reported at once, with its fix, before anything
// starts. `settings.ts` says how a feature describes its own.

import { z } from 'zod';
import { databaseUrlProblem } from './database-url';
import { hostProxy } from './host-proxy';
import { platformSettings } from './platform-settings';
import { problemText } from './problem-text';
import { readSecretFiles } from './secret-files';
import { secretProblems } from './secret-rules';
import { isLoopbackUrl } from './setting-urls';
import { isSecretName, settingsOf, type FeatureSettings, type Given } from './settings';

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
 * @param ofFeatures besides those of the platform
 * @throws ConfigError with all problems at once
 */
export function loadConfig(environment: Given, ofFeatures: readonly FeatureSettings[]): Config {
  const all: readonly FeatureSettings[] = [platformSettings, ...ofFeatures];
  const shape = Object.assign({}, ...all.map((each) => each.shape)) as z.ZodRawShape;
  const names = Object.keys(shape);
  const { settings, problems: fileProblems } = readSecretFiles(environment, names.filter(isSecretName));
  const given = withoutBlanks(settings);
  const ours = Object.fromEntries(Object.entries(given).filter(([name]) => name in shape));
  const production = given['NODE_ENV'] === 'production';
  const sandboxValues = Object.assign({}, ...all.map((each) => each.sandboxValues)) as Given;
  const parsed = z
    .object(shape)
    .safeParse(production ? given : { ...sandboxValues, ...given }, { error: problemText });
  const refused = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...all.flatMap(({ problems }) => problems?.(given, production) ?? []),
    ...(production ? secretProblems(all, given) : []),
  ];
  const problems = withReasonsFirst([...fileProblems, ...traceProblems(ours)], refused);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(all, parsed.data, hostProxy(given));
}

/** A blank value counts as not set. */
export function withoutBlanks(given: Given): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
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
export function ownerDatabaseUrl(given: Given): string | null {
  const names = ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_URL'];
  const urls = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => names.includes(name.replace(/_FILE$/, '')) && value?.trim(),
    ),
  );
  const { settings, problems } = readSecretFiles(urls, names);
  const name = names.find((each) => settings[each]?.trim());
  const problem = name === undefined ? null : databaseUrlProblem(settings[name] ?? '');
  const found = withReasonsFirst(
    [...problems, ...traceProblems(settings)],
    problem === null ? [] : [`${name}: ${problem}`],
  );
  if (found.length > 0) throw new ConfigError(found);
  return name === undefined ? null : (settings[name] ?? null);
}

/** @param given the values of the settings of all features */
function toConfig(
  all: readonly FeatureSettings[],
  given: Readonly<Record<string, unknown>>,
  proxy: ReturnType<typeof hostProxy>,
) {
  const settings = settingsOf({ values: given }, platformSettings);
  const { SERVICE_V2_BASE_URL: newerUrl, SERVICE_API_KEY: apiKey } = settings;
  const production = settings.NODE_ENV === 'production';
  const sandboxMode = !production && isLoopbackUrl(settings.SERVICE_BASE_URL);
  const publicOrigin = settings.PUBLIC_URL === undefined ? null : new URL(settings.PUBLIC_URL).origin;
  const pathPrefix = settings.PATH_PREFIX ?? '';
  return Object.freeze({
    /** Of the settings of all features, with their constants: `settingsOf` gives a feature its own. */
    values: Object.assign({ ...given }, ...all.map(({ constants }) => constants?.(sandboxMode))) as Readonly<
      Record<string, unknown>
    >,
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
      newer: newerUrl === undefined || apiKey === undefined ? null : { baseUrl: newerUrl, apiKey },
    },
    /** The proxy through which the service is called; null: none, whatever the host's variables say. */
    serviceProxy: settings.SERVICE_PROXY ? proxy : null,
    /** Whether this host names a proxy that is not used for a service on another machine. */
    ignoresProxy: proxy !== null && !settings.SERVICE_PROXY && !isLoopbackUrl(settings.SERVICE_BASE_URL),
    trustedProxies: settings.TRUSTED_PROXIES,
    /** Origins of the shop, besides this server, that pages may send the browser back to. */
    returnOrigins: settings.RETURN_URLS,
    /** The look of the member's pages; null: the default. The logo is a file of /static. */
    shop: {
      name: settings.SHOP_NAME ?? null,
      color: settings.SHOP_COLOR ?? null,
      logo: settings.SHOP_LOGO ?? null,
    },
    formSecrets: settings.FORM_SECRET,
    apiKeys: settings.API_KEY,
    logLevel: settings.LOG_LEVEL,
    /** Pages say that no money moves, and offer test cards. */
    sandboxMode,
    /** A service on another machine with the rules of development: `environment.ts` explains the consequences. */
    liveOutsideProduction:
      !production && [settings.SERVICE_BASE_URL, newerUrl].some((url) => url && !isLoopbackUrl(url)),
  });
}

// Traces of another parser in a value. Docker's env files keep quotation marks and comments that dotenv and Node remove, so a
// secret would be another one than the file seems to say.

/** Refused in every setting. */
const TRACES: readonly [trace: RegExp, problem: string][] = [
  [/\r/, 'has a carriage return: the file has the line ends of Windows; save it with those of Unix (LF)'],
  [/^(["'`]).*\1$/s, 'stands in quotation marks, which are a part of the value here; write it without them'],
  [/[\p{Cc}\uFEFF]/u, 'has a control character or a line end; type the value again'],
];

/** Refused in secrets, where none of it can be meant. */
const TRACES_IN_SECRETS: readonly [trace: RegExp, problem: string][] = [
  [/^\s|\s$/, 'has white space at its ends; remove it'],
  [/\s#/, 'has " #": a comment behind a value belongs to the value here; give it a line of its own'],
  [/^["'`]|["'`]$/, 'begins or ends with a quotation mark, which is a part of the value here; remove it'],
  [/[\p{Cf}\u00A0]/u, 'has a character that cannot be seen; type the value again'],
  [/^\$(\{.*\}|\(.*\)|[A-Z_]+)$/s, 'is a reference that nothing has replaced; write the value itself'],
];

/** The first problem of each setting, without its value. */
function traceProblems(given: Given): string[] {
  return Object.entries(given).flatMap(([name, value = '']) => {
    const traces = isSecretName(name) ? [...TRACES, ...TRACES_IN_SECRETS] : TRACES;
    const [, problem] = traces.find(([trace]) => trace.test(value)) ?? [];
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
}
