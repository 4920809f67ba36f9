// A notification is answered in time even if its check takes long, and never before it is stored.

import { LEASE_MS, storeNotification } from '../../../src/merchant/core/webhooks/inbox-store';
import { receiveNotification } from '../../../src/merchant/core/webhooks/receive-notification';
import { retryNotifications } from '../../../src/merchant/core/webhooks/retry-notifications';
import { newUid, paySilently } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useRunningContext } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const running = useRunningContext();

/** Of a payment whose order is not registered. Its check takes half a second. */
async function slowNotification() {
  const merchantUid = newUid();
  const { svc_uid: svcUid } = await paySilently(running, merchantUid);
  await running.sandbox.clearFaults();
  await running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 500, times: 1 });
  const reported = { svcUid, merchantUid, generation: 'legacy' as const, claimedStatus: 'paid' };
  return { ...reported, sourceAddress: SERVICE_ADDRESS, receivedAt: running.clock.now(), requestId: null };
}
const CHECKED = `select from notifications where svc_uid = $1 and outcome = 'unknown_order' and attempts = 1`;
const waitUntilChecked = ({ svcUid }: { svcUid: string }) => running.rows.waitFor(CHECKED, [svcUid]);

test('a check that takes too long is answered as queued, and its result still sets the next attempt', async () => {
  const incoming = await slowNotification();
  expect(await receiveNotification(running.context, incoming, { answerWithinMs: 1 })).toBe('queued');
  // The missing order is detected after the answer, and the check is retried.
  await waitUntilChecked(incoming);
  await running.rows.waitFor(`select from graphile_worker.jobs where key like 'retry-due-notifications:%'`);
});

test('M37 a check that takes longer than eleven seconds is answered as queued by then', async () => {
  const incoming = await slowNotification();
  // Only the limit of eleven seconds ends before the check.
  const { setTimeout } = globalThis;
  const hurried = (act: (...values: unknown[]) => void, ms: number, ...values: unknown[]) =>
    setTimeout(act, ms === 11_000 ? 1 : ms, ...values);
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as typeof setTimeout);
  const outcome = await receiveNotification(running.context, incoming).finally(() => timers.mockRestore());
  expect(outcome).toBe('queued');
  await waitUntilChecked(incoming);
});

test('an overloaded process stores a notification and leaves its check to the retry job', async () => {
  const incoming = await slowNotification();
  expect(await receiveNotification(running.context, incoming, { isCheckedNow: false })).toBe('queued');
  await running.rows.waitFor(`select from graphile_worker.jobs where key like 'retry-due-notifications:%'`);
  running.clock.advance(6);
  await retryNotifications(running.context);
  expect(await running.rows.query(CHECKED, [incoming.svcUid])).toHaveLength(1);
});

test('nothing is answered before the notification is stored', async () => {
  const incoming = await slowNotification();
  const fetched = await running.sandbox.requests(FETCH_PAYMENT);
  await running.database.setReachable(false);
  try {
    await expect(receiveNotification(running.context, incoming)).rejects.toThrow('database');
  } finally {
    await running.database.setReachable(true);
  }
  expect(await running.sandbox.requests(FETCH_PAYMENT)).toBe(fetched);
});

test('a notification whose process died right after it was stored is checked by another one after a minute', async () => {
  const incoming = await slowNotification();
  const nextAttemptAt = new Date(running.clock.now().getTime() + LEASE_MS);
  await storeNotification(running.context, { ...incoming, nextAttemptAt });
  running.clock.advance(59);
  await retryNotifications(running.context);
  const untouched = 'select from notifications where svc_uid = $1 and outcome is null and attempts = 0';
  expect(await running.rows.query(untouched, [incoming.svcUid])).toHaveLength(1);
  running.clock.advance(2);
  await retryNotifications(running.context);
  expect(await running.rows.query(CHECKED, [incoming.svcUid])).toHaveLength(1);
});
