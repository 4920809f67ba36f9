// All settings are checked at the start, and every problem is named at once. Production has no default that could be
// unsafe.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, DOCUMENTED_SOURCE_ADDRESSES, loadConfig } from '../../src/merchant/config';
import { PRODUCTION_ENVIRONMENT } from '../support/config';

const DEVELOPMENT = {
  DATABASE_URL: 'postgresql://merchant@127.0.0.1/merchant',
  FORM_SECRET: 'a-form-secret',
  API_KEY: 'an-api-key',
};

function problems(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('outside production the sandbox, its credentials and the document’s addresses are the defaults', () => {
  const config = loadConfig(DEVELOPMENT);
  expect(config).toMatchObject({
    production: false,
    port: 3000,
    service: { baseUrl: 'http://127.0.0.1:4010', key: 'sandbox_key', namePrefix: 'svc' },
    webhook: { sourceAddresses: DOCUMENTED_SOURCE_ADDRESSES, sourceCheck: 'enforce' },
    trustedProxies: [],
    announceOrders: false,
    returnOrigins: [],
    logLevel: 'info',
    sandboxMode: true,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('a blank value counts as not set', () => {
  expect(
    loadConfig({ ...DEVELOPMENT, PORT: ' ', WEBHOOK_SOURCE_CHECK: '', TRUSTED_PROXIES: '' }),
  ).toMatchObject({
    port: 3000,
    webhook: { sourceCheck: 'enforce' },
    trustedProxies: [],
  });
});

test.each([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
  ['', false],
])('ANNOUNCE_ORDERS=%s', (value, announceOrders) => {
  expect(loadConfig({ ...DEVELOPMENT, ANNOUNCE_ORDERS: value })).toMatchObject({ announceOrders });
});

const EVENTS_SECRET = `whsec_${'A'.repeat(43)}=`;
const EVENTS = { ORDER_EVENTS_URL: 'https://shop.example.com/hooks', ORDER_EVENTS_SECRET: EVENTS_SECRET };

test('events of orders are posted where both settings are there, and one of them alone is a mistake', () => {
  expect(loadConfig(DEVELOPMENT).orderEvents).toBeNull();
  const orderEvents = { url: EVENTS.ORDER_EVENTS_URL, secret: EVENTS_SECRET };
  expect(loadConfig({ ...DEVELOPMENT, ...EVENTS })).toMatchObject({ orderEvents });
  expect(problems({ ...DEVELOPMENT, ORDER_EVENTS_URL: EVENTS.ORDER_EVENTS_URL })).toEqual([
    expect.stringMatching(/^ORDER_EVENTS_SECRET: is missing/),
  ]);
  expect(problems({ ...DEVELOPMENT, ORDER_EVENTS_SECRET: EVENTS_SECRET })).toEqual([
    expect.stringMatching(/^ORDER_EVENTS_URL: is missing/),
  ]);
});

test.each(['whsec_', 'whsec_short', 'A'.repeat(44), `whsec_${'A'.repeat(33)}`, `whsec_${'A'.repeat(120)}`])(
  'ORDER_EVENTS_SECRET=%s is refused, without its value',
  (secret) => {
    const found = problems({ ...DEVELOPMENT, ...EVENTS, ORDER_EVENTS_SECRET: secret });
    expect(found).toEqual([expect.stringMatching(/^ORDER_EVENTS_SECRET: must be "whsec_" and/)]);
    expect(found.join().replace('must be "whsec_" and', '')).not.toContain(secret);
  },
);

test.each([24, 25, 26, 32, 64])('ORDER_EVENTS_SECRET of %i bytes is taken', (length) => {
  const secret = `whsec_${Buffer.alloc(length, 7).toString('base64')}`;
  expect(problems({ ...DEVELOPMENT, ...EVENTS, ORDER_EVENTS_SECRET: secret })).toEqual([]);
});

test('RETURN_URLS are origins, written as browsers write them', () => {
  const RETURN_URLS =
    'https://Shop.example.com/, http://localhost:8080 ,https://m.example.com:443,http://[::1]:3000';
  expect(loadConfig({ ...DEVELOPMENT, RETURN_URLS }).returnOrigins).toEqual([
    'https://shop.example.com',
    'http://localhost:8080',
    'https://m.example.com',
    'http://[::1]:3000',
  ]);
});

test.each([
  '*',
  'shop.example.com',
  'https://*.example.com',
  'https://shop.example.com/checkout',
  'https://shop.example.com?a=b',
  'https://user@shop.example.com',
  "https://shop.example.com;script-src'",
  'javascript:alert(1)',
  'https://shop.example.com,/checkout',
])('RETURN_URLS=%s is refused: it is no list of origins', (RETURN_URLS) => {
  expect(problems({ ...DEVELOPMENT, RETURN_URLS })).toEqual([
    expect.stringMatching(/^RETURN_URLS: must be origins/),
  ]);
});

test('a complete production environment is taken, and is no sandbox', () => {
  expect(loadConfig(PRODUCTION_ENVIRONMENT)).toMatchObject({
    production: true,
    sandboxMode: false,
    publicOrigin: null,
  });
});

test('in production nothing has a default that could be unsafe, and all that is missing is said at once', () => {
  const missing = problems({ NODE_ENV: 'production' }).map((problem) => problem.split(':')[0]);
  expect(missing).toEqual(Object.keys(PRODUCTION_ENVIRONMENT).filter((name) => name !== 'NODE_ENV'));
});

test.each([
  ['SERVICE_BASE_URL', 'http://api.example.com', /https/],
  ['SERVICE_BASE_URL', 'https://localhost', /this machine/],
  ['SERVICE_BASE_URL', 'https://127.0.0.1', /this machine/],
  ['SERVICE_BASE_URL', 'https://[::1]', /this machine/],
  ['SERVICE_BASE_URL', 'https://10.0.0.8', /private network/],
  ['SERVICE_BASE_URL', 'https://192.168.1.1', /private network/],
  ['SERVICE_BASE_URL', 'https://user:word@api.example.com', /without credentials/],
  ['SERVICE_V2_BASE_URL', 'ftp://api.example.com', /http\(s\) URL/],
  ['SERVICE_KEY', 'sandbox_key', /sandbox/],
  ['SERVICE_SECRET', 'sandbox_secret', /sandbox/],
  ['SERVICE_API_KEY', 'sandbox_api_key', /sandbox/],
  ['FORM_SECRET', 'changeme-changeme-changeme', /example value/],
  ['API_KEY', 'k3y-of-15-signs', /shorter than 16/],
  ['DATABASE_URL', 'mysql://db.example.com/x', /postgresql/],
  ['WEBHOOK_SOURCE_ADDRESSES', '52.78.100.19,::1', /loopback/],
  ['WEBHOOK_SOURCE_ADDRESSES', '0.0.0.0/0', /everybody/],
  ['WEBHOOK_SOURCE_ADDRESSES', ',', /empty list/],
  ['WEBHOOK_SOURCE_CHECK', 'off', /observe/],
  ['TRUSTED_PROXIES', '1', /hop counts/],
  ['ANNOUNCE_ORDERS', 'perhaps', /must be "on" or "off"/],
  ['SERVICE_NAME_PREFIX', 'Not A Prefix', /lower-case/],
  ['RETURN_URLS', 'http://shop.example.com', /https/],
  ['RETURN_URLS', 'https://shop.example.com,http://m.example.com', /https/],
  ['RETURN_URLS', 'https://localhost:8080', /this machine/],
  ['PORT', '70000', /./],
  ['LOG_LEVEL', 'loud', /pino/],
  ['PUBLIC_URL', 'http://shop.example.com', /https/],
  ['ORDER_EVENTS_URL', 'http://shop.example.com/hooks', /https/],
  ['ORDER_EVENTS_URL', 'https://10.0.0.8/hooks', /private network/],
  ['ORDER_EVENTS_URL', 'https://[::1]/hooks', /this machine/],
])('in production %s=%s is refused, without its value where that is a secret', (name, value, said) => {
  const found = problems({ ...PRODUCTION_ENVIRONMENT, [name]: value });
  expect(found.some((problem) => problem.startsWith(`${name}: `) && said.test(problem))).toBe(true);
  if (/KEY|SECRET|PASSWORD|DATABASE/.test(name)) expect(found.join()).not.toContain(value);
});

test('.env.example lists every setting that is read, and no other', () => {
  const source = readFileSync(join(__dirname, '..', '..', 'src', 'merchant', 'config.ts'), 'utf8');
  const schema = /const environmentSchema = z\.object\(\{([\s\S]*?)\n\}\);/.exec(source)?.[1] ?? '';
  const read = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name);
  const example = readFileSync(join(__dirname, '..', '..', '.env.example'), 'utf8');
  const listed = [...example.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  const ofTheOthers = ['DATA_DIR', 'SANDBOX_PORT', 'SANDBOX_HOST', 'SANDBOX_DATA_DIR', 'SANDBOX_WEBHOOK_URL'];
  expect([...listed].sort()).toEqual([...read, ...ofTheOthers].sort());
});
