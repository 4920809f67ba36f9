// The upgrade of docs/07-maintenance.md: two processes behind nginx are replaced one at a time, while notifications, calls and card
// forms continue. The migration of the next version runs first and stays after a rollback. test/flows/http/rotation.test.ts has the
// rotation of secrets.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../src/local/postgres/free-port';
import { cardsIn, createMemberBrowser, hiddenFields, type MemberBrowser } from '../support/browsers';
import { CARD_FORM } from '../support/cards';
import { API_KEY } from '../support/config';
import { eventually } from '../support/eventually';
import { describeWithNginx, startNginx, type Nginx } from '../support/nginx';
import { FILL_IN_MS, programArguments, programsFolder } from '../support/processes';
import { copyWithMigration, type ShopCopy } from '../support/shop-copy';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { SERVICE_ADDRESS } from '../support/world';

const NEXT = '20991231000000_of_the_next_version';
/** Additive, on the two tables that a notification writes: the old version knows neither column. */
const EXPAND = `
  alter table orders add column of_the_next_version text not null default 'new';
  alter table notifications add column of_the_next_version text;`;
/** Codes of the log for a database that did not answer within seconds, as on a busy machine. No upgrade causes them. */
const TOO_LATE = ['ETIMEDOUT', 'NO_CONNECTION'];
/** Of one client. Five clients make some requests in every second of a replacement, which takes about ten. */
const BETWEEN_ACTS_MS = 600;

describeWithNginx('two processes behind nginx, replaced one at a time', () => {
  const around = useSurroundings();
  let nginx: Nginx;
  let load: Load;
  let merchants: Merchant[];
  /** Every process that ran. */
  const all: Merchant[] = [];
  let nextVersion: ShopCopy;
  beforeAll(async () => {
    nextVersion = copyWithMigration(NEXT, EXPAND);
    const ports = await freePorts(2);
    merchants = await Promise.all(ports.map((port) => start(port, programsFolder())));
    nginx = await startNginx(ports);
    load = startLoad(nginx.url);
    await load.goesOn();
  });
  afterAll(async () => {
    await load?.stop();
    await nginx?.stop();
    nextVersion?.remove();
  });

  test('an upgrade and a rollback behind nginx cause no 502, no refused call and no lost notification (D13, M3, M10)', async () => {
    expect(await migrate(nextVersion.root)).toBe(`Applied: ${NEXT}\n`);
    await replace(0, nextVersion.root);
    await replace(1, nextVersion.root);

    // Rollback: `migrate` applies nothing, and the migration stays.
    expect(await migrate(programsFolder())).toBe(
      `Nothing to apply.\nThe database is newer than this code: a later version has applied ${NEXT}.\n`,
    );
    const answered = nginx.upstreamPorts().length;
    await replace(0, programsFolder());
    expect(nginx.upstreamPorts().slice(answered)).toContain(merchants[0]?.port);
    await expectNothingLost();
  });

  /** SIGTERM, wait for its end, start the other one on the same port, wait until both are ready and at work. */
  async function replace(index: number, root: string): Promise<void> {
    const merchant = merchants[index] as Merchant;
    expect(await merchant.kill('SIGTERM')).toBe(0);
    merchants[index] = await start(merchant.port, root);
    await eventually(async () => {
      const answers = await Promise.all(merchants.map(({ url }) => fetch(`${url}/readyz`)));
      return answers.every(({ status }) => status === 200);
    });
    await load.goesOn();
  }

  /** Every answer was a success, or was repeated because the database answered too late, and its result is stored. */
  async function expectNothingLost(): Promise<void> {
    const { counts, repeated } = await load.stop();
    const failures = all.flatMap(({ events }) =>
      ['request_failed', 'notification_not_stored'].flatMap(events),
    );
    const codes = failures.map(({ err }) => (err as { code?: string }).code ?? err);
    expect(codes.filter((code) => !TOO_LATE.includes(String(code)))).toEqual([]);
    expect(repeated).toBeLessThanOrEqual(codes.length);
    expect(Object.keys(counts).sort()).toEqual([
      'form opened 200',
      'form posted 303',
      'list of 1 cards 200',
      'notification 200',
      'order read 200',
      'order registered 201',
    ]);
    const paid = counts['notification 200'];
    expect(counts['order registered 201']).toBe(paid);
    const keys = counts['form posted 303'];
    expect(
      await around.rows.query(
        `select (select count(*)::int from orders) as orders, (select count(*)::int from orders where status = 'paid') as paid,
           count(*)::int as keys, count(distinct member_id)::int as members from billing_keys`,
      ),
    ).toEqual([{ orders: paid, paid, keys, members: keys }]);
  }

  async function start(port: number, root: string): Promise<Merchant> {
    const merchant = await around.startMerchant({ PORT: String(port) }, { root });
    all.push(merchant);
    return merchant;
  }

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

  type Load = ReturnType<typeof startLoad>;

  /** Buyers who pay, systems that call the API, and members who fill in the card form and return, until it is stopped. */
  function startLoad(url: string) {
    const counts: Record<string, number> = {};
    const note = (what: string, status: number | string) => {
      counts[`${what} ${status}`] = (counts[`${what} ${status}`] ?? 0) + 1;
    };
    const seen = (what: string) => counts[what] ?? 0;
    let repeated = 0;
    const members: MemberBrowser[] = [];
    let isOver = false;
    let number = 0;

    /** Asks again as long as the answer says that it can be repeated. */
    async function answerOf<Given extends { status: number }>(ask: () => Promise<Given>): Promise<Given> {
      for (;;) {
        const answer = await ask();
        if (answer.status !== 503) return answer;
        repeated += 1;
        await pause(BETWEEN_ACTS_MS);
      }
    }

    const send = (path: string, headers: Record<string, string>, body?: object): Promise<Response> =>
      answerOf(() =>
        fetch(url + path, {
          method: body ? 'POST' : 'GET',
          headers: { 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );

    async function call(what: string, path: string, body?: object): Promise<void> {
      const answer = await send(path, { authorization: `Bearer ${API_KEY}` }, body);
      note(what, answer.status);
      await answer.arrayBuffer();
    }

    async function payOrder(): Promise<void> {
      const merchant_uid = `order-${(number += 1)}`;
      await call('order registered', '/api/orders', { merchant_uid, name: 'Tea', amount: 1000 });
      const { svc_uid } = await around.sandbox.pay({ merchant_uid, amount: 1000, notify: false });
      // The load names its client's address, as an outer proxy would.
      const from = { 'x-forwarded-for': SERVICE_ADDRESS };
      const answer = await send('/webhooks/payments', from, { svc_uid, merchant_uid, status: 'paid' });
      note('notification', answer.status);
      await answer.arrayBuffer();
      await call('order read', `/api/orders/${merchant_uid}`);
    }

    /** Each has its own address and card, so that no limit applies. */
    async function fillInForm(): Promise<void> {
      const member = (number += 1);
      const from = { 'x-forwarded-for': `198.18.${member >> 8}.${member & 255}` };
      const browser = createMemberBrowser({ url });
      const { status, html } = await answerOf(() => browser.get('/cards/new', from));
      note('form opened', status);
      await pause(FILL_IN_MS);
      const card = { ...CARD_FORM, ...hiddenFields(html), card_number: `55550000${10_000_000 + member}` };
      note('form posted', (await browser.post('/cards', card, from)).status);
      members.push(browser);
    }

    async function comeBack(browser: MemberBrowser): Promise<void> {
      const { status, html } = await answerOf(() => browser.get('/cards'));
      note(`list of ${cardsIn(html).length} cards`, status);
    }
    const lastComesBack = () => Promise.all(members.slice(-2).map(comeBack));

    async function repeat(act: () => Promise<unknown>, what: string): Promise<void> {
      while (!isOver) {
        // A failure before nginx counts as no answer.
        await act().catch((error: Error) => note(what, error.message));
        await pause(BETWEEN_ACTS_MS);
      }
    }

    const running = {
      /** Resolves when each kind of request was made some more times. */
      async goesOn(): Promise<void> {
        const [notified, posted] = [seen('notification 200') + 4, seen('form posted 303') + 4];
        await eventually(() => seen('notification 200') >= notified && seen('form posted 303') >= posted);
      },
      /** The number of each answer, and of those that had to be asked for again. */
      async stop(): Promise<{ counts: Record<string, number>; repeated: number }> {
        isOver = true;
        await Promise.all(clients);
        return { counts, repeated };
      },
    };
    const acts = [payOrder, payOrder, fillInForm, fillInForm, lastComesBack];
    const clients = acts.map((act) => repeat(act, act.name));
    return running;
  }
});
