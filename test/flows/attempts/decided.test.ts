// What a person has decided about an attempt, and what a poll has found, stays: a caller or a poll that ends later writes nothing,
// and of several decisions one is stored.

import {
  countPoll,
  findUnresolvedAttempts,
  markUnknown,
  type AttemptName,
} from '../../../src/merchant/core/attempts/attempt-store';
import {
  markDeclined,
  markIssued,
  markNeedsReview,
  writeIssuanceDecision,
} from '../../../src/merchant/core/billing-keys/issuance-store';
import {
  closeCharge,
  markScheduled,
  markUnjudged,
  writeChargeDecision,
} from '../../../src/merchant/core/charges/charge-store';
import { closeRefund, writeRefundDecision } from '../../../src/merchant/core/refunds/refund-store';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

/** Statuses of each kind: `closed` ones are decided, by a person or by what the service has shown. */
const KINDS = {
  charge: { table: 'charges', closed: ['paid', 'failed', 'refused', 'not_executed', 'revoked'] },
  refund: { table: 'refunds', closed: ['refunded', 'refused', 'not_executed'] },
  issuance: { table: 'billing_key_issuances', closed: ['issued', 'declined'] },
} as const satisfies Record<AttemptName, object>;

let last = 0;
/** One attempt of an order, a payment and a key of its own. Returns its id. */
async function attempt(kind: AttemptName, status: string, startedAt = running.clock.now()): Promise<string> {
  last += 1;
  const name = `${kind}-${last}`;
  const isClosed = (KINDS[kind].closed as readonly string[]).includes(status);
  const values = [name, status, startedAt, isClosed ? startedAt : null];
  if (kind === 'charge') {
    await running.rows.query(
      `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at) values ($1, 'Tea', 1000, 'KRW', $2, $2)`,
      [name, startedAt],
    );
    await running.rows.query(
      `insert into charges (id, merchant_uid, kind, status, started_at, resolved_at, settled_by, settle_note)
       values ($1, $1, 'again', $2::charge_status, $3, $4, 'kim', 'why')`,
      values,
    );
    return name;
  }
  if (kind === 'issuance')
    await running.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at) values ($1, 'kim', 'needs_review', $2, $2)`,
      [name, startedAt],
    );
  const [row] = await running.rows.query<{ id: string }>(
    kind === 'refund'
      ? `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at, resolved_at, settled_by, settle_note)
         values ($1, 100, 0, 'cold', $2::refund_status, $3, $4, 'kim', 'why') returning id`
      : `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
           privacy_version, consented_at, started_at, resolved_at, settled_by, settle_note)
         values ($1, $1, false, $2::issuance_status, '9012', '1', '1', $3, $3, $4, 'kim', 'why') returning id`,
    values,
  );
  return String(row?.id);
}

const RECORD = {
  customerUid: 'x',
  cardNumber: '424242******4242',
  cardName: null,
  cardCode: null,
  cardType: null,
  pgProvider: null,
  updatedAt: null,
};

/** Everything that writes an outcome, by kind. */
const WRITERS: Record<AttemptName, (id: string) => (() => Promise<unknown>)[]> = {
  charge: (id) => [
    () => closeCharge(running.context, id, 'failed', { svcUid: 'svc_late', reason: 'late' }),
    () => markUnjudged(running.context, id, { svcUid: 'svc_late', reason: 'late' }),
    () => markScheduled(running.context, id),
  ],
  refund: (id) => [() => closeRefund(running.context, BigInt(id), 'refused', 'late')],
  issuance: (id) => [
    () => markIssued(running.context, BigInt(id), RECORD as never),
    () => markDeclined(running.context, { id: BigInt(id), replacesKey: false }, 'late'),
    () => markNeedsReview(running.context, BigInt(id), 'late'),
  ],
};

const idOf = (kind: AttemptName, id: string) => (kind === 'charge' ? id : BigInt(id));

/** What a person writes, by kind. */
const DECIDERS: Record<AttemptName, (id: string, by: string) => Promise<boolean>> = {
  charge: (id, by) => writeChargeDecision(running.context, id, { by, note: by }, { status: 'not_executed' }),
  refund: (id, by) => writeRefundDecision(running.context, BigInt(id), 'not_executed', { by, note: by }),
  issuance: (id, by) =>
    writeIssuanceDecision(
      running.context,
      { id: BigInt(id), keyStatus: 'needs_review' },
      'declined',
      { by, note: by },
      { status: 'failed' },
    ),
};

const ALL = Object.keys(KINDS) as AttemptName[];

test.each(ALL)('a decided or waiting %s is changed by no call and no poll that ends later', async (kind) => {
  for (const status of [...KINDS[kind].closed, 'needs_review']) {
    const id = await attempt(kind, status);
    const before = await running.rows.books();
    const writers = [
      ...WRITERS[kind](id),
      () => markUnknown(running.context, kind, idOf(kind, id), 'lost'),
      () => countPoll(running.context, kind, idOf(kind, id), { notFound: true }),
    ];
    for (const [at, write] of writers.entries()) {
      await write();
      expect([status, at, await running.rows.books()]).toEqual([status, at, before]);
    }
  }
});

test.each(ALL)(
  'one %s is decided only while its outcome is unknown or it waits for a person',
  async (kind) => {
    for (const status of [...KINDS[kind].closed, 'pending']) {
      const id = await attempt(kind, status);
      const before = await running.rows.books();
      expect([status, await DECIDERS[kind](id, 'lee')]).toEqual([status, false]);
      expect(await running.rows.books()).toBe(before);
    }
    for (const status of ['unknown', 'needs_review'])
      expect([status, await DECIDERS[kind](await attempt(kind, status), 'lee')]).toEqual([status, true]);
  },
);

test.each(ALL)('of several decisions about one %s at once, one is stored', async (kind) => {
  const id = await attempt(kind, 'needs_review');
  const people = ['lee', 'park', 'choi'];
  const stored = await Promise.all(people.map((by) => DECIDERS[kind](id, by)));
  expect(stored.filter(Boolean)).toHaveLength(1);
  const [row] = await running.rows.query(
    `select settled_by, settle_note from ${KINDS[kind].table} where id::text = $1`,
    [id],
  );
  const winner = people[stored.indexOf(true)];
  expect(row).toEqual({ settled_by: winner, settle_note: winner });
});

test.each(ALL)('each open %s is polled once its caller must be gone, the oldest first', async (kind) => {
  const minutesAgo = (minutes: number) => new Date(running.clock.nowMs() - minutes * 60_000);
  const [unknown, young, old, older] = [
    await attempt(kind, 'unknown'),
    await attempt(kind, 'pending', minutesAgo(0.5)),
    await attempt(kind, 'pending', minutesAgo(2)),
    await attempt(kind, 'unknown', minutesAgo(3)),
  ];
  await attempt(kind, 'needs_review', minutesAgo(3));
  const limits = { startedRecently: { from: minutesAgo(1), to: minutesAgo(-1) }, dueBefore: minutesAgo(0) };
  const found = await findUnresolvedAttempts(running.context, kind, limits);
  const asked = [unknown, young, old, older].map(String);
  expect(found.filter((id) => asked.includes(id))).toEqual([older, old, unknown]);
});

test('a scheduled charge is polled once it is due', async () => {
  const id = await attempt('charge', 'scheduled');
  const at = running.clock.now();
  await running.rows.query(`update charges set kind = 'schedule', schedule_at = $2 where id = $1`, [id, at]);
  const foundBefore = async (ms: number) =>
    (
      await findUnresolvedAttempts(running.context, 'charge', {
        startedRecently: { from: new Date(0), to: new Date(at.getTime() + 60_000) },
        dueBefore: new Date(at.getTime() + ms),
      })
    ).includes(id);
  expect([await foundBefore(-1), await foundBefore(0), await foundBefore(1)]).toEqual([false, false, true]);
});
