// The rows of billing keys: which issuance and which removal may begin, what an outcome changes, and what the shop is told.

import { findCards, findKey } from '../../../src/merchant/core/billing-keys/billing-key-store';
import {
  findIssuance,
  markDeclined,
  markIssued,
  markNeedsReview,
  startIssuance,
  writeIssuanceDecision,
  type NewIssuance,
} from '../../../src/merchant/core/billing-keys/issuance-store';
import {
  cancelRemoval,
  findRemovedBetween,
  findUnfinishedRemovals,
  markRemoved,
  startRemoval,
} from '../../../src/merchant/core/billing-keys/removal-store';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() =>
  running.rows.query('truncate billing_keys, billing_key_issuances, events restart identity cascade'),
);

const CONSENT = { termsVersion: '1', privacyVersion: '1' };
let forms = 0;
const start = (customerUid: string, changes: Partial<NewIssuance> = {}) =>
  startIssuance(running.context, {
    ...{
      customerUid,
      memberId: 'kim',
      formNonce: `form-${(forms += 1)}`,
      replacesKey: false,
      cardLastFour: '9012',
      consent: CONSENT,
    },
    ...changes,
  });
const replace = (customerUid: string, changes: Partial<NewIssuance> = {}) =>
  start(customerUid, { replacesKey: true, ...changes });
async function started(beginning: ReturnType<typeof start>) {
  const begun = await beginning;
  if (typeof begun === 'string') throw new Error(begun);
  return begun;
}
const RECORD = {
  cardNumber: '540913******9012',
  cardName: 'Card',
  cardCode: '1',
  cardType: '0',
  pgProvider: 'pg',
  updatedAt: null,
};
const issued = (id: bigint, cardNumber = RECORD.cardNumber) =>
  markIssued(running.context, id, { customerUid: 'x', ...RECORD, cardNumber } as never);
async function registered(customerUid: string, changes: Partial<NewIssuance> = {}) {
  const { id } = await started(start(customerUid, changes));
  await issued(id);
  return id;
}
const key = async (customerUid: string) => {
  const found = await findKey(running.context, customerUid);
  if (!found) throw new Error('there is no such key');
  return found;
};
const setStatus = (customerUid: string, status: string) =>
  running.rows.query('update billing_keys set status = $2::billing_key_status where customer_uid = $1', [
    customerUid,
    status,
  ]);
const events = async () =>
  (
    await running.rows.query<{ line: string }>(
      `select concat_ws(' ', stream, version, type, data->>'member_id', data->>'card_number') as line from events order by id`,
    )
  ).map(({ line }) => line);
const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);

test.each(['pending', 'active', 'needs_review', 'removing', 'failed', 'removed'])(
  'a key that is %s is replaced only by its member and only where the service has a card for it',
  async (status) => {
    await registered('key');
    await setStatus('key', status);
    const mayBe = status === 'active' || status === 'needs_review';
    expect(await replace('key', { memberId: 'lee' })).toBe('no_key');
    const begun = await replace('key');
    expect(typeof begun === 'string' ? begun : 'started').toBe(mayBe ? 'started' : 'no_key');
  },
);

test('a form begins one issuance, and a key has one open issuance, also of two at once', async () => {
  const same = { formNonce: 'same' };
  const both = await Promise.all([start('key', same), start('key', same)]);
  expect(both.map((begun) => (typeof begun === 'string' ? begun : 'started')).sort()).toEqual([
    'form_in_use',
    'started',
  ]);
  expect(await start('other', same)).toBe('form_in_use');
  expect(await start('key')).toBe('key_in_use');
  await setStatus('key', 'active');
  expect(await replace('key')).toBe('key_in_use');
  await markNeedsReview(running.context, 1n, 'x');
  const replaced = await Promise.all([replace('key'), replace('key')]);
  expect(replaced.map((begun) => (typeof begun === 'string' ? begun : 'started')).sort()).toEqual([
    'key_in_use',
    'started',
  ]);
});

test('an outcome changes the key and tells the shop: only of a card that was registered, replaced or lost', async () => {
  const first = await started(start('key'));
  await markDeclined(running.context, first, 'x');
  expect([(await key('key')).status, await events()]).toEqual(['failed', []]);

  await registered('card');
  expect(await key('card')).toMatchObject({ status: 'active', cardNumber: RECORD.cardNumber, version: 1 });
  const declined = await started(replace('card'));
  await markDeclined(running.context, declined, 'x');
  expect((await key('card')).status).toBe('active');
  const another = await started(replace('card'));
  await issued(another.id, '424242******4242');
  const doubted = await started(replace('card'));
  await markNeedsReview(running.context, doubted.id, 'x');
  expect((await key('card')).status).toBe('needs_review');
  // Only the newest event has the number.
  expect(await events()).toEqual([
    'card:card 1 card.registered kim',
    'card:card 2 card.replaced kim 424242******4242',
  ]);
});

test('a person’s decision is written only for the key as it was read, and tells the shop that a card is gone', async () => {
  await registered('card');
  const { id } = await started(replace('card'));
  await markNeedsReview(running.context, id, 'x');
  const decide = (keyStatus: 'active' | 'needs_review') =>
    writeIssuanceDecision(
      running.context,
      { id, keyStatus },
      'declined',
      { by: 'lee', note: 'x' },
      { status: 'failed' },
    );
  const before = await running.rows.books();
  expect(await decide('active')).toBe(false);
  expect(await running.rows.books()).toBe(before);
  expect(await decide('needs_review')).toBe(true);
  expect(await key('card')).toMatchObject({ status: 'failed' });
  expect((await events()).at(-1)).toBe('card:card 2 card.removed kim');
});

test('only the latest issuance of a key decides about it', async () => {
  const first = await registered('card');
  await registered('beside');
  const { id: second } = await started(replace('card'));
  const isLatest = async (id: bigint) => (await findIssuance(running.context, id))?.isLatest;
  expect([await isLatest(first), await isLatest(second)]).toEqual([false, true]);
  expect(await findIssuance(running.context, 99n)).toBeNull();
});

test('a removal begins only for the row as it was read, and not beside an open issuance', async () => {
  await registered('card');
  const read = await key('card');
  running.clock.advance(1);
  const { id } = await started(replace('card'));
  expect(await startRemoval(running.context, read)).toBeNull();
  expect(await startRemoval(running.context, await key('card'))).toBeNull();
  await issued(id);
  const now = await key('card');
  expect(await startRemoval(running.context, { ...now, status: 'needs_review' })).toBeNull();
  const both = await Promise.all([startRemoval(running.context, now), startRemoval(running.context, now)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await key('card')).toMatchObject({ status: 'removing', removingSince: running.clock.now() });
  expect(await replace('card')).toBe('no_key');
});

test('a removal that another process has tried meanwhile is not called off; an own one restores the key', async () => {
  await registered('card');
  const read = await key('card');
  const startedAt = await startRemoval(running.context, read);
  const again = await startRemoval(running.context, await key('card'));
  expect(again?.getTime()).toBeGreaterThan(startedAt?.getTime() ?? Infinity);
  // The time of the request stays.
  expect((await key('card')).removingSince).toEqual(startedAt);
  expect(await cancelRemoval(running.context, read, startedAt ?? new Date(0))).toBe(false);
  expect(await cancelRemoval(running.context, read, again ?? new Date(0))).toBe(true);
  expect(await key('card')).toMatchObject({ status: 'active', removingSince: null });
});

test('a removed card keeps no digits, other cards keep theirs, and the shop is told once of a card that it knows', async () => {
  for (const uid of ['card', 'other']) await registered(uid);
  await started(start('unheard'));
  await running.rows.query(
    `update billing_key_issuances set status = 'declined' where customer_uid = 'unheard'`,
  );
  await markRemoved(running.context, 'card');
  expect((await key('card')).status).toBe('active');
  for (const uid of ['card', 'unheard']) {
    await setStatus(uid, 'removing');
    await markRemoved(running.context, uid);
    await markRemoved(running.context, uid);
    expect(await key(uid)).toMatchObject({ status: 'removed', cardNumber: null, removingSince: null });
  }
  const digits = await running.rows.query(
    'select customer_uid as uid, card_last_four as digits from billing_key_issuances order by 1',
  );
  expect(digits).toEqual([
    { uid: 'card', digits: '****' },
    { uid: 'other', digits: '9012' },
    { uid: 'unheard', digits: '****' },
  ]);
  expect(await events()).toEqual([
    'card:card 1 card.registered kim',
    `card:other 1 card.registered kim ${RECORD.cardNumber}`,
    'card:card 2 card.removed kim',
  ]);
});

test('removals that are due are tried again, those that wait longest first, at gaps that grow with their age', async () => {
  for (const [uid, sinceMinutes, triedMinutes] of [
    // A minute after the first try, and after 10 minutes only 10 minutes later.
    ['young', 1, 1],
    ['fresh', 0.5, 0.5],
    ['waits', 19, 9],
    ['due', 20, 10],
    // Not more than an hour apart.
    ['old', 500, 60],
    ['old-waits', 500, 59],
  ] as const) {
    await registered(uid);
    await running.rows.query(
      `update billing_keys set status = 'removing', removing_since = $2, updated_at = $3 where customer_uid = $1`,
      [uid, inSeconds(-60 * sinceMinutes), inSeconds(-60 * triedMinutes)],
    );
  }
  await registered('active');
  const due = await findUnfinishedRemovals(running.context);
  expect(due.map(({ customerUid }) => customerUid)).toEqual(['old', 'due', 'young']);
});

test('a member has the own cards alone: those that are or may be there, the newest first, each with its latest issuance in front', async () => {
  await registered('first');
  running.clock.advance(1);
  for (const uid of ['b', 'a']) await registered(uid);
  await registered('of-lee', { memberId: 'lee' });
  await markDeclined(running.context, await started(start('declined')), 'x');
  await registered('gone');
  await setStatus('gone', 'removed');
  const { id } = await started(replace('first'));
  const cards = await findCards(running.context, 'kim');
  expect(cards.map(({ customerUid }) => customerUid)).toEqual(['a', 'b', 'first']);
  expect(cards.at(-1)?.issuances.map((each) => each.id === id)).toEqual([true, false]);
});

test('the cards that a member has removed lately are those of a period, of this member', async () => {
  for (const [uid, memberId, minutes] of [
    ['at-begin', 'kim', 10],
    ['inside', 'kim', 9],
    ['of-lee', 'lee', 9],
    ['at-end', 'kim', 0],
  ] as const) {
    await registered(uid, { memberId });
    await running.rows.query(
      `update billing_keys set status = 'removed', updated_at = $2, card_name = customer_uid where customer_uid = $1`,
      [uid, inSeconds(-60 * minutes)],
    );
  }
  await registered('active');
  const period = { from: inSeconds(-600), to: inSeconds(0) };
  expect(await findRemovedBetween(running.context, 'kim', period)).toEqual([
    { customerUid: 'inside', cardName: 'inside' },
  ]);
});
