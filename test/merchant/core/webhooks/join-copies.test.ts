// Copies of one notification are checked by one attempt: which of them says what is reported, and which decides when retries end.

import { joinCopies, paymentKey } from '../../../../src/merchant/core/webhooks/check-notifications';
import type { OpenNotifications } from '../../../../src/merchant/core/webhooks/inbox-store';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS } from '../../../support/world';

const copy = (id: number, changes: Partial<OpenNotifications> = {}): OpenNotifications => ({
  ids: [BigInt(id)],
  attempts: 0,
  generation: 'legacy',
  svcUid: 'svc_1',
  merchantUid: 'order-1',
  claimedStatus: null,
  sourceAddress: SERVICE_ADDRESS,
  receivedAt: new Date(id * 1000),
  requestId: `request-${id}`,
  ...changes,
});

test('the newest copy says what is reported, and the oldest one when it was received, in whatever order they come', () => {
  const copies = [
    copy(10, { claimedStatus: 'paid' }),
    copy(9, { claimedStatus: 'ready' }),
    copy(11, { claimedStatus: 'cancelled' }),
  ];
  for (const order of [copies, copies.toReversed()])
    expect(joinCopies(order)).toMatchObject({
      ids: [9n, 10n, 11n],
      claimedStatus: 'cancelled',
      requestId: 'request-11',
      receivedAt: new Date(9_000),
    });
});

test('the copy with the most attempts decides about the next gap', () => {
  expect(joinCopies([copy(1, { attempts: 2 }), copy(2, { attempts: 7 }), copy(3)]).attempts).toBe(7);
});

test('a copy of the test button counts only if there is no other', () => {
  const button = copy(3, { sourceAddress: TEST_BUTTON_ADDRESS, claimedStatus: 'cancelled' });
  const joined = joinCopies([copy(1, { claimedStatus: 'paid' }), button]);
  expect(joined).toMatchObject({ ids: [1n, 3n], sourceAddress: SERVICE_ADDRESS, claimedStatus: 'paid' });
  expect(joinCopies([button, { ...button, ids: [4n] }])).toMatchObject({
    ids: [3n, 4n],
    sourceAddress: TEST_BUTTON_ADDRESS,
  });
});

test('notifications are copies only with the same generation, payment and order', () => {
  const key = paymentKey(copy(1));
  expect(paymentKey(copy(2, { claimedStatus: 'paid' }))).toBe(key);
  for (const other of [{ generation: 'newer' as const }, { svcUid: 'svc_2' }, { merchantUid: 'order-2' }])
    expect([other, paymentKey(copy(1, other)) === key]).toEqual([other, false]);
});
