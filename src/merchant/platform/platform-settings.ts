// The settings of the platform: where the server listens, its database, the payment service, and the look of its pages.

import { z } from 'zod';
import { databaseProblems, databaseUrlProblem } from './database-url';
import { proxyProblems } from './host-proxy';
import { isOrigin, isPlainHttpUrl, liveUrlProblems } from './setting-urls';
import { addresses, defineSettings, httpUrl, list, onOrOff, required, secrets, type Given } from './settings';
import { shopColor, shopLogo, shopName } from './shop-look';

const port = z.coerce.number('must be a port number').int().min(0).max(65535);

const databaseUrl = required.superRefine((url, context) => {
  const problem = databaseUrlProblem(url);
  if (problem !== null) context.addIssue(problem);
});

export const platformSettings = defineSettings({
  shape: {
    // A misspelt "production" would start with the rules of development.
    NODE_ENV: z
      .enum(['production', 'development', 'test'], 'must be "production", "development" or "test"')
      .default('development'),
    PORT: port.default(3000),
    HOST: z.string().optional(),
    PUBLIC_URL: httpUrl
      .refine(
        (url) => !URL.canParse(url) || new URL(url).pathname === '/',
        'has a path; set it as PATH_PREFIX',
      )
      .optional()
      .describe('The origin under which browsers see this server, with https.'),
    PATH_PREFIX: z
      .string()
      .max(100, 'must have at most 100 characters')
      .regex(/^(\/[\w-]+)+$/, 'must be a path such as /pay, without a slash at its end')
      .optional(),
    DATABASE_URL: databaseUrl.describe(
      'postgresql://merchant_runtime:…@host:5432/merchant?sslmode=verify-full',
    ),
    DATABASE_DIRECT_URL: databaseUrl.optional(),
    DATABASE_OWNER_URL: databaseUrl.optional(),
    SERVICE_BASE_URL: httpUrl.describe('{base_url} of the service, with https.'),
    SERVICE_V2_BASE_URL: httpUrl.optional(),
    SERVICE_KEY: required.describe('REST API key and secret, from the console of the service.'),
    SERVICE_SECRET: required,
    SERVICE_API_KEY: required.optional(),
    SERVICE_PROXY: onOrOff,
    SERVICE_NAME_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 lower-case letters or digits, a letter first')
      .default('svc'),
    TRUSTED_PROXIES: addresses.default([]),
    RETURN_URLS: list
      .refine(
        (entries) => entries.every(isOrigin),
        'must be origins such as https://shop.example.com, without path',
      )
      .transform((entries) => entries.map((entry) => new URL(entry).origin)),
    SHOP_NAME: shopName.optional(),
    SHOP_COLOR: shopColor.optional(),
    SHOP_LOGO: shopLogo.optional(),
    FORM_SECRET: secrets.describe('Signs the forms.'),
    API_KEY: secrets.describe('The key with which your own systems call /api.'),
    LOG_LEVEL: z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be a pino level, such as "info"',
      )
      .default('info'),
  },
  ownSecrets: ['FORM_SECRET', 'API_KEY'],
  serviceSecrets: ['SERVICE_KEY', 'SERVICE_SECRET', 'SERVICE_API_KEY'],
  sandboxValues: {
    SERVICE_BASE_URL: 'http://127.0.0.1:4010',
    SERVICE_V2_BASE_URL: 'http://127.0.0.1:4010',
    SERVICE_KEY: 'sandbox_key',
    SERVICE_SECRET: 'sandbox_secret',
    SERVICE_API_KEY: 'sandbox_api_key',
  },
  problems: (given, production) => [
    ...proxyProblems(given),
    ...(production ? productionProblems(given) : []),
  ],
});

const SINGLE_URLS = ['SERVICE_BASE_URL', 'SERVICE_V2_BASE_URL', 'PUBLIC_URL'];
const DATABASE_URLS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const;

/** What works on a developer's machine and must not go live. */
function productionProblems(given: Given): string[] {
  const single = SINGLE_URLS.map((name) => [name, given[name]] as const);
  const several = list.parse(given['RETURN_URLS']).map((entry) => ['RETURN_URLS', entry] as const);
  const urls = [...single, ...several].flatMap(([name, value]) =>
    value === undefined || !isPlainHttpUrl(value)
      ? []
      : liveUrlProblems(value, null).map((problem) => `${name}: ${problem}`),
  );
  return [
    ...requiredTogether(given),
    ...urls,
    ...DATABASE_URLS.flatMap((name) => databaseProblems(given, name)),
    ...lackOfLog(given),
  ];
}

const NEWER_GENERATION = ['SERVICE_V2_BASE_URL', 'SERVICE_API_KEY'];

/** Pages refuse every Host header except that of PUBLIC_URL. The newer generation needs both of its settings. */
function requiredTogether(given: Given): string[] {
  const missing = NEWER_GENERATION.filter((name) => given[name] === undefined);
  const half = missing.length < NEWER_GENERATION.length ? missing : [];
  return [
    ...(given['PUBLIC_URL'] === undefined
      ? ['PUBLIC_URL: is missing; set the origin under which browsers see this server']
      : []),
    ...half.map(
      (name) =>
        `${name}: is missing; the newer generation needs ${NEWER_GENERATION.join(' and ')}, or neither`,
    ),
  ];
}

/** A decision about money, a refused notification and a failed job are lines of `info`, `warn` and `error`. */
function lackOfLog(given: Given): string[] {
  const level = given['LOG_LEVEL'];
  if (level !== 'silent' && level !== 'fatal') return [];
  return ['LOG_LEVEL: hides refused notifications, decisions and failures; use info, or warn'];
}
