import { createReceiveNotification } from '../../../src/merchant/payments/receive-notification';
import type { SyncResult } from '../../../src/merchant/payments/sync-payment';
import { snapshot } from '../../support/builders';

const notification = {
  svcUid: 'svc_1',
  merchantUid: 'order-1',
  generation: 'legacy' as const,
  claimedStatus: 'paid',
  sourceAddress: '52.78.100.19',
  receivedAt: new Date(0),
};
const recordNotification = () => Promise.resolve({ id: 1n, snapshot: snapshot() });

test('a look that takes too long is answered as queued, and still planned when it ends', async () => {
  const planned: Date[] = [];
  let end: (result: SyncResult) => void = () => undefined;
  const look = new Promise<SyncResult>((resolve) => (end = resolve));
  const receive = createReceiveNotification({
    recordNotification,
    syncPayment: () => look,
    scheduleCheck: async (_claim, at) => Promise.resolve(void planned.push(at)),
    onLateFault: () => undefined,
    answerWithinMs: 1,
  });
  expect(await receive(notification)).toBe('queued');
  end({ outcome: 'queued', reason: 'no_answer', nextCheckAt: new Date(2000) });
  await look;
  await new Promise((resolve) => setImmediate(resolve));
  expect(planned).toEqual([new Date(2000)]);
});

test('a look that fails after its sender was answered is reported, not lost as an unhandled rejection', async () => {
  const late: unknown[] = [];
  let fail: (error: Error) => void = () => undefined;
  const receive = createReceiveNotification({
    recordNotification,
    syncPayment: () => new Promise((_resolve, reject) => (fail = reject)),
    scheduleCheck: () => Promise.resolve(),
    onLateFault: (error) => late.push(error),
    answerWithinMs: 1,
  });
  expect(await receive(notification)).toBe('queued');
  fail(new Error('database gone'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(late).toHaveLength(1);
});

test('nothing is answered before the notification is stored', async () => {
  const receive = createReceiveNotification({
    recordNotification: () => Promise.reject(new Error('database gone')),
    syncPayment: () => Promise.reject(new Error('must not be asked')),
    scheduleCheck: () => Promise.resolve(),
    onLateFault: () => undefined,
  });
  await expect(receive(notification)).rejects.toThrow('database gone');
});
