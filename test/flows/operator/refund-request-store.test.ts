// The rows of requested refunds: one that is not finished per payment, one decision, and what counts towards the limit.

import {
  countWaitingRequests,
  findWaitingRequests,
  finishApproval,
  insertRequest,
  sumByOperators,
  writeDecision,
} from '../../../src/merchant/options/operator/refunds/refund-request-store';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query('truncate refund_requests, refunds restart identity cascade'));

const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);
const REQUEST = {
  discrepancyId: null,
  amount: 500,
  taxFree: null,
  balance: 1000,
  currency: 'KRW',
  reason: 'x',
  needsAccount: false,
};
const request = (svcUid: string, amount = 500) =>
  insertRequest(running.context, { ...REQUEST, svcUid, amount, requestedBy: 'kim', requesterId: 1n });
const decide = (id: bigint, decision: 'approved' | 'rejected' = 'approved', by = 'lee') =>
  writeDecision(running.context, { id, by, decision });
type Refund = { amount?: number; by?: string | null; status?: string; startedSeconds?: number };
async function refund(
  svcUid: string,
  { amount = 500, by = 'kim', status = 'refunded', startedSeconds = 0 }: Refund = {},
) {
  const [row] = await running.rows.query<{ id: string }>(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, requested_by, started_at)
     values ($1, $2, 0, 'x', $3::refund_status, $4, $5) returning id`,
    [svcUid, amount, status, by, inSeconds(startedSeconds)],
  );
  return row?.id;
}
const rows = () =>
  running.rows.query('select decision, decided_by, refund_id from refund_requests order by id');
const waiting = async (of: Parameters<typeof findWaitingRequests>[1] = {}) =>
  (await findWaitingRequests(running.context, of, 10)).map(({ id }) => Number(id));

test('a payment has one request that is not finished, also of two at once', async () => {
  const both = await Promise.all([request('svc_1'), request('svc_1')]);
  expect(both.sort()).toEqual([false, true]);
  expect(await request('svc_2')).toBe(true);
  await decide(1n, 'rejected');
  await decide(2n, 'rejected');
  await decide(3n, 'rejected');
  expect(await request('svc_1')).toBe(true);
});

test('of several decisions at once one is stored', async () => {
  await request('svc_1');
  const people = ['lee', 'park', 'choi'];
  const stored = await Promise.all(people.map((by) => decide(1n, 'approved', by)));
  expect(stored.filter(Boolean)).toHaveLength(1);
  expect(await decide(1n, 'rejected')).toBe(false);
  expect(await rows()).toEqual([
    { decision: 'approved', decided_by: people[stored.indexOf(true)], refund_id: null },
  ]);
});

test('a request waits until it is decided, and again five minutes after an approval without a refund, the oldest first', async () => {
  for (const svcUid of ['svc_1', 'svc_2', 'svc_3']) await request(svcUid);
  expect([await waiting(), await waiting({ svcUid: 'svc_2' }), await waiting({ id: 3n })]).toEqual([
    [1, 2, 3],
    [2],
    [3],
  ]);
  await decide(1n);
  await decide(2n, 'rejected');
  expect(await waiting()).toEqual([3]);
  running.clock.advance(300);
  expect(await waiting()).toEqual([3]);
  running.clock.advance(0.001);
  expect(await waiting()).toEqual([1, 3]);
  expect(await countWaitingRequests(running.context)).toBe(2);
  await refund('svc_1', { startedSeconds: -60 });
  await finishApproval(running.context, 1n);
  expect(await waiting()).toEqual([3]);
});

test.each([
  ['this refund', {}, true],
  ['one whose outcome is not known yet', { status: 'unknown' }, true],
  ['one that needs a person', { status: 'needs_review' }, true],
  ['one that was refused', { status: 'refused' }, false],
  ['one that was not executed', { status: 'not_executed' }, false],
  ['one of another amount', { amount: 499 }, false],
  ['one of another person', { by: 'lee' }, false],
  ['one of nobody', { by: null }, false],
  ['one from before the approval', { startedSeconds: -1 }, false],
] as const)('an approval that led to %s', async (_, changes, isFinished) => {
  await request('svc_1');
  await decide(1n);
  const id = await refund('svc_1', changes);
  await refund('svc_2');
  await finishApproval(running.context, 1n);
  const finished = { decision: 'approved', decided_by: 'lee', refund_id: id };
  expect(await rows()).toEqual([
    isFinished ? finished : { decision: null, decided_by: null, refund_id: null },
  ]);
});

test('a rejected request, and one that is finished, do not wait again', async () => {
  await request('svc_1');
  await decide(1n, 'rejected');
  await finishApproval(running.context, 1n);
  expect(await rows()).toMatchObject([{ decision: 'rejected' }]);
});

test('towards the limit counts all that people have refunded or requested of the payment, unless it did not happen', async () => {
  const sum = () => sumByOperators(running.context, 'svc_1');
  expect(await sum()).toBe(0);
  const counted: [Refund, number][] = [
    [{ amount: 1 }, 1],
    [{ amount: 2, status: 'unknown', by: 'lee' }, 3],
    [{ amount: 4, status: 'refused' }, 3],
    [{ amount: 8, status: 'not_executed' }, 3],
    [{ amount: 16, by: null }, 3],
  ];
  for (const [changes, expected] of counted) {
    await refund('svc_1', changes);
    expect([changes, await sum()]).toEqual([changes, expected]);
  }
  await refund('svc_2', { amount: 32 });
  await request('svc_2', 64);
  expect(await sum()).toBe(3);
  await request('svc_1', 128);
  expect(await sum()).toBe(131);
  await decide(2n);
  expect(await sum()).toBe(131);
  // Its refund counts in its place.
  await refund('svc_1', { amount: 128 });
  await finishApproval(running.context, 2n);
  expect(await sum()).toBe(131);
  await request('svc_1', 256);
  await decide(3n, 'rejected');
  expect(await sum()).toBe(131);
});
