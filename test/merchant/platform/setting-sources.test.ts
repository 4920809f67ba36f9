// Where the values of settings come from: `.env` in any of the forms that people have written it, files of secrets, and values in
// which another parser has left its traces (O14). No problem shows a value.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, ownerDatabaseUrl } from '../../../src/merchant/platform/config';
import { loadEnvFile, unreadNames } from '../../../src/merchant/platform/env-file';
import { isSecretName } from '../../../src/merchant/platform/settings';
import { loadConfig, SETTING_NAMES } from '../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT, strongSecret, TEST_ENVIRONMENT } from '../../support/config';

let folder: string;
const before = { ...process.env };
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
});

const SECRET_SETTINGS = SETTING_NAMES.filter(isSecretName);
const VALUE = 'c4nary-Value-91x';
const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
const problems = (settings: Record<string, string>) =>
  problemsOf(() => loadConfig({ ...TEST_ENVIRONMENT, ...settings }));

describe('O14 .env', () => {
  test('a byte-order mark at its start is skipped, and the first setting is read', () => {
    write('.env', '\uFEFFPATH_PREFIX=/pay\r\nSHOP_NAME="Tea House"\r\n');
    loadEnvFile(process.env, folder);
    expect(process.env).toMatchObject({ PATH_PREFIX: '/pay', SHOP_NAME: 'Tea House' });
    expect(unreadNames(SETTING_NAMES, {}, folder)).toEqual([]);
  });

  test('in UTF-16, or as a folder, it is refused with what to do', () => {
    write('.env', Buffer.from('\uFEFFPATH_PREFIX=/a', 'utf16le'));
    expect(problemsOf(() => loadEnvFile(process.env, folder))).toEqual([
      expect.stringMatching(/UTF-16; save it as UTF-8/),
    ]);
    rmSync(join(folder, '.env'));
    mkdirSync(join(folder, '.env'));
    expect(problemsOf(() => loadEnvFile(process.env, folder))).toEqual([
      expect.stringMatching(/cannot be read \(EISDIR\)/),
    ]);
  });

  test('a "#" that would cut a secret is refused, and in quotation marks it belongs to the value', () => {
    write('.env', `API_KEY=${VALUE}#more\n`);
    const [problem = ''] = problemsOf(() => loadEnvFile(process.env, folder));
    expect(problem).toMatch(/^API_KEY: .*begins a comment.*quotation marks/);
    expect(problem).not.toContain(VALUE);
    write('.env', `API_KEY='${VALUE}#more' # kept\nSERVICE_KEY=${VALUE} # a comment\n`);
    loadEnvFile(process.env, folder);
    expect(process.env).toMatchObject({ API_KEY: `${VALUE}#more`, SERVICE_KEY: VALUE });
  });

  test('variables of the process override it, also a secret that one of them gives as a file', () => {
    write('.env', 'PORT=1\nSERVICE_SECRET=of-the-file\nMEMBER_SECRET_FILE=/not/there\n');
    Object.assign(process.env, { PORT: '2', SERVICE_SECRET_FILE: '/run/secret', MEMBER_SECRET: VALUE });
    loadEnvFile(process.env, folder);
    expect(process.env).toMatchObject({
      PORT: '2',
      SERVICE_SECRET_FILE: '/run/secret',
      MEMBER_SECRET: VALUE,
    });
    expect([process.env['SERVICE_SECRET'], process.env['MEMBER_SECRET_FILE']]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a name that nothing reads is named with the one that was meant, and what the shop or the system reads is not', () => {
    const read = ['DATA_DIR', 'LOG_FORMAT', 'SANDBOX_PORT', 'API_KEY_FILE', 'NODE_EXTRA_CA_CERTS', 'TZ'];
    const others = ['RETURN_URL', 'WEBHOOK_SECRETS', 'return_urls', 'SOMETHING_ELSE_AT_ALL'];
    write('.env', [...read, ...others].map((name) => `${name}=1\n`).join(''));
    expect(
      unreadNames(SETTING_NAMES, { RETURN_ULRS: '1', PATH: '', HOSTNAME: 'a', PORTS: '1' }, folder),
    ).toEqual(
      expect.arrayContaining([
        'RETURN_URL: nothing reads it; RETURN_URLS was probably meant',
        'WEBHOOK_SECRETS: nothing reads it; WEBHOOK_SECRET was probably meant',
        'return_urls: nothing reads it; RETURN_URLS was probably meant',
        'SOMETHING_ELSE_AT_ALL: nothing reads it',
        'RETURN_ULRS: nothing reads it; RETURN_URLS was probably meant',
      ]),
    );
    expect(
      unreadNames(SETTING_NAMES, { PATH: '', HOSTNAME: 'a' }, folder).map((text) => text.split(':', 1)[0]),
    ).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/DATA_DIR|LOG_FORMAT|SANDBOX|_FILE|NODE_|TZ|PATH|HOST/)]),
    );
  });
});

test.each([
  ['a comment', `${VALUE} # comment`, /comment behind a value/],
  ['quotation marks', `"${VALUE}"`, /quotation marks/],
  ['an opening mark', `'${VALUE}`, /quotation mark/],
  ['a carriage return', `${VALUE}\r`, /carriage return/],
  ['a line end', `${VALUE}\n${VALUE}`, /line end/],
  ['white space at the end', `${VALUE} `, /white space at its ends/],
  ['a no-break space', `${VALUE}\u00A0${VALUE}`, /cannot be seen/],
  ['a zero-width space', `${VALUE}\u200B`, /cannot be seen/],
  ['a reference', '${C4NARY_VALUE}', /reference that nothing has replaced/],
])('O14 %s in a secret is refused by name and reason, without the value', (_, value, said) => {
  for (const name of SECRET_SETTINGS) {
    const found = problems({ ORDER_EVENTS_URL: 'https://shop.example.com/x', [name]: value });
    expect(found.filter((problem) => problem.startsWith(`${name}:`))).toEqual([expect.stringMatching(said)]);
    expect(found.join()).not.toMatch(/c4nary/i);
  }
});

test('O14 quotation marks and carriage returns are refused in every setting, and a "#" in a name is not', () => {
  expect(problems({ PUBLIC_URL: '"https://shop.example.com"' })).toEqual([
    expect.stringMatching(/^PUBLIC_URL: stands in quotation marks/),
  ]);
  expect(problems({ LOG_LEVEL: 'info\r' })).toEqual([
    expect.stringMatching(/^LOG_LEVEL: has a carriage return/),
  ]);
  expect(problems({ SHOP_NAME: 'Tea #1' })).toEqual([]);
});

describe('O14 the URL of the database', () => {
  const found = (url: string) => problems({ DATABASE_URL: url });

  test.each(['p/ss', 'p#ss', 'p?ss', '12/34', '1#2', '100%', 'a%zz', 'p%', 'p:/@#'])(
    'with the raw password %s the problem says how to encode it, and does not show it',
    (word) => {
      const [problem = ''] = found(`postgresql://merchant:c4nary${word}@db.example.com:5432/merchant`);
      expect(problem).toMatch(/^DATABASE_URL: cannot be read; .*@ is %40, : is %3A, \/ is %2F, # is %23/);
      expect(problem).not.toContain('c4nary');
    },
  );

  test.each(['p@ss', 'p:ss', 'p%40ss', 'p%2Fss', 'pässwort'])(
    'the password %s can be read as it is',
    (word) => {
      expect(found(`postgresql://merchant:${word}@127.0.0.1:5432/merchant`)).toEqual([]);
    },
  );

  test.each([
    ['mysql://merchant:word@localhost/merchant', /no other database than PostgreSQL/],
    ['jdbc:postgresql://localhost/merchant', /must begin with postgresql/],
    ['host=localhost dbname=merchant', /must begin with postgresql/],
    ['postgresql://a.example.com,b.example.com/merchant', /several hosts/],
    ['postgresql://a.example.com:5432,b.example.com:5432/merchant', /several hosts/],
    ['postgresql://localhost/merchant?schema=payments', /"schema".*database of its own/],
    ['postgresql://localhost/merchant?connection_limit=5', /"connection_limit".*its own limits/],
    ['postgresql://localhost/merchant?pgbouncer=true', /"pgbouncer".*DATABASE_DIRECT_URL/],
    [
      'postgresql://localhost/merchant?statement_timeout=0&query_timeout=0',
      /"statement_timeout".*"query_timeout"/,
    ],
    ['postgresql://localhost/merchant?channel_binding=require', /"channel_binding".*verify-full/],
    ['postgresql://localhost/merchant?something=1', /"something", which has no effect/],
    [
      'postgresql://localhost/merchant?options=-c%20search_path%3Dpayments',
      /another search_path.*of its own/,
    ],
    ['postgresql://localhost/merchant?options=--search_path=a,public', /another search_path/],
  ])('%s is refused with what to do', (url, said) => {
    expect(found(url)).toEqual([expect.stringMatching(said)]);
    // As `migrate` reads it.
    expect(problemsOf(() => ownerDatabaseUrl({ DATABASE_URL: url }))).toEqual([expect.stringMatching(said)]);
  });

  test.each([
    'options=-c%20search_path%3Dpublic',
    'options=-c%20search_path%3Dpublic,other%20-c%20timezone%3DAsia/Seoul',
    'sslmode=disable&application_name=shop',
    'host=/var/run/postgresql',
  ])('?%s is accepted', (query) => {
    expect(found(`postgresql://merchant@localhost/merchant?${query}`)).toEqual([]);
  });

  test('of the owner is used by migrations before the direct one and that of the server', () => {
    const [owner, direct, server] = ['owner', 'direct', 'server'].map(
      (name) => `postgresql://localhost/${name}`,
    );
    const all = { DATABASE_OWNER_URL: owner, DATABASE_DIRECT_URL: direct, DATABASE_URL: server };
    expect(ownerDatabaseUrl(all)).toBe(owner);
    expect(ownerDatabaseUrl({ ...all, DATABASE_OWNER_URL: ' ' })).toBe(direct);
    expect(ownerDatabaseUrl({ DATABASE_URL: server })).toBe(server);
    expect(ownerDatabaseUrl({})).toBeNull();
    const { databaseUrl, databaseOwnerUrl } = loadConfig({ ...TEST_ENVIRONMENT, ...all });
    expect([databaseUrl, databaseOwnerUrl]).toEqual([server, owner]);
  });
});

describe('a secret as a file', () => {
  const REST = { ...PRODUCTION_ENVIRONMENT };

  test.each(SECRET_SETTINGS.filter((name) => name in REST))('%s_FILE is the path of its value', (name) => {
    const { [name as keyof typeof REST]: value, ...others } = REST;
    for (const end of ['', '\n', '\r\n']) {
      const settings = { ...others, [`${name}_FILE`]: write('secret', `${value}${end}`) };
      expect(loadConfig(settings)).toEqual(loadConfig(REST));
    }
  });

  test('the newer generation, signed notifications, events and the other databases take files as well', () => {
    const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const url = 'postgresql://merchant@db.example.com/merchant?sslmode=verify-full';
    const values = { SERVICE_API_KEY: 'live-api-key', WEBHOOK_SECRET: whsec, ORDER_EVENTS_SECRET: whsec };
    const urls = { DATABASE_DIRECT_URL: url, DATABASE_OWNER_URL: url };
    const given = {
      ...REST,
      SERVICE_V2_BASE_URL: 'https://api.example.com',
      ORDER_EVENTS_URL: 'https://shop.example.com',
    };
    const files = Object.entries({ ...values, ...urls }).map(([name, value]) => [
      `${name}_FILE`,
      write(name, value),
    ]);
    expect(loadConfig({ ...given, ...Object.fromEntries(files) })).toEqual(
      loadConfig({ ...given, ...values, ...urls }),
    );
    expect(ownerDatabaseUrl({ DATABASE_OWNER_URL_FILE: write('owner', `${url}\n`) })).toBe(url);
  });

  test('what cannot be the value is refused by name and reason', () => {
    const { API_KEY: key, ...others } = REST;
    const found = (settings: Record<string, string>) =>
      problemsOf(() => loadConfig({ ...others, ...settings }));
    const ofFile = (content: string | Buffer) => found({ API_KEY_FILE: write('secret', content) });
    expect(found({ API_KEY: key, API_KEY_FILE: write('secret', key) })).toEqual([
      'API_KEY_FILE: is set as well as API_KEY; set one of them',
    ]);
    expect(found({ API_KEY_FILE: join(folder, 'nothing') })).toEqual([
      'API_KEY_FILE: names a file that does not exist',
    ]);
    expect(found({ API_KEY_FILE: folder })).toEqual([expect.stringMatching(/^API_KEY_FILE: names a folder/)]);
    expect(ofFile('')).toEqual(['API_KEY_FILE: names a file that is empty']);
    expect(ofFile('\n')).toEqual(['API_KEY_FILE: names a file that is empty']);
    expect(ofFile(Buffer.from([0xff, 0xfe, 0x41, 0]))).toEqual([expect.stringMatching(/UTF-8/)]);
    expect(ofFile('x'.repeat(10_000))).toEqual([expect.stringMatching(/too large/)]);
    expect(ofFile(`${key}\n\n`)).toEqual([expect.stringMatching(/^API_KEY: has (a control|white)/)]);
    expect(ofFile(`"${key}"\n`)).toEqual([expect.stringMatching(/^API_KEY: stands in quotation marks/)]);
    expect(ofFile('too-short')).toEqual([expect.stringMatching(/^API_KEY: is shorter/)]);
    const secret = write('unreadable', strongSecret('a'));
    chmodSync(secret, 0);
    if (process.getuid?.() !== 0)
      expect(found({ API_KEY_FILE: secret })).toEqual([expect.stringMatching(/may not read/)]);
  });
});
