// The rule of each environment variable. `config.ts` has the rules between them.

import { z } from 'zod';
import { DOCUMENTED_SOURCE_ADDRESSES, PG } from '../payment-service/identifiers';
import { isTooWide, parseAddressList } from './address-list';
import { databaseUrlProblem } from './database-url';
import { isSentByOthers } from './request-headers';
import { splitValues } from './secrets';
import { isOrigin, isPlainHttpUrl, wrongHosts } from './setting-urls';
import { settlementColumns } from './settlement-columns';
import { shopColor, shopLogo, shopName } from './shop-look';

/** Values separated by commas. */
const listed = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''));
export const list = listed.default([]);

/** IP addresses and CIDR ranges. Of a proxy, a hop count or "true" would let anybody choose the sender's address. */
const addresses = listed.superRefine((entries, context) => {
  const invalid = parseAddressList(entries).invalid.map((entry) => `"${entry}"`);
  const everyone = entries.filter(isTooWide);
  if (entries.length === 0) context.addIssue('is an empty list; name addresses or leave it out');
  if (invalid.length > 0)
    context.addIssue(
      `${invalid.join(', ')} is not an IP address or CIDR range; hop counts and "true" can be spoofed and are refused; name each address`,
    );
  if (everyone.length > 0)
    context.addIssue(`${everyone.join(', ')} allows everybody, or nearly so; name the real addresses`);
});

const port = z.coerce.number('must be a port number').int().min(0).max(65535);
const required = z.string('is missing').min(1, 'is missing');
const httpUrl = required.refine(
  isPlainHttpUrl,
  'must be an http(s) URL without credentials, query or fragment',
);

const databaseUrl = required.superRefine((url, context) => {
  const problem = databaseUrlProblem(url);
  if (problem !== null) context.addIssue(problem);
});

const onOrOff = z
  .stringbool({ truthy: ['on', 'true'], falsy: ['off', 'false'], error: 'must be "on" or "off"' })
  .default(false);

/** Anyone can sign with an empty secret. */
const secrets = required
  .transform(splitValues)
  .refine((values) => !values.includes(''), { error: 'has an empty entry', abort: true });

/** In the format of Standard Webhooks: `openssl rand -base64 32` with the prefix. */
const STANDARD_WEBHOOKS_SECRET =
  /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const standardWebhooksSecrets = secrets.refine(
  (values) => values.every((value) => STANDARD_WEBHOOKS_SECRET.test(value)),
  'must be "whsec_" and 24 to 64 bytes as base64',
);

export const environmentSchema = z.object({
  // A misspelt "production" would start with the rules of development.
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be "production", "development" or "test"')
    .default('development'),
  PORT: port.default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: httpUrl
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'has a path; set it as PATH_PREFIX')
    .optional(),
  PATH_PREFIX: z
    .string()
    .max(100, 'must have at most 100 characters')
    .regex(/^(\/[\w-]+)+$/, 'must be a path such as /pay, without a slash at its end')
    .optional(),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  SERVICE_BASE_URL: httpUrl,
  SERVICE_V2_BASE_URL: httpUrl.optional(),
  SERVICE_KEY: required,
  SERVICE_SECRET: required,
  SERVICE_API_KEY: required.optional(),
  SERVICE_PROXY: onOrOff,
  CARD_PG: z
    .string()
    .regex(PG, 'must be a provider such as "nice", or a provider, "." and your id there, such as "nice.MID"')
    .optional(),
  SERVICE_NAME_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 lower-case letters or digits, a letter first')
    .default('svc'),
  WEBHOOK_SOURCE_ADDRESSES: addresses.default([...DOCUMENTED_SOURCE_ADDRESSES]),
  WEBHOOK_SOURCE_CHECK: z.enum(['enforce', 'observe'], 'must be "enforce" or "observe"').default('enforce'),
  WEBHOOK_SECRET: standardWebhooksSecrets.optional(),
  TRUSTED_PROXIES: addresses.default([]),
  ORDER_EVENTS_URL: httpUrl.optional(),
  ORDER_EVENTS_SECRET: standardWebhooksSecrets.optional(),
  ORDER_EVENTS_ALLOW: list.refine(
    (entries) => wrongHosts(entries).length === 0,
    'must be host names, addresses or ranges, such as shop.internal or 10.1.0.0/16; no range that is too wide',
  ),
  ANNOUNCE_ORDERS: onOrOff,
  RETURN_URLS: list
    .refine(
      (entries) => entries.every(isOrigin),
      'must be origins such as https://shop.example.com, without path',
    )
    .transform((entries) => entries.map((entry) => new URL(entry).origin)),
  SHOP_NAME: shopName.optional(),
  SHOP_COLOR: shopColor.optional(),
  SHOP_LOGO: shopLogo.optional(),
  KEEP_NOTIFICATIONS_DAYS: z.coerce
    .number('must be a number of days')
    .int('must be whole days')
    .min(30, 'must be at least 30: what is younger may still be needed to clear up a payment')
    .max(36_500, 'must be at most 36500')
    .default(400),
  REFUND_LIMIT: z.coerce
    .number('must be an amount in won, without separators')
    .int('must be a whole amount in won')
    .min(0, 'must be 0 or more')
    .max(Number.MAX_SAFE_INTEGER, 'is too large')
    .optional(),
  SETTLEMENT_COLUMNS: settlementColumns,
  FORM_SECRET: secrets,
  MEMBER_SECRET: secrets,
  API_KEY: secrets,
  OPERATOR_PASSWORD: secrets,
  OPERATOR_IDENTITY_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a request header, such as X-Forwarded-User')
    .refine(
      (name) => !isSentByOthers(name),
      'is a header that browsers, clients or proxies send with another meaning',
    )
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a pino level, such as "info"',
    )
    .default('info'),
});

export type Environment = z.output<typeof environmentSchema>;
