// The primary fails, and its synchronous standby takes over at the same address (a proxy): no acknowledged notification is lost, and
// the merchant is not restarted.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer } from '../../src/local/postgres/databases';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/local/postgres/embedded-postgres';
import { freePort } from '../../src/local/postgres/free-port';
import { readPostmasterFile } from '../../src/local/postgres/postmaster';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { endTogether } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { queryOnce } from '../support/rows';
import { useSurroundings } from '../support/use-surroundings';

const ORDERS = 60;
/** Notifications before the primary fails. */
const BEFORE = 20;
const DATABASE = 'merchant';

const around = useSurroundings();
let folder: string;
let primary: EmbeddedPostgres;
/** PostgreSQL reports that it is ready when it was promoted. */
let promoted: Promise<EmbeddedPostgres>;
let standbyUrl: string;
let address: Awaited<ReturnType<typeof startAddress>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'failover-'));
  // If this is root, PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  const [dataDir, standbyDir] = [join(folder, 'primary'), join(folder, 'standby')];
  const empty = await startEmbeddedPostgres({ dataDir, ports: [0] });
  await administer(empty.url('postgres'), `create database ${DATABASE}`);
  await migrateDatabase(empty.url(DATABASE));
  await empty.stop();
  execFileSync('cp', ['-a', dataDir, standbyDir]);
  writeFileSync(join(standbyDir, 'data', 'standby.signal'), '');

  primary = await startEmbeddedPostgres({ dataDir, ports: [0], settings: ['synchronous_standby_names=*'] });
  const { port, password, username } = new URL(primary.url(DATABASE));
  const connection = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const standbyPort = Number(await freePort(0));
  promoted = startEmbeddedPostgres({
    dataDir: standbyDir,
    ports: [standbyPort],
    settings: [`primary_conninfo=${connection}`],
  });
  standbyUrl = primary.url(DATABASE).replace(port, String(standbyPort));
  const synchronous = `select from pg_stat_replication where sync_state = 'sync'`;
  await eventually(async () => (await queryOnce(primary.url(DATABASE), synchronous)).length === 1);
  address = await startAddress(Number(port), standbyPort);
});
afterAll(async () => {
  await address?.close();
  await primary?.stop();
  await (await promoted)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects to the primary, and after `fail` to the standby. */
async function startAddress(primaryPort: number, standbyPort: number) {
  let target = primaryPort;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    endTogether(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fail: () => (target = standbyPort),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('when the primary is killed while notifications arrive, no answered one is lost and no payment is stored twice', async () => {
  const url = primary.url(DATABASE).replace(new URL(primary.url(DATABASE)).port, String(address.port));
  const merchant = await around.startMerchant({ DATABASE_URL: url });
  const uids = Array.from({ length: ORDERS }, (_, at) => `failover-${at}`);
  const payments: { merchantUid: string; svcUid: string }[] = [];
  for (const merchantUid of uids)
    payments.push({ merchantUid, svcUid: await merchant.payOrder(merchantUid) });

  const refused: string[] = [];
  const sending = payments.map(async ({ merchantUid, svcUid }, at) => {
    if (at >= BEFORE) await new Promise((resolve) => setTimeout(resolve, 50 * (at - BEFORE)));
    // The service sends again what was not answered 200.
    await eventually(async () => {
      const answer = await merchant.notify(svcUid, merchantUid);
      if (answer?.status !== 200) refused.push(merchantUid);
      return answer?.status === 200;
    });
  });
  await Promise.all(sending.slice(0, BEFORE));
  process.kill(readPostmasterFile(join(folder, 'primary', 'data'))?.pid ?? 0, 'SIGKILL');
  await primary.exited;
  const known = await queryOnce<{ merchant_uid: string }>(
    standbyUrl,
    `select distinct merchant_uid from notifications where merchant_uid like 'failover-%'`,
  );
  expect(known.map(({ merchant_uid }) => merchant_uid)).toEqual(
    expect.arrayContaining(uids.slice(0, BEFORE)),
  );
  await queryOnce(standbyUrl, 'select pg_promote()');
  address.fail();
  await Promise.all(sending);

  expect(refused).not.toEqual([]);
  // A notification that was stored but not checked is open: it is retried when its lease ends.
  const lost = `select merchant_uid from orders o where (status, version) is distinct from ('paid', 1)
    and not exists (select from notifications n where n.merchant_uid = o.merchant_uid and n.next_attempt_at is not null)`;
  expect(await queryOnce(standbyUrl, lost)).toEqual([]);
  const paidTwice = 'select merchant_uid from payments group by 1 having count(*) > 1';
  expect(await queryOnce(standbyUrl, paidTwice)).toEqual([]);
  expect(await queryOnce(standbyUrl, 'select kind from discrepancies')).toEqual([]);
  expect(merchant.events('unhandled_rejection')).toEqual([]);
  await eventually(async () => (await fetch(`${merchant.url}/readyz`)).status === 200);
});
