import { coalesceSyncs } from '../../../src/merchant/payments/coalesce-syncs';
import type { SyncRequest, SyncResult } from '../../../src/merchant/payments/sync-payment';

const done: SyncResult = { outcome: 'recorded', reason: null, nextCheckAt: null };

/** A sync that ends when it is told to, and remembers what it was asked. */
function heldSync() {
  const calls: { request: SyncRequest; end(error?: Error): void }[] = [];
  const sync = coalesceSyncs(
    (request) =>
      new Promise((resolve, reject) => {
        calls.push({ request, end: (error) => (error ? reject(error) : resolve(done)) });
      }),
    () => Promise.resolve(),
  );
  return { sync, calls };
}

function request(id: bigint, merchantUid = 'order-1'): SyncRequest {
  const notifications = {
    ids: [id],
    claimedStatus: 'paid',
    sourceAddress: '52.78.100.19',
    receivedAt: new Date(0),
    checks: 0,
  };
  return { svcUid: 'svc_1', merchantUid, generation: 'legacy', notifications };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a hundred copies at once are two looks, and the second settles all that came during the first', async () => {
  const { sync, calls } = heldSync();
  const results = Array.from({ length: 100 }, (_, i) => sync(request(BigInt(i))));
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await settle();
  expect(calls).toHaveLength(2);
  expect(calls[1]?.request.notifications?.ids).toHaveLength(99);
  calls[1]?.end();
  expect(await Promise.all(results)).toEqual(Array.from({ length: 100 }, () => done));
});

test('a look that fails is followed by the one that waits', async () => {
  const { sync, calls } = heldSync();
  const first = sync(request(1n));
  const second = sync(request(2n));
  calls[0]?.end(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await settle();
  calls[1]?.end();
  await expect(second).resolves.toEqual(done);
});

test('another order under the same payment is a look of its own', () => {
  const { sync, calls } = heldSync();
  void sync(request(1n));
  void sync(request(2n, 'order-2'));
  expect(calls).toHaveLength(2);
});

test('what is known before a call that has to wait is not used when its turn comes', async () => {
  const { sync, calls } = heldSync();
  void sync(request(1n));
  void sync({ ...request(2n), snapshot: { order: null, payments: [], storedUnder: null } });
  calls[0]?.end();
  await settle();
  expect(calls[1]?.request).not.toHaveProperty('snapshot');
});
