// All settings are checked at the start, and every problem is named at once. Production has no default that could be
// unsafe.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ConfigError, DOCUMENTED_SOURCE_ADDRESSES, loadConfig } from '../../src/merchant/config';
import { unsafeOutsideProduction } from '../../src/merchant/live-service';
import { PRODUCTION_ENVIRONMENT, strongSecret } from '../support/config';
import { holds } from '../support/property';

const DEVELOPMENT = {
  DATABASE_URL: 'postgresql://merchant@127.0.0.1/merchant',
  FORM_SECRET: 'a-form-secret',
  MEMBER_SECRET: 'a-member-secret',
  API_KEY: 'an-api-key',
  OPERATOR_PASSWORD: 'an-operator-password',
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

test.each(['prod', 'Production', 'production ', 'live', 'staging'])(
  'NODE_ENV=%j is refused: it would start with the rules of development',
  (NODE_ENV) => {
    const said = expect.stringMatching(/^NODE_ENV: must be "production", "development" or "test"$/);
    expect(problems({ ...PRODUCTION_ENVIRONMENT, NODE_ENV })).toEqual([said]);
    expect(problems({ ...DEVELOPMENT, NODE_ENV })).toEqual([said]);
  },
);

test.each<[string, Record<string, string>, string]>([
  ['development is open to this machine alone', DEVELOPMENT, '127.0.0.1'],
  [
    'development with the service',
    { ...DEVELOPMENT, SERVICE_BASE_URL: 'https://api.example.com' },
    '127.0.0.1',
  ],
  ['production is open to its proxy', PRODUCTION_ENVIRONMENT, '0.0.0.0'],
  ['HOST decides', { ...DEVELOPMENT, HOST: '0.0.0.0' }, '0.0.0.0'],
  ['HOST decides in production as well', { ...PRODUCTION_ENVIRONMENT, HOST: '127.0.0.1' }, '127.0.0.1'],
])('%s', (_, environment, host) => {
  expect(loadConfig(environment).host).toBe(host);
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
  const orderEvents = { url: EVENTS.ORDER_EVENTS_URL, secrets: [EVENTS_SECRET] };
  expect(loadConfig({ ...DEVELOPMENT, ...EVENTS })).toMatchObject({ orderEvents });
  expect(problems({ ...DEVELOPMENT, ORDER_EVENTS_URL: EVENTS.ORDER_EVENTS_URL })).toEqual([
    expect.stringMatching(/^ORDER_EVENTS_SECRET: is missing/),
  ]);
  expect(problems({ ...DEVELOPMENT, ORDER_EVENTS_SECRET: EVENTS_SECRET })).toEqual([
    expect.stringMatching(/^ORDER_EVENTS_URL: is missing/),
  ]);
});

test('CARD_PG is a payment gateway as §2.2 names it, and none by default', () => {
  expect(loadConfig(DEVELOPMENT).cardPg).toBeNull();
  for (const pg of ['nice', 'nice_v2', 'nice.MID-7', 'a'.repeat(16)])
    expect(loadConfig({ ...DEVELOPMENT, CARD_PG: pg }).cardPg).toBe(pg);
  for (const pg of ['a'.repeat(17), 'Nice', 'nice.', '.MID', 'nice MID', `nice.${'a'.repeat(81)}`])
    expect(problems({ ...DEVELOPMENT, CARD_PG: pg })).toEqual([
      expect.stringMatching(/^CARD_PG: must be a provider/),
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
    publicOrigin: 'https://shop.example.com',
    service: { newer: null },
  });
});

test('in production nothing has a default that could be unsafe, and all that is missing is said at once', () => {
  const missing = problems({ NODE_ENV: 'production' }).map((problem) => problem.split(':')[0]);
  const needed = Object.keys(PRODUCTION_ENVIRONMENT).filter((name) => name !== 'NODE_ENV');
  expect([...missing].sort()).toEqual(needed.sort());
});

test.each(['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY', 'OPERATOR_PASSWORD', 'ORDER_EVENTS_SECRET'])(
  '%s takes several values separated by commas, in their order, and none of them is empty',
  (name) => {
    const [first, second] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
    const settings = { ...DEVELOPMENT, ...EVENTS, [name]: `${first} ,${second}` };
    const { formSecrets, memberSecrets, apiKeys, operatorPasswords, orderEvents } = loadConfig(settings);
    const lists = [formSecrets, memberSecrets, apiKeys, operatorPasswords, orderEvents?.secrets];
    expect(lists.filter((values) => (values?.length ?? 0) > 1)).toEqual([[first, second]]);
    for (const text of [`${first},`, `,${first}`, `${first}, ,${second}`])
      expect(problems({ ...settings, [name]: text })).toEqual([`${name}: has an empty entry`]);
  },
);

test.each([
  ['FORM_SECRET', 'too-short', /^FORM_SECRET: value 2 is shorter than 16/],
  ['MEMBER_SECRET', 'changeme-changeme-changeme', /^MEMBER_SECRET: value 2 is still an example value/],
  ['API_KEY', 'sandbox_api_key', /^API_KEY: value 2 is a credential of the sandbox/],
  ['API_KEY', 'the-first-key-of-two the-second', /^API_KEY: value 2 has white space/],
])('in production each value of %s obeys the rules, also one that is only accepted', (name, second, said) => {
  const settings = { ...PRODUCTION_ENVIRONMENT, [name]: `${strongSecret('v')},${second}` };
  expect(problems(settings)).toEqual([expect.stringMatching(said)]);
  expect(problems(settings).join()).not.toContain(second);
});

const OWN_SECRETS = ['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY', 'OPERATOR_PASSWORD'];

test.each([
  'x'.repeat(40),
  'abababababababababab',
  'Tr0ub4dorTr0ub4dor',
  '1234567890123456',
  'abcdefghijklmnopqrst',
  'ZYXWVUTSRQPONMLKJIHG',
  'qwertyuiopasdfghjkl',
  'aaaabbbbccccddddeeee',
  'my-secret-password-1234',
  'merchant-api-key-0001',
  'PLEASE_CHANGE_ME_NOW',
  'Password1234567890',
  'insert-your-value-here',
])('in production the secret %s is refused: it can be guessed', (secret) => {
  for (const name of OWN_SECRETS) {
    const found = problems({ ...PRODUCTION_ENVIRONMENT, [name]: secret });
    expect(found).toEqual([expect.stringMatching(`^${name}: (can be guessed|is still an example)`)]);
    expect(found.join()).not.toContain(secret);
  }
});

test.each([
  strongSecret('any'),
  Buffer.from(strongSecret('any'), 'base64').toString('hex'),
  'correct horse battery staple'.replaceAll(' ', '-'),
  '우리가게는제주도바닷가에서커피를팔아요',
  '48151623420815937264',
])('in production the secret %s is taken', (secret) => {
  for (const name of OWN_SECRETS) expect(problems({ ...PRODUCTION_ENVIRONMENT, [name]: secret })).toEqual([]);
});

test('whatever is made as the messages say is taken, and as hexadecimal digits as well', () => {
  holds(
    fc.property(fc.nat(), fc.constantFrom('base64', 'hex', 'base64url'), (number, encoding) => {
      const made = (name: string) =>
        Buffer.from(strongSecret(`${name} ${number}`), 'base64').toString(encoding);
      const secrets = Object.fromEntries(OWN_SECRETS.map((name) => [name, made(name)]));
      expect(problems({ ...PRODUCTION_ENVIRONMENT, ...secrets })).toEqual([]);
    }),
  );
});

test('in production one value is no secret of two settings, also where it is only accepted', () => {
  const shared = strongSecret('shared');
  const found = problems({
    ...PRODUCTION_ENVIRONMENT,
    API_KEY: `${strongSecret('a')},${shared}`,
    OPERATOR_PASSWORD: shared,
  });
  expect(found).toEqual([expect.stringMatching(/^OPERATOR_PASSWORD: has a value of API_KEY/)]);
  expect(found.join()).not.toContain(shared);
  const all = Object.fromEntries(OWN_SECRETS.map((name) => [name, shared]));
  expect(problems({ ...PRODUCTION_ENVIRONMENT, ...all })).toHaveLength(3);
  expect(problems({ ...PRODUCTION_ENVIRONMENT, SERVICE_SECRET: shared, FORM_SECRET: shared })).toEqual([
    expect.stringMatching(/^FORM_SECRET: has a value of SERVICE_SECRET/),
  ]);
  expect(problems({ ...PRODUCTION_ENVIRONMENT, API_KEY: `${shared},${shared}` })).toEqual([]);
});

test('the value of FORM_SECRET may stand behind that of MEMBER_SECRET, so that members of version 0.1.0 come back', () => {
  const form = strongSecret('form');
  const behind = { MEMBER_SECRET: `${strongSecret('member')},${form}`, FORM_SECRET: form };
  expect(problems({ ...PRODUCTION_ENVIRONMENT, ...behind })).toEqual([]);
  expect(problems({ ...PRODUCTION_ENVIRONMENT, ...behind, MEMBER_SECRET: form })).toHaveLength(1);
});

const NEWER = { SERVICE_V2_BASE_URL: 'https://api.example.com/v2-host', SERVICE_API_KEY: 'live-api-key' };

test('the newer generation is on with both of its settings, off without them, and half of them is a mistake', () => {
  expect(loadConfig({ ...PRODUCTION_ENVIRONMENT, ...NEWER }).service.newer).toEqual({
    baseUrl: NEWER.SERVICE_V2_BASE_URL,
    apiKey: NEWER.SERVICE_API_KEY,
  });
  expect(loadConfig(DEVELOPMENT).service.newer).toMatchObject({ apiKey: 'sandbox_api_key' });
  for (const name of ['SERVICE_V2_BASE_URL', 'SERVICE_API_KEY'] as const)
    expect(problems({ ...PRODUCTION_ENVIRONMENT, ...NEWER, [name]: '' })).toEqual([
      expect.stringMatching(`^${name}: is missing; the newer generation needs`),
    ]);
});

test.each([
  ['', true],
  ['?sslmode=prefer', true],
  ['?sslmode=allow', true],
  ['?ssl=true', true],
  ['?sslmode=verify-full&sslmode=prefer', true],
  ['?uselibpqcompat=true&sslmode=require', true],
  ['?sslmode=require', false],
  ['?sslmode=verify-ca', false],
  ['?sslmode=verify-full&sslrootcert=/etc/ca.pem', false],
  ['?uselibpqcompat=true&sslmode=verify-full', false],
  ['?sslmode=disable', false],
  ['?sslmode=no-verify', false],
])('in production DATABASE_URL on another host with "%s" is refused: %p', (query, isRefused) => {
  const DATABASE_URL = `postgresql://merchant:db-word@db.example.com/merchant${query}`;
  const found = problems({ ...PRODUCTION_ENVIRONMENT, DATABASE_URL });
  expect(found).toEqual(isRefused ? [expect.stringMatching(/^DATABASE_URL: .*sslmode=verify-full/)] : []);
  expect(found.join()).not.toContain('db-word');
});

test.each([
  ['merchant@localhost/merchant', true],
  ['merchant@127.0.0.1:5432/merchant', true],
  ['merchant@[::1]/merchant', true],
  ['merchant@/merchant?host=/var/run/postgresql', true],
  ['merchant@%2Fvar%2Frun%2Fpostgresql/merchant', true],
  ['merchant@127.0.0.1.example.com/merchant', false],
  ['merchant@localhost/merchant?host=db.example.com', false],
  ['/merchant', false],
  ['merchant:a#b@db.example.com/merchant', false],
])('in production a database at %s is on this machine: %p', (rest, isLocal) => {
  const found = problems({ ...PRODUCTION_ENVIRONMENT, DATABASE_URL: `postgresql://${rest}` });
  expect(found).toEqual(isLocal ? [] : [expect.stringMatching(/^DATABASE_URL: /)]);
});

test('with a service that is not on this machine, what is unsafe outside production is known (M16)', () => {
  const live = { ...DEVELOPMENT, SERVICE_BASE_URL: 'https://api.example.com' };
  expect(unsafeOutsideProduction(loadConfig(live))).not.toEqual([]);
  expect(unsafeOutsideProduction(loadConfig({ ...DEVELOPMENT, ...NEWER }))).not.toEqual([]);
  expect(unsafeOutsideProduction(loadConfig(DEVELOPMENT))).toEqual([]);
  expect(unsafeOutsideProduction(loadConfig(PRODUCTION_ENVIRONMENT))).toEqual([]);
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
  ['SERVICE_V2_BASE_URL', 'http://api.example.com', /https/],
  ['SERVICE_V2_BASE_URL', 'https://127.0.0.1:4010', /this machine/],
  ['SERVICE_KEY', 'sandbox_key', /sandbox/],
  ['SERVICE_SECRET', 'sandbox_secret', /sandbox/],
  ['SERVICE_API_KEY', 'sandbox_api_key', /sandbox/],
  ['FORM_SECRET', 'changeme-changeme-changeme', /example value/],
  ['MEMBER_SECRET', 'm3mb3r-secret', /shorter than 16/],
  ['API_KEY', 'k3y-of-15-signs', /shorter than 16/],
  ['OPERATOR_PASSWORD', 'p4ss-of-15-sign', /shorter than 16/],
  ['DATABASE_URL', 'mysql://db.example.com/x', /postgresql/],
  ['WEBHOOK_SOURCE_ADDRESSES', '52.78.100.19,::1', /loopback/],
  ['WEBHOOK_SOURCE_ADDRESSES', '52.78.100.19,127.0.0.2', /loopback/],
  ['WEBHOOK_SOURCE_ADDRESSES', '0.0.0.0/0', /everybody/],
  ['WEBHOOK_SOURCE_ADDRESSES', ',', /empty list/],
  ['WEBHOOK_SOURCE_CHECK', 'off', /observe/],
  ['TRUSTED_PROXIES', '1', /hop counts/],
  ['TRUSTED_PROXIES', 'true', /"true" can be spoofed/],
  ['TRUSTED_PROXIES', '0.0.0.0/0', /everybody/],
  ['TRUSTED_PROXIES', '10.0.0.1,::/0', /everybody/],
  ['TRUSTED_PROXIES', '::ffff:0:0/96', /everybody/],
  ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1', /0\.0\.0\.0\/1, 128\.0\.0\.0\/1 allows everybody/],
  ['WEBHOOK_SOURCE_ADDRESSES', '::/1,8000::/1', /everybody/],
  ['WEBHOOK_SOURCE_ADDRESSES', '::ffff:127.0.0.2', /loopback/],
  ['WEBHOOK_SOURCE_ADDRESSES', '127.64.0.0/10', /loopback/],
  ['SERVICE_BASE_URL', 'https://localhost.', /this machine/],
  ['SERVICE_BASE_URL', 'https://api.localhost./v1', /this machine/],
  ['SERVICE_BASE_URL', 'https://[::ffff:127.0.0.1]', /this machine/],
  ['SERVICE_BASE_URL', 'https://100.64.0.9', /private network/],
  ['ORDER_EVENTS_URL', 'https://[64:ff9b::10.0.0.8]/hooks', /private network/],
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
  const ofTheOthers = [
    'DATA_DIR',
    'LOG_FORMAT',
    'SANDBOX_PORT',
    'SANDBOX_HOST',
    'SANDBOX_DATA_DIR',
    'SANDBOX_MERCHANT_API_KEY',
    'SANDBOX_WEBHOOK_URL',
  ];
  const examples = join(__dirname, '..', '..', 'docs', 'examples');
  const ofExamples = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(examples, file), 'utf8').matchAll(/process\.env\['(\w+)'\]/g)])
    .map(([, name]) => name);
  expect(ofExamples.length).toBeGreaterThan(1);
  expect([...listed].sort()).toEqual([...read, ...ofTheOthers, ...new Set(ofExamples)].sort());
});
