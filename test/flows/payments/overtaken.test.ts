// Notifications doubled, out of order and overtaken by each other: the books follow the service.

import { closeContext, createContext, type Context } from '../../../src/merchant/context';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { testConfig } from '../../support/config';
import { startWorld, type World } from '../../support/world';

const FETCH = 'GET /payments/:svc_uid';
let world: World;
let anotherProcess: Context;
beforeAll(async () => {
  world = await startWorld();
  const config = testConfig({ DATABASE_URL: world.databaseUrl, SERVICE_BASE_URL: world.sandbox.url });
  anotherProcess = createContext({ config, clock: world.clock, logger: world.log.logger });
});
afterAll(async () => {
  await closeContext(anotherProcess);
  await world.close();
});

const order = async (merchantUid: string): Promise<void> => {
  await world.api('POST', '/api/orders', { merchant_uid: merchantUid, name: 'Tea', amount: 1000 });
};
const status = async (merchantUid: string) =>
  (await world.api('GET', `/api/orders/${merchantUid}`)).body.status as string;

test('D1 a hundred copies during one look are one payment, one move of the order and at most three fetches', async () => {
  await order('hundred');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'hundred', amount: 1000, notify: false });
  const before = await world.sandbox.requests(FETCH);
  // The first look is still under way when the last copy arrives.
  await world.sandbox.fault({ endpoint: FETCH, kind: 'delay', delay_ms: 1500, times: 1 });
  const body = { svc_uid, merchant_uid: 'hundred', status: 'paid' };
  const answers = await Promise.all(Array.from({ length: 100 }, () => world.notify(body)));
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect((await world.sandbox.requests(FETCH)) - before).toBeLessThanOrEqual(3);
  expect(
    await world.rows.query('select version, status from orders where merchant_uid = $1', ['hundred']),
  ).toEqual([{ version: 1, status: 'paid' }]);
  expect(
    await world.rows.query(
      'select count(*)::int as n from notifications where svc_uid = $1 and next_attempt_at is null',
      [svc_uid],
    ),
  ).toEqual([{ n: 100 }]);
});

test('D4 a fetch that began before the order changed is thrown away and repeated', async () => {
  await order('overtaken');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'overtaken', amount: 1000, notify: false });
  // This answer is made now, while the payment is paid, and drips in until after the cancellation is stored.
  await world.sandbox.fault({ endpoint: FETCH, kind: 'drip', delay_ms: 1, times: 1 });
  const fetches = await world.sandbox.requests(FETCH);
  const slow = world.notify({ svc_uid, merchant_uid: 'overtaken', status: 'paid' });
  await world.rows.waitFor('select 1 from notifications where merchant_uid = $1 and outcome is null', [
    'overtaken',
  ]);
  // Another process is told of the cancellation: within one, the copies of a claim share their fetches.
  await world.sandbox.settings({ webhook_url: 'http://127.0.0.1:1/elsewhere' });
  await world.sandbox.control(svc_uid, 'cancel');
  await syncPayment(anotherProcess, { svcUid: svc_uid, merchantUid: 'overtaken' });
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  expect(await status('overtaken')).toBe('cancelled');
  expect(await slow).toEqual({ status: 200, outcome: 'unchanged' });
  expect(await status('overtaken')).toBe('cancelled');
  expect((await world.sandbox.requests(FETCH)) - fetches).toBe(3);
});

test('D3 the cancellation told before the payment: cancelled in the end', async () => {
  await order('reversed');
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'reversed', amount: 1000, notify: false });
  await world.sandbox.control(svc_uid, 'cancel');
  await world.notify({ svc_uid, merchant_uid: 'reversed', status: 'paid' });
  expect(await status('reversed')).toBe('cancelled');
});

test('D5 an older state than the stored one is asked for again before it is believed', async () => {
  await order('lagging');
  const { svc_uid, ...rest } = await world.sandbox.pay({ merchant_uid: 'lagging', amount: 1000 });
  await world.sandbox.control(svc_uid, 'cancel');
  const lagging = { code: 0, message: null, response: { ...rest, abc_uid: svc_uid } };
  const before = await world.rows.money();
  await world.sandbox.fault({ endpoint: FETCH, kind: 'status', status: 200, body: lagging, times: 1 });
  expect(await world.notify({ svc_uid, merchant_uid: 'lagging', status: 'paid' })).toMatchObject({
    outcome: 'unchanged',
  });
  expect(await world.rows.money()).toBe(before);
});

test('D6 a service that really goes back is followed, and it is told', async () => {
  await order('back');
  const { svc_uid, ...rest } = await world.sandbox.pay({ merchant_uid: 'back', amount: 1000 });
  await world.sandbox.control(svc_uid, 'cancel');
  const back = { code: 0, message: null, response: { ...rest, abc_uid: svc_uid } };
  await world.sandbox.fault({ endpoint: FETCH, kind: 'status', status: 200, body: back, times: 2 });
  expect(await world.notify({ svc_uid, merchant_uid: 'back', status: 'paid' })).toMatchObject({
    outcome: 'recorded',
  });
  expect(await status('back')).toBe('paid');
  const kinds = await world.rows.query('select kind from discrepancies where merchant_uid = $1', ['back']);
  expect(kinds).toContainEqual({ kind: 'status_went_back' });
});
