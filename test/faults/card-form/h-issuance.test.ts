// An issuance ends as issued or declined, even if its answer is lost, and is never repeated (chapter H of docs/13-faults.md).

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/keys';
import { FIND_KEYS, ISSUE_KEY, TOKEN } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  // Polls of an earlier test would be counted.
  await world.forgetJobs();
  member = createMemberBrowser(world);
});

test('H8: a declined card ends as a failed key, and nothing is retried', async () => {
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, customerUid } = await member.register({ card_number: DECLINED_CARD });
    expect(status).toBe(400);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
    expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'declined' }]);
    await world.advance(3600);
  });
  expect(calls).toBe(1);
});

test('K5: every decline has the same status and page, whatever the reason', async () => {
  const pages = new Set<string>();
  for (const last of ['0002', '0010', '0069']) {
    const { status, html, customerUid } = await member.register({ card_number: `4000-0000-0000-${last}` });
    expect(status).toBe(400);
    expect(html).toContain('카드를 등록하지 못했어요');
    // The reason is for operators: only the row and the log have it.
    const reason = (await issuancesOf(world, customerUid))[0]?.['reason'];
    expect(html).not.toContain(reason);
    await world.log.requests({ outcome: 'declined', reason });
    // Without the values that differ in every form.
    pages.add(html.replace(/name="(customer_uid|form_token)" value="[^"]+"/g, 'name="$1"'));
  }
  expect(pages.size).toBe(1);
});

test('H9 and H13: an issuance without an answer stays open while no key is found, and is never repeated', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  const { status, customerUid } = await member.register();
  expect(status).toBe(202);
  const lookUps = (seconds: number) => world.sandbox.requestsDuring(FIND_KEYS, () => world.advance(seconds));
  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const seconds of [5, 15, 60, 300]) {
      expect([await lookUps(seconds - 1), await lookUps(1)]).toEqual([0, 1]);
      expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown' }]);
    }
    await world.advance(15 * 60);
  });
  expect(sent).toBe(0);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'declined', not_found_polls: 4, reason: 'not_issued' },
  ]);
});

test('H9: polls without an answer do not count as misses', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  const { customerUid } = await member.register();
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 500, times: 50 });
  for (const seconds of [5, 15, 60, 300, 900, 3600]) await world.advance(seconds);
  expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown', not_found_polls: 0 }]);
});

test('H10: a key whose issuance was not answered is found and becomes active', async () => {
  const { status } = await member.register({ card_number: CARD_WITH_LOST_ANSWER });
  expect(status).toBe(202);
  expect(await member.cards()).toMatchObject([{ state: 'pending' }]);
  await world.advance(5);
  expect(await member.cards()).toEqual([{ state: 'active', number: '4000-00**-****-0085' }]);
});

test('H11: an issuance after which the database failed is resolved from the row written before the call', async () => {
  // Allows the row before the call, and refuses the outcome.
  const refusal = `add constraint gone check (status = 'pending') not valid`;
  await world.rows.query(`alter table billing_key_issuances ${refusal}`);
  const { status, customerUid } = await member.register();
  await world.rows.query('alter table billing_key_issuances drop constraint gone');
  expect(status).toBe(202);
  expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'pending' }]);

  await world.rows.query(`select graphile_worker.add_job('recover-unresolved-attempts')`);
  await world.advance(61);
  await world.advance(1);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
});

test('H12: when the database is down nothing is sent, and the page says to try again', async () => {
  const form = { ...(await member.openForm()), ...CARD_FORM };
  const calls = await world.sandbox.allRequests();
  const { status, headers, html } = await world.withoutDatabase(() => member.post('/cards', form));
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(html).toContain('카드사로 아무것도 보내지 않았으니');
  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await issuancesOf(world, form.customer_uid)).toEqual([]);
  expect((await member.post('/cards', form)).status).toBe(303);
});

test('H14: a key with other last digits than the submitted card is not accepted', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'lost_response' });
  const { customerUid } = await member.register();
  const record = { customer_uid: customerUid, card_number: '5409-13**-****-9999', inserted: 1, updated: 1 };
  const body = { code: 0, message: null, response: [record] };
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 200, body });
  await world.advance(5);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'needs_review' });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'needs_review', reason: 'other_card' },
  ]);
});

const expectRegistered = async () => expect((await member.register()).status).toBe(303);

test('H15: a 401 issued nothing, so the call is repeated once with a new token', async () => {
  await expectRegistered();
  // Only the service's clock moves, so the merchant uses an expired token.
  await world.sandbox.advance(31 * 60);
  let tokens = 0;
  const posts = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    tokens = await world.sandbox.requestsDuring(TOKEN, expectRegistered);
  });
  expect([tokens, posts]).toEqual([1, 2]);
});

test('H15: one 401 with a valid token is no decline either', async () => {
  await expectRegistered();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized' });
  expect(await world.sandbox.requestsDuring(ISSUE_KEY, expectRegistered)).toBe(2);
});

test.each([{ kind: 'status', status: 500 }, { kind: 'redirect' }, { kind: 'garbage' }])(
  'H16: the fault %j leaves the outcome open',
  async (fault) => {
    await world.sandbox.fault({ endpoint: ISSUE_KEY, ...fault });
    const posts = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
      const { status, customerUid } = await member.register();
      expect(status).toBe(202);
      expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'unknown' }]);
    });
    expect(posts).toBe(1);
  },
);

test('H16: an issuance with code 0 whose record cannot be read is looked up later', async () => {
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 500 });
  const { status, customerUid } = await member.register();
  expect(status).toBe(202);
  await world.advance(5);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
});

test('H25: a card that is registered twice gets two customer_uids, and the list says so', async () => {
  const [first, second] = [await member.register(), await member.register()];
  expect(first.customerUid).not.toBe(second.customerUid);
  expect((await member.get('/cards')).html).toContain('같은 카드가 두 번 등록된 것 같아요');
});
