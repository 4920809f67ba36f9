// All settings are checked at the start, and all problems are reported together. Production has no unsafe defaults.

import { eventReceiver } from '../../../src/merchant/core/events/settings';
import { webhookSettings } from '../../../src/merchant/core/webhooks/settings';
import { DOCUMENTED_SOURCE_ADDRESSES } from '../../../src/merchant/payment-service/identifiers';
import { ConfigError } from '../../../src/merchant/platform/config';
import { isSecretName, settingsOf } from '../../../src/merchant/platform/settings';
import { loadConfig, OWN_SECRETS, SETTING_NAMES } from '../../../src/merchant/settings';
import { defaultConfig } from '../../../src/sandbox/config';
import { PRODUCTION_ENVIRONMENT, strongSecret } from '../../support/config';

const DEVELOPMENT: Settings = {
  ...Object.fromEntries(OWN_SECRETS.map((name) => [name, `a-${name}`])),
  DATABASE_URL: 'postgresql://merchant@127.0.0.1/merchant',
};

type Settings = Record<string, string>;
const EVENTS_SECRET = `whsec_${'A'.repeat(43)}=`;
const EVENTS = { ORDER_EVENTS_URL: 'https://shop.example.com/hooks', ORDER_EVENTS_SECRET: EVENTS_SECRET };
const NEWER = { SERVICE_V2_BASE_URL: 'https://api.example.com/v2-host', SERVICE_API_KEY: 'live-api-key' };

function problems(environment: Settings): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('outside production the sandbox, its credentials and the document’s addresses are the defaults, also for blank values', () => {
  const blank = { PORT: ' ', WEBHOOK_SOURCE_CHECK: '', TRUSTED_PROXIES: '', ANNOUNCE_ORDERS: '' };
  for (const settings of [DEVELOPMENT, { ...DEVELOPMENT, ...blank }])
    expect(loadConfig(settings)).toMatchObject({
      production: false,
      port: 3000,
      service: {
        baseUrl: 'http://127.0.0.1:4010',
        key: 'sandbox_key',
        namePrefix: 'svc',
        newer: { apiKey: 'sandbox_api_key' },
      },
      values: {
        WEBHOOK_SOURCE_ADDRESSES: DOCUMENTED_SOURCE_ADDRESSES,
        WEBHOOK_SOURCE_CHECK: 'enforce',
        ANNOUNCE_ORDERS: false,
      },
      trustedProxies: [],
      returnOrigins: [],
      sandboxMode: true,
    });
});

test('the default address is loopback in development and all addresses in production, and HOST overrides it', () => {
  expect(loadConfig(DEVELOPMENT).host).toBe('127.0.0.1');
  expect(loadConfig(PRODUCTION_ENVIRONMENT).host).toBe('0.0.0.0');
  for (const settings of [DEVELOPMENT, PRODUCTION_ENVIRONMENT])
    expect(loadConfig({ ...settings, HOST: '10.0.0.9' }).host).toBe('10.0.0.9');
});

test('events of orders are posted with both settings, and one alone is refused', () => {
  expect(eventReceiver(loadConfig(DEVELOPMENT))).toBeNull();
  expect(eventReceiver(loadConfig({ ...DEVELOPMENT, ...EVENTS }))).toEqual({
    url: EVENTS.ORDER_EVENTS_URL,
    secrets: [EVENTS_SECRET],
  });
  for (const length of [24, 25, 64]) {
    const secret = `whsec_${Buffer.alloc(length, 7).toString('base64')}`;
    expect(problems({ ...DEVELOPMENT, ...EVENTS, ORDER_EVENTS_SECRET: secret })).toEqual([]);
  }
  for (const name of Object.keys(EVENTS))
    expect(problems({ ...DEVELOPMENT, ...EVENTS, [name]: '' })).toEqual([
      expect.stringMatching(`^${name}: is missing`),
    ]);
});

test('in production ORDER_EVENTS_URL may be private where ORDER_EVENTS_ALLOW names its host or range', () => {
  const found = (url: string, allow: string) =>
    problems({
      ...PRODUCTION_ENVIRONMENT,
      ...EVENTS,
      ORDER_EVENTS_URL: url,
      ORDER_EVENTS_ALLOW: allow,
    });
  for (const url of ['https://10.1.2.3/hooks', 'https://[fd00::7]/hooks', 'https://localhost./hooks']) {
    expect(found(url, 'shop.internal, 10.1.0.0/16, fd00::/64, LOCALHOST')).toEqual([]);
    expect(found(url, '10.2.0.0/16, fd00:1::/64, host.localhost')).toEqual([
      expect.stringMatching(/^ORDER_EVENTS_URL: .*ORDER_EVENTS_ALLOW/),
    ]);
  }
  expect(found('http://10.1.2.3/hooks', '10.1.0.0/16')).toEqual([expect.stringMatching(/https/)]);
});

test('RETURN_URLS are origins, written as browsers write them', () => {
  const RETURN_URLS = 'https://Shop.example.com/, http://[::1]:8080 ,https://m.example.com:443';
  const returnOrigins = ['https://shop.example.com', 'http://[::1]:8080', 'https://m.example.com'];
  expect(loadConfig({ ...DEVELOPMENT, RETURN_URLS })).toMatchObject({ returnOrigins });
});

test('a complete production environment is accepted and does not use the sandbox', () => {
  expect(loadConfig(PRODUCTION_ENVIRONMENT)).toMatchObject({
    production: true,
    sandboxMode: false,
    publicOrigin: 'https://shop.example.com',
    service: { newer: null },
  });
});

test('in production no setting has an unsafe default, and all missing settings are reported at once', () => {
  const missing = problems({ NODE_ENV: 'production' }).map((problem) => problem.split(':')[0]);
  const needed = Object.keys(PRODUCTION_ENVIRONMENT).filter(
    (name) => name !== 'NODE_ENV' && SETTING_NAMES.includes(name),
  );
  expect([...missing].sort()).toEqual(needed.sort());
});

test.each([...OWN_SECRETS, 'ORDER_EVENTS_SECRET'])(
  '%s takes several values separated by commas, in order, and no empty one',
  (name) => {
    const [first, second] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
    const settings = { ...DEVELOPMENT, ...EVENTS, [name]: `${first} ,${second}` };
    expect(loadConfig(settings).values[name]).toEqual([first, second]);
    for (const text of [`${first},`, `,${first}`, `${first}, ,${second}`])
      expect(problems({ ...settings, [name]: text })).toEqual([`${name}: has an empty entry`]);
  },
);

test.each([
  ['FORM_SECRET', 'too-short', /^FORM_SECRET: value 2 is shorter than 16/],
  ['MEMBER_SECRET', 'changeme-changeme-changeme', /^MEMBER_SECRET: value 2 is still an example value/],
  ['API_KEY', 'sandbox_api_key', /^API_KEY: value 2 is a credential of the sandbox/],
  ['API_KEY', 'the-first-key-of-two the-second', /^API_KEY: value 2 contains white space/],
])('in production every value of %s must follow the rules', (name, second, said) => {
  const settings = { ...PRODUCTION_ENVIRONMENT, [name]: `${strongSecret('v')},${second}` };
  expect(problems(settings)).toEqual([expect.stringMatching(said)]);
  expect(problems(settings).join()).not.toContain(second);
});

test('in production two settings must not have the same value', () => {
  const shared = strongSecret('shared');
  const found = (settings: Settings) => problems({ ...PRODUCTION_ENVIRONMENT, ...settings });
  const accepted = found({ API_KEY: shared, MEMBER_SECRET: `${strongSecret('a')},${shared}` });
  expect(accepted).toEqual([expect.stringMatching(/^MEMBER_SECRET: has the same value as API_KEY/)]);
  expect(accepted.join()).not.toContain(shared);
  expect(found(Object.fromEntries(OWN_SECRETS.map((name) => [name, shared])))).toHaveLength(
    OWN_SECRETS.length - 1,
  );
  expect(found({ SERVICE_SECRET: shared, FORM_SECRET: shared })).toEqual([
    expect.stringMatching(/^FORM_SECRET: has the same value as SERVICE_SECRET/),
  ]);
  expect(found({ API_KEY: `${shared},${shared}` })).toEqual([]);
});

test('the newer generation is on with both settings, off without them, and one alone is refused', () => {
  expect(loadConfig({ ...PRODUCTION_ENVIRONMENT, ...NEWER }).service.newer).toEqual({
    baseUrl: NEWER.SERVICE_V2_BASE_URL,
    apiKey: NEWER.SERVICE_API_KEY,
  });
  for (const name of Object.keys(NEWER))
    expect(problems({ ...PRODUCTION_ENVIRONMENT, ...NEWER, [name]: '' })).toEqual([
      expect.stringMatching(`^${name}: is missing; the newer generation needs`),
    ]);
});

test('signed notifications are on with WEBHOOK_SECRET, which needs the newer generation', () => {
  const secretsOf = (environment: Record<string, string>) =>
    settingsOf(loadConfig(environment), webhookSettings).WEBHOOK_SECRET;
  expect(secretsOf(DEVELOPMENT)).toEqual([defaultConfig.webhookSecret]);
  expect(secretsOf({ ...PRODUCTION_ENVIRONMENT, ...NEWER })).toBeUndefined();
  const signed = { ...PRODUCTION_ENVIRONMENT, WEBHOOK_SECRET: EVENTS_SECRET };
  expect(secretsOf({ ...signed, ...NEWER })).toEqual([EVENTS_SECRET]);
  expect(problems(signed)).toEqual([expect.stringMatching(/^WEBHOOK_SECRET: needs SERVICE_V2_BASE_URL/)]);
});

test('every secret of ours is a setting with the name of a secret, so that it can be given as a file', () => {
  expect(OWN_SECRETS).toEqual(expect.arrayContaining(['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY']));
  expect(SETTING_NAMES.filter(isSecretName)).toEqual(
    expect.arrayContaining([
      ...OWN_SECRETS,
      'DATABASE_URL',
      'SERVICE_KEY',
      'WEBHOOK_SECRET',
      'ORDER_EVENTS_SECRET',
    ]),
  );
});
