// docs/guides/upgrade.md, carried out: two processes behind nginx are replaced one at a time while notifications, calls and
// card forms go on; the migration of the next version comes first and stays when the old version comes back.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/local/postgres/free-port';
import { createMemberBrowser, hiddenFields } from '../support/browsers';
import { callApi } from '../support/calls';
import { CARD_FORM } from '../support/cards';
import { eventually } from '../support/eventually';
import { FILL_IN_MS, programArguments, programsFolder } from '../support/processes';
import { copyWithMigration, type ShopCopy } from '../support/shop-copy';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { findNginx, startNginx, type Nginx } from './nginx';

const NEXT = '20991231000000_of_the_next_version';
/** Additive, on the two tables that a notification writes: the old version knows neither column. */
const EXPAND = `
  alter table orders add column of_the_next_version text not null default 'new';
  alter table notifications add column of_the_next_version text;`;

const nginxBinary = findNginx();
const withNginx = nginxBinary === null ? describe.skip : describe;
if (nginxBinary === null)
  process.stderr.write('A rolling upgrade: skipped, nginx is not here (apt-get install nginx-light).\n');

const around = useSurroundings();
let nextVersion: ShopCopy;
let nginx: Nginx | undefined;
let load: Load | undefined;
let merchants: Merchant[] = [];
beforeAll(() => {
  nextVersion = copyWithMigration(NEXT, EXPAND);
});
afterAll(async () => {
  await load?.stop();
  await nginx?.stop();
  nextVersion?.remove();
});

withNginx('two versions behind nginx', () => {
  test('two versions follow each other behind nginx and back: no 502, no refused call, no lost notification, both at work on one database (D13, M3, M10)', async () => {
    const ports = [Number(await freePort(0)), Number(await freePort(0))];
    merchants = await Promise.all(ports.map((port) => start(port, programsFolder())));
    nginx = await startNginx(String(nginxBinary), ports);
    const running = startLoad(nginx.url);
    load = running;
    await eventually(() => running.seen('card form posted 303') > 0 && running.seen('notification 200') > 5);

    expect(await migrate(nextVersion.root)).toBe(`Applied: ${NEXT}\n`);
    await replace(running, 0, nextVersion.root);
    await replace(running, 1, nextVersion.root);

    // Back again: the step that migrates finds nothing to do, and the migration stays.
    expect(await migrate(programsFolder())).toBe(
      `Nothing to apply.\nThe database is newer than this code: a later version has applied ${NEXT}.\n`,
    );
    const answered = nginx.upstreamPorts().length;
    await replace(running, 0, programsFolder());
    expect(nginx.upstreamPorts().slice(answered)).toContain(ports[0]);
    const counts = await running.stop();

    expect(Object.keys(counts).sort()).toEqual([
      'api 200',
      'card form opened 200',
      'card form posted 303',
      'notification 200',
      'order registered 201',
    ]);
    const [paid] = await around.rows.query(
      `select count(*)::int as orders, count(*) filter (where status = 'paid')::int as paid from orders`,
    );
    expect(paid).toEqual({ orders: counts['order registered 201'], paid: counts['notification 200'] });
    expect(paid?.['orders']).toBe(paid?.['paid']);
    expect(await around.rows.query('select count(*)::int as keys from billing_keys')).toEqual([
      { keys: counts['card form posted 303'] },
    ]);
  });
});

/** SIGTERM, wait for its end, start the other version on the same port, wait until both are ready and at work. */
async function replace(running: Load, index: number, root: string): Promise<void> {
  const merchant = merchants[index] as Merchant;
  expect(await merchant.kill('SIGTERM')).toBe(0);
  merchants[index] = await start(merchant.port, root);
  const before = running.seen('notification 200');
  await eventually(areReady);
  await eventually(() => running.seen('notification 200') > before + 3);
}

async function areReady(): Promise<boolean> {
  const answers = await Promise.all(merchants.map(({ url }) => fetch(`${url}/readyz`)));
  return answers.every(({ status }) => status === 200);
}

const start = (port: number, root: string) => around.startMerchant({ PORT: String(port) }, { root });

/** `npm run migrate` of a version. */
async function migrate(root: string): Promise<string> {
  const child = spawn(process.execPath, programArguments('merchant/cli/migrate', root), {
    cwd: nextVersion.root,
    env: { PATH: process.env['PATH'], DATABASE_URL: around.database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

type Load = { seen(what: string): number; stop(): Promise<Record<string, number>> };

/** Buyers who pay, systems that call and members who fill in the card form, until it is stopped. */
function startLoad(url: string): Load {
  const counts: Record<string, number> = {};
  const note = (what: string, status: number | string) => {
    counts[`${what} ${status}`] = (counts[`${what} ${status}`] ?? 0) + 1;
  };
  let isOver = false;
  let number = 0;

  async function payOrder(): Promise<void> {
    const merchantUid = `order-${(number += 1)}`;
    const order = { merchant_uid: merchantUid, name: 'Tea', amount: 1000 };
    note('order registered', (await callApi(url, 'POST', '/api/orders', order)).status);
    const payment = { merchant_uid: merchantUid, amount: 1000, notify: false };
    const { svc_uid: svcUid } = await around.sandbox.pay(payment);
    const answer = await fetch(`${url}/webhooks/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' },
      body: JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
    });
    note('notification', answer.status);
    await answer.arrayBuffer();
    note('api', (await callApi(url, 'GET', `/api/orders/${merchantUid}`)).status);
  }

  async function fillInForm(): Promise<void> {
    const member = (number += 1);
    const from = { 'x-forwarded-for': `198.18.${member >> 8}.${member & 255}` };
    const browser = createMemberBrowser({ url });
    const { status, html } = await browser.get('/cards/new', from);
    note('card form opened', status);
    await pause(FILL_IN_MS);
    const card = { ...CARD_FORM, ...hiddenFields(html), card_number: `55550000${10_000_000 + member}` };
    note('card form posted', (await browser.post('/cards', card, from)).status);
  }

  async function repeat(act: () => Promise<void>, what: string): Promise<void> {
    while (!isOver) {
      // What fails on the way to nginx is no answer, and counts as such.
      await act().catch((error: Error) => note(what, error.message));
      await pause(100);
    }
  }

  const running = [payOrder, payOrder, fillInForm, fillInForm].map((act) => repeat(act, act.name));
  return {
    seen: (what) => counts[what] ?? 0,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return counts;
    },
  };
}
