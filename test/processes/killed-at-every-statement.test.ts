// A real merchant process is killed with `kill -9` after each of its statements, while a payment fails and another one pays the order.
// In every case both events reach the shop, at least once and in order, and the order is paid.

import { startStatementProxy, type StatementProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from '../support/shop-events';
import { useSurroundings, type Merchant } from '../support/use-surroundings';

/** Statements between two kills; `KILL_EVERY=1` kills after every statement. */
const STRIDE = Number(process.env['KILL_EVERY'] ?? 4);
/** More statements than there are. */
const MOST_STATEMENTS = 200;

const around = useSurroundings();
let proxy: StatementProxy;
let receiver: EventsReceiver;
let merchant: Merchant;

jest.setTimeout(600_000);

beforeAll(async () => {
  proxy = await startStatementProxy(around.database.url);
  receiver = await startEventsReceiver();
  merchant = await start();
});
afterAll(async () => {
  await proxy?.close();
  await receiver?.close();
});

test('a merchant that is killed after any statement delivers every event, in order', async () => {
  let kills = 0;
  for (let last = 1; last < MOST_STATEMENTS; last += STRIDE) {
    const merchantUid = `killed-${last}`;
    if (!(await failThenPay(merchantUid, last))) break;
    kills += 1;
    await expectToldInOrder(merchantUid);
  }
  // The two notifications alone are eight statements.
  expect(kills * STRIDE).toBeGreaterThan(8);
  expect(await around.rows.query(`select merchant_uid from orders where status <> 'paid'`)).toEqual([]);
  expect(await around.rows.query(`select kind from discrepancies`)).toEqual([]);
});

/** Returns true if the process was killed, and false if it had finished before. */
async function failThenPay(merchantUid: string, last: number): Promise<boolean> {
  await around.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     values ($1, 'Tea', 1000, 'KRW', now(), now())`,
    [merchantUid],
  );
  const failed = await pay(merchantUid, 'failed');
  const kills: Promise<unknown>[] = [];
  proxy.stopAfter(last, () => void kills.push(merchant.kill('SIGKILL')));
  await merchant.notify(failed, merchantUid, 'failed');
  const paid = await pay(merchantUid, 'paid');
  await merchant.notify(paid, merchantUid);
  await eventually(() => kills.length > 0 || told(merchantUid).length >= 2);
  if (kills.length === 0) return false;
  await Promise.all(kills);
  proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
  merchant = await start();
  // The service sends again what was not answered with 200 (§6.5).
  await merchant.notify(failed, merchantUid, 'failed');
  await merchant.notify(paid, merchantUid);
  return true;
}

async function expectToldInOrder(merchantUid: string): Promise<void> {
  await eventually(async () => {
    // The work of the dead process is due after a minute. The test changes the rows instead of waiting.
    await around.rows.query(
      `update event_deliveries set next_attempt_at = now() where next_attempt_at > now() and attempts > 0`,
    );
    await around.rows.query(`select graphile_worker.add_job('deliver-events')`);
    return new Set(told(merchantUid)).size === 2;
  });
  // Each event arrives in order; copies come after the first one.
  expect([...new Set(told(merchantUid))]).toEqual([
    `${merchantUid}:1 order.failed`,
    `${merchantUid}:2 order.paid`,
  ]);
}

const told = (merchantUid: string) => receiver.told().filter((each) => each.startsWith(`${merchantUid}:`));

const pay = async (merchantUid: string, outcome: string) =>
  (await around.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, outcome, notify: false })).svc_uid;

const start = () =>
  around.startMerchant({
    DATABASE_URL: proxy.url,
    ORDER_EVENTS_URL: receiver.url,
    ORDER_EVENTS_SECRET: EVENTS_SECRET,
    LOG_LEVEL: 'warn',
  });
