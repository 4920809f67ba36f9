// Payments of a test channel are hidden from queries that do not ask for them (§4.4, §4.5).

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
beforeEach(async () => {
  await service.issueKey('card-1');
});

const pay = (merchant_uid: string) => service.pay({ merchant_uid, customer_uid: 'card-1' });

/** A live payment of order-1, then one of a test channel for each of order-1 and order-2. */
async function payBoth() {
  const live = await pay('order-1');
  await service.settings({ test_channel: true });
  const tests = [await pay('order-1'), await pay('order-2')] as const;
  await service.settings({ test_channel: false });
  return { live, tests };
}

test('are 404 by their id unless include_sandbox is true', async () => {
  const { live, tests } = await payBoth();
  const path = `/payments/${tests[0].svc_uid}`;
  for (const query of ['', '?include_sandbox=false', '?include_sandbox='])
    expect([query, (await service.get(path + query)).status]).toEqual([query, 404]);
  expect((await service.get(`${path}?include_sandbox=true`)).body.response).toEqual(tests[0]);
  expect((await service.get(`/payments/${live.svc_uid}?include_sandbox=true`)).body.response).toEqual(live);
  expect((await service.get(`${path}/balance`)).status).toBe(404);
  expect((await service.get(`${path}/balance?include_sandbox=true`)).status).toBe(200);
  expect((await service.get(`${path}?include_sandbox=maybe`)).status).toBe(400);
});

test('are left out of every list unless include_sandbox is true', async () => {
  const { live, tests } = await payBoth();
  const all = [live, ...tests];
  for (const [path, visible, everything] of [
    ['/payments/status/all?', [live], all],
    ['/payments/status/paid?sorting=-updated&', [live], all.toReversed()],
    ['/subscribe/customers/card-1/payments?', [live], all.toReversed()],
    ['/payments/findAll/order-1?', [live], [tests[0], live]],
  ] as const) {
    const hidden = (await service.get(path)).body.response;
    expect([path, hidden.total, hidden.list]).toEqual([path, visible.length, visible]);
    const shown = (await service.get(`${path}include_sandbox=true`)).body.response;
    expect([path, shown.total, shown.list]).toEqual([path, everything.length, everything]);
  }
});

test('are missing where payments are asked for by several ids or by their order', async () => {
  const { live, tests } = await payBoth();
  const several = `/payments?svc_uid[]=${live.svc_uid}&svc_uid[]=${tests[0].svc_uid}&merchant_uid[]=order-1`;
  const some = await service.get(several);
  expect([some.status, some.body.response]).toEqual([207, [live, live]]);
  const all = await service.get(`${several}&include_sandbox=true`);
  expect([all.status, all.body.response]).toEqual([200, [live, tests[0], tests[0]]]);
  expect((await service.get('/payments/find/order-1')).body.response).toEqual(live);
  expect((await service.get('/payments/find/order-2')).status).toBe(404);
  expect((await service.get('/payments/findAll/order-2')).status).toBe(404);
  expect((await service.get('/payments/find/order-2?include_sandbox=true')).body.response).toEqual(tests[1]);
});

test('are cut out of the pages: a page is full, and the last one ends where the others do', async () => {
  await service.settings({ test_channel: true });
  for (let number = 0; number < 5; number += 1) await pay(`test-${number}`);
  await service.settings({ test_channel: false });
  for (let number = 0; number < 5; number += 1) await pay(`live-${number}`);
  const second = (await service.get('/payments/status/all?limit=3&page=2')).body.response;
  expect([second.total, second.next, second.list.length]).toEqual([5, 0, 2]);
  expect((await service.get('/payments/status/all?limit=3&page=3')).status).toBe(400);
});
