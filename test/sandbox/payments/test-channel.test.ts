// Payments of a test channel are hidden from queries that do not ask for them (§4.4, §4.5).

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const pay = (merchant_uid: string) => service.pay({ merchant_uid, customer_uid: 'card-1' });
let live: any;
let tests: any[];
/** A live payment of order-1, then one of a test channel for each of order-1 and order-2. */
beforeEach(async () => {
  await service.issueKey('card-1');
  live = await pay('order-1');
  await service.settings({ test_channel: true });
  tests = [await pay('order-1'), await pay('order-2')];
});

const show = async (path: string) => {
  const { status, body } = await service.get(path);
  return [status, body.response];
};

test('are 404 by their id unless include_sandbox is true', async () => {
  const path = `/payments/${tests[0].svc_uid}`;
  for (const query of ['', '?include_sandbox=false', '?include_sandbox='])
    expect([query, (await service.get(path + query)).status]).toEqual([query, 404]);
  expect(await show(`${path}?include_sandbox=true`)).toEqual([200, tests[0]]);
  expect(await show(`/payments/${live.svc_uid}?include_sandbox=true`)).toEqual([200, live]);
  for (const hidden of [`${path}/balance`, '/payments/find/order-2', '/payments/findAll/order-2'])
    expect([hidden, (await service.get(hidden)).status]).toEqual([hidden, 404]);
  expect((await service.get(`${path}/balance?include_sandbox=true`)).status).toBe(200);
  expect((await service.get(`${path}?include_sandbox=maybe`)).status).toBe(400);
});

test('are left out of every list unless include_sandbox is true', async () => {
  const all = [live, ...tests];
  for (const [path, everything] of [
    ['/payments/status/all?', all],
    ['/payments/status/paid?sorting=-updated&', all.toReversed()],
    ['/subscribe/customers/card-1/payments?', all.toReversed()],
    ['/payments/findAll/order-1?', [tests[0], live]],
  ] as const) {
    expect([path, await show(path)]).toMatchObject([path, [200, { total: 1, list: [live] }]]);
    const { total, list } = (await service.get(`${path}include_sandbox=true`)).body.response;
    expect([path, total, list]).toEqual([path, everything.length, everything]);
  }
});

test('are cut out of the pages: a page is full, and the last one ends where the others do', async () => {
  await service.settings({ test_channel: false });
  for (let number = 0; number < 4; number += 1) await pay(`live-${number}`);
  const second = (await service.get('/payments/status/all?limit=3&page=2')).body.response;
  expect([second.total, second.next, second.list.length]).toEqual([5, 0, 2]);
  expect((await service.get('/payments/status/all?limit=3&page=3')).status).toBe(400);
});
