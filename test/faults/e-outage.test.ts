// The service is away or refuses us, and forms and notifications come in all the same (rows E10, E27 and L7 of docs/faults.md):
// nothing is sent without a token, nothing that was notified is lost, and the books agree with the service in the end.

import { FETCH_PAYMENT, ISSUE_KEY, TOKEN } from '../support/endpoints';
import { createMemberBrowser } from '../support/member-browser';
import { issuancesOf, keyOf } from '../support/member-cards';
import { storedOutcomes } from '../support/notification-burst';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../support/orders';
import { bothSides } from '../support/reconciliation';
import { useFreshWorld } from '../support/use-world';

const world = useFreshWorld();

const failAlways = (endpoint: string, fault: Record<string, unknown>) =>
  world.sandbox.fault({ endpoint, times: 1_000_000, ...fault });

/** Paid at the service, which has sent no notification yet. */
async function payOrder() {
  const merchantUid = await registerOrder(world, newUid());
  return { svcUid: (await paySilently(world, merchantUid)).svc_uid, merchantUid };
}

test('E10 while the token call is refused, the card form is 503, a notification is queued, and the service is asked once in thirty seconds', async () => {
  const { svcUid, merchantUid } = await payOrder();
  const money = await world.rows.money();
  const body = { code: -1, message: 'no such key', response: null };
  await failAlways(TOKEN, { kind: 'status', status: 200, body });

  const member = createMemberBrowser(world);
  const tries = await world.sandbox.requestsDuring(TOKEN, async () => {
    const { status, customerUid } = await member.register();
    expect(status).toBe(503);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed', card_number: null });
    expect(await issuancesOf(world, customerUid)).toHaveLength(1);
    for (let copy = 0; copy < 3; copy += 1)
      expect(await sendNotification(world, svcUid, merchantUid)).toEqual({ status: 200, outcome: 'queued' });
    await world.advance(29);
  });
  expect(tries).toBe(1);
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(0);
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(0);
  expect(await storedOutcomes(world)).toEqual({ 'queued:unauthorized': 3 });
  expect(await world.rows.money()).toBe(money);
  expect(await world.sandbox.requestsDuring(TOKEN, () => world.advance(30))).toBe(1);

  await world.sandbox.clearFaults();
  await world.advance(60);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await storedOutcomes(world)).toEqual({ recorded: 3 });
  expect((await member.register()).status).toBe(303);
});

test('L7 credentials that were changed at the service: a process with the old ones issues keys as long as its token lives, then is 503 with nothing sent, and issues again after its restart', async () => {
  const member = createMemberBrowser(world);
  expect((await member.register()).status).toBe(303);
  await failAlways(TOKEN, { kind: 'unauthorized' });
  world.clock.advance(25 * 60);
  expect((await member.register()).status).toBe(303);
  world.clock.advance(11 * 60);
  const issued = await world.sandbox.requests(ISSUE_KEY);
  const { status, customerUid } = await member.register();
  expect(status).toBe(503);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(issued);

  await world.sandbox.clearFaults();
  await world.restartMerchant();
  expect((await member.register()).status).toBe(303);
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(issued + 1);
  expect(await world.rows.query(`select from billing_keys where status = 'active'`)).toHaveLength(3);
});

test('E27 the service is away for a day: every notification is 200 queued, and all of them are recorded once within fifteen minutes of its return', async () => {
  // Nothing has been asked yet, so that there is no token either.
  await failAlways(TOKEN, { kind: 'status', status: 503 });
  const merchantUids: string[] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    for (let order = 0; order < 3; order += 1) {
      const { svcUid, merchantUid } = await payOrder();
      merchantUids.push(merchantUid);
      expect(await sendNotification(world, svcUid, merchantUid)).toEqual({ status: 200, outcome: 'queued' });
    }
    await world.runEveryMinute(3600);
  }
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(0);
  expect(await world.rows.query('select from payments')).toEqual([]);
  expect(await world.rows.query('select distinct status, version from orders')).toEqual([
    { status: 'open', version: 0 },
  ]);

  await world.sandbox.clearFaults();
  for (let minute = 0; minute < 15; minute += 1) await world.runEveryMinute(60);
  expect(await storedOutcomes(world)).toEqual({ recorded: merchantUids.length });
  expect(await world.rows.query('select distinct status, version from orders')).toEqual([
    { status: 'paid', version: 1 },
  ]);
  const { service, stored } = await bothSides(world);
  expect(stored).toHaveLength(merchantUids.length);
  expect(stored).toEqual(service);
  expect(await world.rows.query('select from discrepancies')).toEqual([]);
});
