// The steps of docs/04-going-live.md, from an empty folder to a live merchant: at each step `npm run doctor -- --live` names what is
// missing, in the end only checks for a person. Service and merchant are behind TLS proxies. rehearse.test.ts has the same way
// without a problem.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/local/postgres/free-port';
import { makeRoles, type Roles } from '../../src/local/postgres/roles';
import { askDoctor, bodyShown, type Diagnosis } from '../../src/local/rehearsal/ask-doctor';
import { KEPT_INSIDE, openHosts, type Hosts } from '../../src/local/rehearsal/hosts';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { PRODUCTION_ENVIRONMENT } from '../support/config';
import { eventually } from '../support/eventually';
import { programArguments } from '../support/processes';
import { copyPrograms, layOver, type ShopCopy } from '../support/shop-copy';
import { useSurroundings, type Merchant } from '../support/use-surroundings';

const CREDENTIALS = { serviceKey: 'live-key-of-the-test', serviceSecret: 'live-secret-of-the-test' };
const REFUND = { reason: 'the first payment is refunded' };
const BY_HAND = ['contracts', 'card data', 'console', 'backups', 'alerts'];

const around = useSurroundings({ isEmpty: true, sandboxConfig: { namePrefix: 'abc', ...CREDENTIALS } });
/** Other tests set them; a blank setting counts as not set. */
const UNSET = { SERVICE_V2_BASE_URL: '', TRUSTED_PROXIES: '' };
let copy: ShopCopy;
let hosts: Hosts;
let merchant: Merchant | undefined;
let settings: Record<string, string>;

beforeAll(async () => {
  copy = copyPrograms('going-live-');
  changeLegalPages((text) => `${text}[the name of the shop]`);
  hosts = await openHosts(copy.root);
  hosts.service.leadTo(around.sandbox.url);
  const port = String(await freePort(0));
  hosts.shop.leadTo(`http://127.0.0.1:${port}`);
  await migrateDatabase(around.database.url);
  settings = {
    ...PRODUCTION_ENVIRONMENT,
    ...hosts.finding,
    ...hosts.trusting,
    PORT: port,
    DATABASE_URL: around.database.url,
    SERVICE_BASE_URL: hosts.serviceUrl,
    SERVICE_KEY: CREDENTIALS.serviceKey,
    SERVICE_SECRET: CREDENTIALS.serviceSecret,
    PUBLIC_URL: hosts.publicUrl,
  };
});
afterAll(async () => {
  await hosts?.close();
  copy?.remove();
});

let roles: Roles | undefined;
// After the database.
afterAll(() => roles?.drop());

const diagnose = (environment = settings): Promise<Diagnosis> =>
  askDoctor(programArguments('merchant/cli/doctor', copy.root), environment);

/** @param fix a part of the remedy, if there is one */
function expectItem(
  diagnosis: Diagnosis,
  name: string,
  state: string,
  says: string | RegExp,
  fix = '',
): void {
  const item = diagnosis.item(name);
  expect([name, item?.state]).toEqual([name, state]);
  expect(item?.says).toMatch(says);
  expect(item?.fix).toContain(fix);
}

async function restart(): Promise<void> {
  await merchant?.kill('SIGINT');
  merchant = await around.startMerchant({ ...UNSET, ...settings }, { root: copy.root });
}

test('without settings all are named at once, with the steps by hand', async () => {
  const [bare, development] = await Promise.all([
    diagnose({ NODE_ENV: 'production' }),
    diagnose({ ...settings, NODE_ENV: 'development', PUBLIC_URL: '', MEMBER_SECRET: 'short' }),
  ]);
  expect(bare.exitCode).toBe(1);
  expect(bare.in('failed')).toEqual(['settings', 'legal pages']);
  for (const name of ['DATABASE_URL', 'SERVICE_BASE_URL', 'SERVICE_KEY', 'PUBLIC_URL', 'API_KEY'])
    expect(bare.item('settings')?.says).toContain(`${name}: is missing`);
  expect(bare.in('by hand')).toEqual(BY_HAND);
  expect(bare.item('console')?.says).toContain('https://your.host/webhooks/payments');

  expect(development.exitCode).toBe(1);
  const says = /NODE_ENV is not production\n[^]*PUBLIC_URL: is missing[^]*MEMBER_SECRET/;
  expectItem(development, 'production', 'failed', says, 'NODE_ENV=production');
});

test('for a proxy that is not configured the effect and the setting are named', async () => {
  hosts.shop.setHeaders('silent');
  await restart();
  await eventually(() => eventsOf('no_trusted_proxies').length > 0);
  expect(eventsOf('no_trusted_proxies')).toMatchObject([
    { meaning: expect.stringContaining('every notification is refused'), fix: expect.any(String) },
  ]);
  const before = await traces();
  const first = await diagnose();
  expect(first.exitCode).toBe(1);
  expect(first.in('failed')).toEqual([
    'database role',
    ...['service', 'prefix', 'proxies', 'metrics', 'legal pages', 'pages'],
  ]);
  expectItem(first, 'database role', 'failed', 'is a superuser', 'deploy/postgres-roles.sql');
  const unread = 'svc_key and svc_secret as if nothing had been sent';
  expectItem(first, 'prefix', 'failed', unread, 'SERVICE_NAME_PREFIX');
  const silent = 'every notification is refused: the proxy 127.0.0.1 does not name the sender';
  expectItem(first, 'proxies', 'failed', silent, 'TRUSTED_PROXIES=127.0.0.1 and restart');
  expect(first.item('pages')?.says).toContain('another Host than that of PUBLIC_URL');
  expectItem(first, 'inside', 'warning', '/api/orders, /operator, /docs, /openapi.json can be reached');
  expect(first.item('metrics')?.says).toContain(`${hosts.publicUrl}/metrics is open to everybody`);
  // The command has counted, stored and logged nothing.
  expect(await traces()).toEqual(before);
  expect(eventsOf('webhook_source_not_listed')).toEqual([]);
});

test('with every setting only the steps with the live account and by hand remain', async () => {
  hosts.shop.setHeaders('adds');
  hosts.shop.keepInside(KEPT_INSIDE);
  roles = await makeRoles(around.database.url, new URL(around.database.url).username);
  settings = {
    ...settings,
    DATABASE_URL: roles.runtimeUrl,
    SERVICE_NAME_PREFIX: 'abc',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  layOver(copy, 'own-sign-in');
  layOver(copy, 'mail');
  changeLegalPages((text) => text.replace(/\[[^\][<>\n]{1,60}\]/g, 'Tea House'));
  // The copied example needs its own setting.
  await expect(restart()).rejects.toThrow('SIGN_IN_PAGE: is not set; src/merchant/shop needs it');
  settings = { ...settings, SIGN_IN_PAGE: 'https://shop.example.com/sign-in' };
  await restart();
  expect(eventsOf('no_trusted_proxies')).toEqual([]);
  const set = await diagnose();
  // Accounts of operators are in no setting.
  expect([...set.in('failed'), ...set.in('warning')]).toEqual(['operators']);
  expect(set.exitCode).toBe(0);
  expect(set.in('skipped')).toEqual(['http']);
  expect(set.in('by hand')).toEqual(['test button', 'first payment', 'first refund', ...BY_HAND]);
  expect(set.item('prefix')?.says).toContain('abc_key and abc_secret');
  expect(set.item('hsts')?.state).toBe('ok');
  expect(set.item('test button')?.fix).toContain(`${hosts.publicUrl}/webhooks/payments`);

  const { sandbox, rows } = around;
  await sandbox.settings({ webhook_url: `${merchant?.url}/webhooks/payments` });
  await sandbox.call('POST', '/settings/test-webhook');
  await sandbox.waitForNotifications();
  await follow(set.item('first payment')?.fix ?? '', '/api/orders');
  const { svc_uid } = await sandbox.pay({ merchant_uid: 'first-100-won', amount: 100 });
  expect((await merchant?.api('POST', `/api/payments/${svc_uid}/cancel`, REFUND))?.status).toBe(200);
  // The test button counts for an hour; rehearse.test.ts has a recent one.
  await rows.query(
    `update notifications set received_at = now() - interval '61 minutes' where outcome = 'test'`,
  );
  const done = await diagnose();
  expect([done.exitCode, done.in('by hand')]).toEqual([0, ['test button', ...BY_HAND]]);
  expect(
    done.items.filter(({ state }) => !['ok', 'by hand'].includes(state)).map(({ name }) => name),
  ).toEqual(['operators', 'http']);
  expect(await rows.query('select status from orders')).toEqual([{ status: 'cancelled' }]);

  for (const secret of [PRODUCTION_ENVIRONMENT.API_KEY, ...Object.values(CREDENTIALS)])
    expect(done.output).not.toContain(secret);
});

const eventsOf = (name: string) => merchant?.events(name) ?? [];

/** Sends the request of a `curl` line that the checklist shows. */
async function follow(shown: string, path: string): Promise<void> {
  const answer = await merchant?.api('POST', path, bodyShown(shown, path));
  expect([200, 201]).toContain(answer?.status);
}

/** The merchant's counters of notifications, and the stored ones. Gauges are left out while they cannot be read. */
async function traces(): Promise<{ metrics: string[]; stored: object[] }> {
  const text = await (await fetch(`${merchant?.url}/metrics`)).text();
  const metrics = text.split('\n').filter((line) => /^merchant_(notifications|webhook)\w*_total/.test(line));
  return { metrics, stored: await around.rows.query('select * from notifications') };
}

function changeLegalPages(change: (text: string) => string): void {
  const folder = join(copy.root, 'views', 'merchant', 'cards', 'legal');
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }
}
