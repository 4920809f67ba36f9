// An issuance ends as issued or declined, also when its answer is lost, and it is never sent again (chapter H of
// docs/faults.md).

import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../support/cards';
import { FIND_KEYS, ISSUE_KEY, TOKEN } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { createMemberBrowser, type MemberBrowser } from '../support/member-browser';
import { issuancesOf, keyOf } from '../support/member-cards';
import { useWorld } from '../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  // Polls of an earlier test would be counted.
  await world.forgetJobs();
  member = createMemberBrowser(world);
});

test('H8: a declined card is a failed key, and nothing is tried again', async () => {
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, customerUid } = await member.register({ card_number: DECLINED_CARD });
    expect(status).toBe(400);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
    expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'declined' }]);
    await world.advance(3600);
  });
  expect(calls).toBe(1);
  expect(await member.cards()).toEqual([]);
});

test('K5: every decline has the same status and the same page, whatever was wrong', async () => {
  const pages: string[] = [];
  const reasons = new Set<unknown>();
  for (const last of ['0002', '0010', '0069']) {
    const { status, html, customerUid } = await member.register({ card_number: `4000-0000-0000-${last}` });
    expect(status).toBe(400);
    const [issuance] = await issuancesOf(world, customerUid);
    reasons.add(issuance?.['reason']);
    // The reason is for operators: it stands in the row and in the log.
    expect(html).not.toContain(issuance?.['reason']);
    await world.log.requests({ outcome: 'declined', reason: issuance?.['reason'] });
    pages.push(html);
  }
  // The whole page counts, but for what every new form has of its own.
  const whole = pages.map((html) =>
    html.replace(/name="(customer_uid|form_token)" value="[^"]*"/g, 'name="$1"'),
  );
  expect([reasons.size, new Set(pages).size]).toEqual([3, 3]);
  expect(new Set(whole).size).toBe(1);
  expect(pages[0]).toContain('카드를 등록하지 못했어요');
});

test('H9 and H13: a lost answer stays open while the service shows no key, and is never sent again', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  const { status, customerUid } = await member.register();
  expect(status).toBe(202);
  const lookUps: number[] = [];
  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const seconds of [5, 15, 60, 300]) {
      expect(await world.sandbox.requestsDuring(FIND_KEYS, () => world.advance(seconds - 1))).toBe(0);
      lookUps.push(await world.sandbox.requestsDuring(FIND_KEYS, () => world.advance(1)));
      expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown' }]);
    }
    await world.advance(15 * 60);
  });
  expect(lookUps).toEqual([1, 1, 1, 1]);
  expect(sent).toBe(0);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'declined', not_found_polls: 4, reason: 'not_issued' },
  ]);
});

test('H9: looks that get no answer are no misses', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  const { customerUid } = await member.register();
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 500, times: 50 });
  for (const seconds of [5, 15, 60, 300, 900, 3600]) await world.advance(seconds);
  expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown', not_found_polls: 0 }]);
});

test('H10: a key that was issued and not answered is found and becomes active', async () => {
  const { status, html, customerUid } = await member.register({ card_number: CARD_WITH_LOST_ANSWER });
  expect(status).toBe(202);
  expect(html).toContain('카드 등록을 확인하고 있어요');
  expect(await member.cards()).toMatchObject([{ state: 'pending' }]);
  await world.advance(5);
  expect(await keyOf(world, customerUid)).toMatchObject({
    status: 'active',
    card_number: '4000-00**-****-0085',
  });
  expect(await member.cards()).toEqual([{ state: 'active', number: '4000-00**-****-0085' }]);
});

test('H11: the database gone after the issuance is cleared up from the row that was there before', async () => {
  const form = await member.openForm();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'delay', delay_ms: 300 });
  const posted = member.post('/cards', { ...form, ...CARD_FORM });
  await eventually(async () => (await issuancesOf(world, form.customer_uid)).length === 1);
  const answer = await withDatabaseBroken(() => posted);
  expect(answer.status).toBe(202);
  expect(await issuancesOf(world, form.customer_uid)).toMatchObject([{ status: 'pending' }]);

  await world.rows.query(`select graphile_worker.add_job('recover-unresolved-attempts')`);
  await world.advance(61);
  await world.advance(1);
  expect(await keyOf(world, form.customer_uid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9012',
  });
});

test('H12: without the database nothing is sent, and the page says to try again', async () => {
  const form = await member.openForm();
  const calls = await world.sandbox.allRequests();
  await withDatabaseBroken(async () => {
    const answer = await member.post('/cards', { ...form, ...CARD_FORM });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect((await member.post('/cards', { ...form, ...CARD_FORM })).status).toBe(303);
});

test('H14: a key that ends in other digits than the card that was sent is not taken for it', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'lost_response' });
  const { customerUid } = await member.register();
  const record = { customer_uid: customerUid, card_number: '5409-13**-****-9999', inserted: 1, updated: 1 };
  await world.sandbox.fault({
    endpoint: FIND_KEYS,
    kind: 'status',
    status: 200,
    body: { code: 0, message: null, response: [record] },
  });
  await world.advance(5);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'needs_review' });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'needs_review', reason: 'other_card' },
  ]);
  expect(await member.cards()).toMatchObject([{ state: 'needs_review' }]);
});

test('H15: a 401 was no issuance: one new token, one more post', async () => {
  await member.register();
  // Only the service's clock moves on: the merchant holds a token that it believes in.
  await world.sandbox.advance(31 * 60);
  let tokens = 0;
  const posts = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    tokens = await world.sandbox.requestsDuring(TOKEN, async () => {
      expect((await member.register()).status).toBe(303);
    });
  });
  expect([tokens, posts]).toEqual([1, 2]);
});

test('H15: a 401 that passes while the token lives is no decline either', async () => {
  await member.register();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 1 });
  const posts = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    expect((await member.register()).status).toBe(303);
  });
  expect(posts).toBe(2);
});

test('a service that refuses our credentials cannot start: nothing was issued', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
  const { status, html, customerUid } = await member.register();
  expect(status).toBe(503);
  expect(html).toContain('지금은 카드사에 연결할 수 없어요');
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
});

test.each([
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'reset' },
  { kind: 'redirect' },
  { kind: 'html' },
  { kind: 'garbage' },
])('H16: an answer like %j leaves the outcome open', async (fault) => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, ...fault });
  const posts = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, customerUid } = await member.register();
    expect(status).toBe(202);
    expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown' }]);
  });
  expect(posts).toBe(1);
});

test('H16: code 0 whose record cannot be read is looked up later, not lost', async () => {
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 500 });
  const { status, customerUid } = await member.register();
  expect(status).toBe(202);
  await world.advance(5);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
});

test('H25: the same card registered twice has two customer_uids, and the list says so', async () => {
  const [first, second] = [await member.register(), await member.register()];
  expect(first.customerUid).not.toBe(second.customerUid);
  expect((await member.get('/cards')).html).toContain('같은 카드가 두 번 등록된 것 같아요');
});

/** The database answers every statement on these tables with an error. */
async function withDatabaseBroken<T>(act: () => Promise<T>): Promise<T> {
  await world.rows.query('alter table billing_key_issuances rename to gone_billing_key_issuances');
  try {
    return await act();
  } finally {
    await world.rows.query('alter table gone_billing_key_issuances rename to billing_key_issuances');
  }
}
