// Settings of a merchant in a test; each test changes what it is about.

import { loadConfig, type Config } from '../../src/merchant/config';

/** Stands in for the prefix of the live service, so that nothing depends on "svc" on the wire. */
export const NAME_PREFIX = 'abc';
export const API_KEY = 'api-key-of-the-tests-0123';

export function testConfig(environment: Record<string, string> = {}): Config {
  return loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: 'postgresql://127.0.0.1:1/nobody',
    SERVICE_NAME_PREFIX: NAME_PREFIX,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    FORM_SECRET: 'form-secret-of-the-tests-0123',
    API_KEY,
    ...environment,
  });
}
