// One notification reaches several processes at once, many times (row D2 of docs/faults.md). Each is a Context of its own on
// the same database, with its own client of the service.

import { closeContext } from '../../../src/merchant/context';
import { receiveNotification } from '../../../src/merchant/webhooks/receive-notification';
import { openContext } from '../../support/beside-world';
import { FETCH_PAYMENT, TOKEN } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();
const PROCESSES = 4;

test('D2 a hundred copies over four processes are one payment and one step of its order, with one fetch under way in each', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const processes = Array.from({ length: PROCESSES }, () => openContext(world));
  try {
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1000, times: PROCESSES });
    const notification = {
      svcUid,
      merchantUid,
      generation: 'legacy' as const,
      claimedStatus: 'paid',
      sourceAddress: SERVICE_ADDRESS,
      receivedAt: world.clock.now(),
      requestId: null,
    };
    const answers = Array.from({ length: 100 }, (_, copy) =>
      receiveNotification(processes[copy % PROCESSES] as (typeof processes)[0], notification),
    );
    // All are stored, and each process waits for its one fetch.
    await eventually(async () => (await world.rows.query('select from notifications')).length === 100);
    await eventually(async () => (await world.sandbox.requests(FETCH_PAYMENT)) >= PROCESSES);
    expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(PROCESSES);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['recorded', 'unchanged']));
  } finally {
    await Promise.all(processes.map(closeContext));
  }
  // What came during a fetch is fetched for once more.
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBeLessThanOrEqual(3 * PROCESSES);
  expect(await world.sandbox.requests(TOKEN)).toBeLessThanOrEqual(PROCESSES);
  expect(await world.rows.query('select status, version from orders')).toEqual([
    { status: 'paid', version: 1 },
  ]);
  expect(await world.rows.query('select svc_uid from payments')).toEqual([{ svc_uid: svcUid }]);
  expect(await world.rows.query('select version::int, type from events')).toEqual([
    { version: 1, type: 'order.paid' },
  ]);
  expect(await world.rows.query('select from notifications where next_attempt_at is not null')).toEqual([]);
});
