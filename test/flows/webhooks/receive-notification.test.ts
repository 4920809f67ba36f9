// A notification is answered in time also where its check takes long, and never before it is stored.

import { recordNotification } from '../../../src/merchant/webhooks/inbox-store';
import { receiveNotification } from '../../../src/merchant/webhooks/receive-notification';
import { retryNotifications } from '../../../src/merchant/webhooks/retry-notifications';
import { useRunningContext } from '../../support/context';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { newUid, paySilently } from '../../support/orders';
import { SERVICE_ADDRESS } from '../../support/world';

const running = useRunningContext();

/** Of a payment whose order is not registered: its check ends `unknown_order`. */
async function notification() {
  const merchantUid = newUid();
  const { svc_uid: svcUid } = await paySilently(running, merchantUid);
  return {
    svcUid,
    merchantUid,
    generation: 'legacy' as const,
    claimedStatus: 'paid',
    sourceAddress: SERVICE_ADDRESS,
    receivedAt: running.clock.now(),
    requestId: null,
  };
}
const slowDown = () =>
  running.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 500, times: 1 });
const waitUntilChecked = (svcUid: string) =>
  running.rows.waitFor(
    `select 1 from notifications where svc_uid = $1 and outcome = 'unknown_order' and attempts = 1`,
    [svcUid],
  );

test('a look that takes too long is answered as queued, and still planned when it ends', async () => {
  const incoming = await notification();
  await slowDown();
  expect(await receiveNotification(running.context, incoming, 1)).toBe('queued');
  // That there is no such order is found out after the answer: it is retried.
  await waitUntilChecked(incoming.svcUid);
  await running.rows.waitFor(`select 1 from graphile_worker.jobs where key like 'retry-due-notifications:%'`);
});

test('M37 a check that takes longer than eleven seconds is answered by then, as queued', async () => {
  const incoming = await notification();
  await slowDown();
  // The limit of eleven seconds, and no other one, is over before the check is.
  const { setTimeout } = globalThis;
  const timers = jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: () => void, ms: number, ...values: []) =>
      setTimeout(act, ms === 11_000 ? 1 : ms, ...values)) as typeof setTimeout);
  try {
    expect(await receiveNotification(running.context, incoming)).toBe('queued');
  } finally {
    timers.mockRestore();
  }
  await waitUntilChecked(incoming.svcUid);
});

test('nothing is answered before the notification is stored', async () => {
  const incoming = await notification();
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
  const incoming = await notification();
  await recordNotification(running.context, incoming);
  running.clock.advance(59);
  await retryNotifications(running.context);
  const rows = await running.rows.query('select outcome, attempts from notifications where svc_uid = $1', [
    incoming.svcUid,
  ]);
  expect(rows).toEqual([{ outcome: null, attempts: 0 }]);
  running.clock.advance(2);
  await retryNotifications(running.context);
  await waitUntilChecked(incoming.svcUid);
});
