// Settings of a merchant in a test. Each test changes only the settings that it is about.

import { createHash } from 'node:crypto';
import { type Config } from '../../src/merchant/platform/config';
import type { AttemptLimit } from '../../src/merchant/platform/limit-store';
import { loadConfig } from '../../src/merchant/settings';

/** Represents the prefix of the live service, so that nothing depends on "svc" on the wire. */
export const NAME_PREFIX = 'abc';
/** Strong enough for production, and plain in a header or a regular expression. */
export const API_KEY = strongSecret('key').replace(/\W/g, '');
export const FORM_SECRET = 'form-secret-of-the-tests-0123';
export const MEMBER_SECRET = 'member-secret-of-the-tests-0123';
export const OPERATOR_PASSWORD = 'operator-password-of-the-tests-0123';

/** A merchant on a free port of this machine, without a database. */
export const TEST_ENVIRONMENT = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: 'postgresql://127.0.0.1:1/nobody',
  SERVICE_NAME_PREFIX: NAME_PREFIX,
  TRUSTED_PROXIES: '127.0.0.1,::1',
  FORM_SECRET,
  MEMBER_SECRET,
  API_KEY,
  OPERATOR_PASSWORD,
};

/** The required settings of production, and no others. */
export const PRODUCTION_ENVIRONMENT = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://merchant@db.example.com/merchant?sslmode=verify-full',
  SERVICE_BASE_URL: 'https://api.example.com',
  SERVICE_KEY: 'live-key',
  SERVICE_SECRET: 'live-secret',
  PUBLIC_URL: 'https://shop.example.com',
  FORM_SECRET: strongSecret('form'),
  MEMBER_SECRET: strongSecret('member'),
  API_KEY,
  OPERATOR_PASSWORD: strongSecret('operator'),
};

/** A secret in the form of `openssl rand -base64 32`, the same each time. */
export function strongSecret(name: string): string {
  return createHash('sha256').update(name).digest('base64');
}

/** Tests use the same card many times from one address. The tests of chapter K use the limits of production. */
const UNLIMITED: AttemptLimit = { attempts: 1_000_000, seconds: 1 };
const NO_CARD_LIMITS = {
  member: UNLIMITED,
  memberDaily: UNLIMITED,
  address: UNLIMITED,
  card: UNLIMITED,
  all: UNLIMITED,
  newCardsPerDay: 1_000_000,
  cardsHeld: 1_000_000,
  formMinAgeMs: 0,
  declines: {
    address: [UNLIMITED],
    site: [UNLIMITED],
    wide: [UNLIMITED],
    challenge: [UNLIMITED],
    everybody: [UNLIMITED],
  },
};

/** `constants` of the settings of features, by name. They have no type here, so that an option can be removed. */
export type TestConstants = Readonly<Record<string, unknown>>;

const TEST_CONSTANTS: TestConstants = {
  cardLimits: NO_CARD_LIMITS,
  lookLimits: { address: UNLIMITED, order: UNLIMITED },
  // With that of production, a hash takes a third of a second of CPU.
  passwordCost: { N: 16, r: 8, p: 1 },
};

export function testConfig(environment: Record<string, string> = {}, constants: TestConstants = {}): Config {
  const config = loadConfig({ ...TEST_ENVIRONMENT, ...environment });
  return withConstants(config, { ...TEST_CONSTANTS, ...constants });
}

export function withConstants(config: Config, constants: TestConstants): Config {
  return { ...config, values: { ...config.values, ...constants } };
}
