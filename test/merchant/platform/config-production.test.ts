// Which values production refuses, each with its reason and without the value of a secret, and which it takes.

import { ConfigError } from '../../../src/merchant/platform/config';
import { loadConfig, OWN_SECRETS } from '../../../src/merchant/settings';
import { defaultConfig } from '../../../src/sandbox/config';
import { PRODUCTION_ENVIRONMENT } from '../../support/config';

type Settings = Record<string, string>;
const EVENTS_SECRET = `whsec_${'A'.repeat(43)}=`;

function problems(environment: Settings): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const REMOTE = 'postgresql://merchant:db-word@db.example.com/merchant';

test.each([
  ['FORM_SECRET', ['correct-horse-battery-staple', '48151623420815937264', 'q7Rk2mZx9LpA4sWd']],
  ['WEBHOOK_SOURCE_ADDRESSES', ['52.78.100.19,52.78.48.0/24', '2600:1f14::/48']],
  // The ranges of a large CDN, and the private network of a balancer.
  [
    'TRUSTED_PROXIES',
    ['104.16.0.0/13,104.24.0.0/14,172.64.0.0/13,162.158.0.0/15,2400:cb00::/32,2a06:98c0::/29', '10.0.0.0/8'],
  ],
  ['LOG_LEVEL', ['error', 'warn', 'debug']],
  [
    'DATABASE_URL',
    ['require', 'verify-ca', 'disable', 'no-verify'].map((mode) => `${REMOTE}?sslmode=${mode}`),
  ],
  ['DATABASE_URL', [`${REMOTE}?uselibpqcompat=true&sslmode=verify-full`]],
  ['DATABASE_DIRECT_URL', [`${REMOTE}?sslmode=verify-full`, 'postgresql://localhost/merchant']],
  // On this machine.
  ['DATABASE_URL', ['postgresql://merchant@localhost/merchant', 'postgresql://merchant@[::1]:5432/merchant']],
  ['DATABASE_URL', ['postgresql://merchant@/merchant?host=/var/run/postgresql']],
  ['DATABASE_URL', ['postgresql://merchant@%2Fvar%2Frun%2Fpostgresql/merchant']],
])('in production %s may be one of %j', (name, values) => {
  for (const value of values) expect(problems({ ...PRODUCTION_ENVIRONMENT, [name]: value })).toEqual([]);
});

const EVERY_EIGHT = Array.from({ length: 223 }, (_, at) => `${at + 1}.0.0.0/8`).join(',');
const sixteenths = (first: number, bits: number) =>
  Array.from({ length: 16 }, (_, at) => `${first}.${at * 16}.0.0/${bits}`).join(',');
const HERE = /this machine/;
const PRIVATE = /private network/;
const UNDECIDED = /sslmode=verify-full/;
const GUESSED = /can be guessed/;
const NO_ORIGINS = /must be origins/;
const NO_WEBHOOK_SECRET = /must be "whsec_" and/;
/** A setting, its problem, and the values with that problem. */
const REFUSED: [name: string, said: RegExp, values: string[]][] = [
  // It would start in development mode.
  ['NODE_ENV', /^NODE_ENV: must be "production"/, ['prod', 'Production', 'production ']],
  ['SERVICE_BASE_URL', /https/, ['http://api.example.com']],
  ['SERVICE_BASE_URL', HERE, ['https://api.localhost./v1', 'https://[::ffff:127.0.0.1]']],
  ['SERVICE_BASE_URL', PRIVATE, ['https://192.168.1.1', 'https://100.64.0.9']],
  ['SERVICE_BASE_URL', /without credentials/, ['https://user:word@api.example.com']],
  ['SERVICE_V2_BASE_URL', /http\(s\) URL/, ['ftp://api.example.com']],
  ['SERVICE_KEY', /sandbox/, ['sandbox_key']],
  ['SERVICE_SECRET', /sandbox/, ['sandbox_secret']],
  ['SERVICE_API_KEY', /sandbox/, ['sandbox_api_key']],
  [
    'WEBHOOK_SECRET',
    /value 2 is a credential of the sandbox/,
    [`${EVENTS_SECRET},${defaultConfig.webhookSecret}`],
  ],
  ['WEBHOOK_SECRET', NO_WEBHOOK_SECRET, ['whsec_short']],
  ['API_KEY', /shorter than 16/, ['k3y-of-15-signs']],
  ['FORM_SECRET', GUESSED, ['abababababababababab', 'Tr0ub4dorTr0ub4dor', 'aaaabbbbccccddddeeee']],
  ['MEMBER_SECRET', GUESSED, ['1234567890123456', 'ZYXWVUTSRQPONMLKJIHG', 'qwertyuiopasdfghjkl']],
  ['API_KEY', GUESSED, ['my-secret-password-1234', 'PLEASE_CHANGE_ME_NOW']],
  [
    'API_KEY',
    GUESSED,
    ['correcthorsebattery', 'CorrectHorseBattery1!', 'green.tea.in.the.morning', 'TEAHOUSESEOULKOREA'],
  ],
  ['SERVICE_KEY', /too short/, ['x', 'abc1234', 'aaaaaaaaaaaa', '-']],
  ['SERVICE_SECRET', /too short/, ['Q', '00000000000000000000']],
  ['SERVICE_API_KEY', /too short/, ['q7x']],
  ['LOG_LEVEL', /hides refused notifications/, ['silent', 'fatal']],
  ['DATABASE_URL', /postgresql/, ['mysql://db.example.com/x']],
  ['DATABASE_URL', UNDECIDED, [REMOTE, `${REMOTE}?ssl=true`]],
  ['DATABASE_URL', UNDECIDED, [`${REMOTE}?sslmode=prefer`, `${REMOTE}?sslmode=verify-full&sslmode=prefer`]],
  ['DATABASE_URL', UNDECIDED, [`${REMOTE}?uselibpqcompat=true&sslmode=require`]],
  ['DATABASE_DIRECT_URL', UNDECIDED, [REMOTE]],
  ['DATABASE_URL', UNDECIDED, ['postgresql://merchant@127.0.0.1.example.com/merchant']],
  ['DATABASE_URL', UNDECIDED, ['postgresql://merchant@localhost/merchant?host=db.example.com']],
  ['DATABASE_URL', UNDECIDED, ['postgresql:///merchant']],
  ['DATABASE_URL', /cannot be read/, ['postgresql://merchant:a#b@db.example.com/x']],
  ['WEBHOOK_SOURCE_ADDRESSES', /loopback/, ['52.78.100.19,::1', '127.64.0.0/10', '::ffff:127.0.0.2']],
  ['WEBHOOK_SOURCE_ADDRESSES', /everybody/, ['0.0.0.0/0', '::/1,8000::/1']],
  ['WEBHOOK_SOURCE_ADDRESSES', /empty list/, [',']],
  // Many ranges, or a wide one, let as many others send.
  ['WEBHOOK_SOURCE_ADDRESSES', /wider than/, [EVERY_EIGHT, '52.0.0.0/8', '52.78.0.0/19', '2600::/32']],
  ['WEBHOOK_SOURCE_ADDRESSES', /too large a part/, [sixteenths(52, 20)]],
  [
    'WEBHOOK_SOURCE_ADDRESSES',
    PRIVATE,
    ['10.0.0.0/8', '52.78.100.19,192.168.0.7', 'fd00::/64', '100.64.0.0/10'],
  ],
  ['TRUSTED_PROXIES', /wider than/, [EVERY_EIGHT, '52.0.0.0/8', '10.0.0.7,104.0.0.0/9', '2600::/16']],
  ['TRUSTED_PROXIES', /too large a part/, ['104.0.0.0/10,104.64.0.0/10,104.128.0.0/10']],
  [
    'TRUSTED_PROXIES',
    /a source of notifications/,
    ['52.78.0.0/16', '10.0.0.7,52.78.5.241', '::ffff:52.78.5.241'],
  ],
  ['WEBHOOK_SOURCE_CHECK', /observe/, ['off']],
  ['TRUSTED_PROXIES', /hop counts and "true" can be spoofed/, ['1', 'true']],
  ['TRUSTED_PROXIES', /everybody/, ['10.0.0.1,::/0', '::ffff:0:0/96', '0.0.0.0/1,128.0.0.0/1']],
  ['ANNOUNCE_ORDERS', /must be "on" or "off"/, ['perhaps']],
  ['SERVICE_NAME_PREFIX', /lower-case/, ['Not A Prefix']],
  ['RETURN_URLS', NO_ORIGINS, ['shop.example.com', 'https://*.example.com', 'javascript:alert(1)']],
  ['RETURN_URLS', NO_ORIGINS, ['https://shop.example.com,/checkout', "https://shop.example.com;script-src'"]],
  ['RETURN_URLS', NO_ORIGINS, ['https://shop.example.com?a=b', 'https://user@shop.example.com']],
  ['RETURN_URLS', /https/, ['https://shop.example.com,http://m.example.com']],
  ['RETURN_URLS', HERE, ['https://localhost:8080']],
  ['PORT', /./, ['70000']],
  ['ORDER_EVENTS_URL', PRIVATE, ['https://10.0.0.8/hooks', 'https://[64:ff9b::10.0.0.8]/hooks']],
  [
    'ORDER_EVENTS_ALLOW',
    /host names/,
    ['0.0.0.0/0', '::/0', '10.0.0.0/4', '10.1', '0x0a.0x1', 'https://shop.internal'],
  ],
  ['ORDER_EVENTS_SECRET', NO_WEBHOOK_SECRET, ['whsec_short', 'A'.repeat(44), `whsec_${'A'.repeat(120)}`]],
];

test.each(REFUSED.flatMap(([name, said, values]) => values.map((value) => [name, value, said] as const)))(
  'in production %s=%s is refused without showing a secret',
  (name, value, said) => {
    const found = problems({ ...PRODUCTION_ENVIRONMENT, [name]: value });
    expect(found.some((problem) => problem.startsWith(`${name}: `) && said.test(problem))).toBe(true);
    if (/KEY|SECRET|PASSWORD|DATABASE/.test(name)) expect(found.join()).not.toContain(value);
  },
);

test('in production all unsafe settings are named at once, without the value of a secret', () => {
  const secrets = {
    ...Object.fromEntries(OWN_SECRETS.map((name) => [name, `c4nary-${name}`])),
    SERVICE_KEY: 'sandbox_key',
    SERVICE_SECRET: 'sandbox_secret',
    MEMBER_SECRET: 'changeme-c4nary-member',
    API_KEY: 'c4nary key with spaces',
    DATABASE_URL: 'postgresql://merchant:c4nary-word@db.example.com/merchant?sslmode=prefer',
  };
  const others = {
    SERVICE_BASE_URL: 'http://127.0.0.1:4010',
    SERVICE_V2_BASE_URL: 'http://api.example.com',
    PUBLIC_URL: 'http://shop.example.com',
    WEBHOOK_SOURCE_ADDRESSES: '52.78.100.19,127.0.0.1',
    TRUSTED_PROXIES: '0.0.0.0/0',
  };
  const found = problems({ ...secrets, ...others, NODE_ENV: 'production' });
  const named = found.map((problem) => problem.split(':')[0]);
  const refused = Object.keys({ ...secrets, ...others });
  expect([...new Set(named)].sort()).toEqual([...refused, 'SERVICE_API_KEY'].sort());
  expect(found.join()).not.toMatch(/c4nary|sandbox_key|sandbox_secret/);
});
