// A notification is answered in time also where its check takes long, and never before it is stored.

import { recordNotification } from '../../../src/merchant/webhooks/inbox-store';
import { receiveNotification } from '../../../src/merchant/webhooks/receive-notification';
import { retryNotifications } from '../../../src/merchant/webhooks/retry-notifications';
import { useRunningContext } from '../../support/context';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { paySilently } from '../../support/orders';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS } from '../../support/world';

const running = useRunningContext();

async function notification(merchantUid: string) {
  const { svc_uid } = await paySilently(running, merchantUid);
  return {
    svcUid: svc_uid,
    merchantUid,
    generation: 'legacy' as const,
    claimedStatus: 'paid',
    sourceAddress: SERVICE_ADDRESS,
    receivedAt: running.clock.now(),
    requestId: null,
  };
}

test('a look that takes too long is answered as queued, and still planned when it ends', async () => {
  const incoming = await notification('late-1');
  await running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 200, times: 1 });
  expect(await receiveNotification(running.context, incoming, 1)).toBe('queued');
  // Its order is not registered, which is found out after the answer: it is retried.
  await running.rows.waitFor(
    `select 1 from notifications where svc_uid = $1 and outcome = 'unknown_order' and attempts = 1`,
    [incoming.svcUid],
  );
  await running.rows.waitFor(`select 1 from graphile_worker.jobs where key like 'retry-due-notifications:%'`);
});

test('a look that fails after its sender was answered is reported, not lost as an unhandled rejection', async () => {
  const incoming = await notification('late-2');
  await running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 1500, times: 1 });
  const fetched = await running.sandbox.requests(FETCH_PAYMENT);
  expect(await receiveNotification(running.context, incoming, 1)).toBe('queued');
  await eventually(async () => (await running.sandbox.requests(FETCH_PAYMENT)) > fetched);
  await running.database.setReachable(false);
  try {
    await eventually(() => running.log.events('notification_left_open').length === 1);
  } finally {
    await running.database.setReachable(true);
  }
});

test('nothing is answered before the notification is stored', async () => {
  const incoming = await notification('late-3');
  const fetched = await running.sandbox.requests(FETCH_PAYMENT);
  await running.database.setReachable(false);
  try {
    await expect(receiveNotification(running.context, incoming)).rejects.toThrow('database');
  } finally {
    await running.database.setReachable(true);
  }
  expect(await running.sandbox.requests(FETCH_PAYMENT)).toBe(fetched);
});

test('M37 a check that takes longer than eleven seconds is answered by then, as queued', async () => {
  const incoming = { ...(await notification('late-4')), sourceAddress: TEST_BUTTON_ADDRESS };
  // Two fetches, because it comes from the address of the test button. Each takes less than the deadline of one call.
  await running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 7000, times: 2 });
  const began = performance.now();
  expect(await receiveNotification(running.context, incoming)).toBe('queued');
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(10_500);
  expect(took).toBeLessThan(12_500);
  await running.rows.waitFor(
    `select 1 from notifications where merchant_uid = 'late-4' and outcome = 'unknown_order'`,
  );
});

test('a notification whose process died right after it was stored is checked by another one after a minute', async () => {
  const incoming = await notification('killed-1');
  await recordNotification(running.context, incoming);
  const stateOf = () =>
    running.rows.query('select outcome, attempts from notifications where svc_uid = $1', [incoming.svcUid]);
  running.clock.advance(59);
  await retryNotifications(running.context);
  expect(await stateOf()).toEqual([{ outcome: null, attempts: 0 }]);
  running.clock.advance(2);
  await retryNotifications(running.context);
  expect(await stateOf()).toEqual([{ outcome: 'unknown_order', attempts: 1 }]);
});
