// The service refuses our credentials (rows E10 and L7 of docs/13-faults.md): the card form answers 503, and notifications are
// queued.

import { createMemberBrowser } from '../../support/browsers';
import { issuancesOf, keyOf } from '../../support/keys';
import { storedOutcomes } from '../../support/orders';
import { FETCH_PAYMENT, ISSUE_KEY, TOKEN } from '../../support/sandbox-controls';
import { useFreshWorld } from '../../support/use-world';
import { payOrder, QUEUED } from '../webhooks/setup';

const world = useFreshWorld();

const refuseTokens = (fault: object) => world.sandbox.fault({ endpoint: TOKEN, times: 1_000_000, ...fault });
const orders = () => world.rows.query('select distinct status, version from orders');
const PAID_ONCE = [{ status: 'paid', version: 1 }];

test('E10 while the token call is refused, the card form answers 503, notifications are queued, and the token call is made once in thirty seconds', async () => {
  const paid = await payOrder(world);
  const money = await world.rows.money();
  const body = { code: -1, message: 'no such key', response: null };
  await refuseTokens({ kind: 'status', status: 200, body });
  const member = createMemberBrowser(world);
  const tries = await world.sandbox.requestsDuring(TOKEN, async () => {
    const { status, customerUid } = await member.register();
    expect(status).toBe(503);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed', card_number: null });
    expect(await issuancesOf(world, customerUid)).toHaveLength(1);
    for (let copy = 0; copy < 3; copy += 1) expect(await paid.notify()).toEqual(QUEUED);
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
  expect(await orders()).toEqual(PAID_ONCE);
  expect(await storedOutcomes(world)).toEqual({ recorded: 3 });
  expect((await member.register()).status).toBe(303);
});

test('L7 after a change of its credentials at the service a process works until its token expires, then answers 503 until its restart', async () => {
  const member = createMemberBrowser(world);
  expect((await member.register()).status).toBe(303);
  await refuseTokens({ kind: 'unauthorized' });
  world.clock.advance(25 * 60);
  expect((await member.register()).status).toBe(303);
  world.clock.advance(11 * 60);
  const { status, customerUid } = await member.register();
  expect(status).toBe(503);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(2);

  await world.sandbox.clearFaults();
  await world.restartMerchant();
  expect((await member.register()).status).toBe(303);
  expect(await world.rows.query(`select from billing_keys where status = 'active'`)).toHaveLength(3);
});
