// A person decides about an issuance. The key at the service must not contradict the decision, and determines the row's new state.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { codeOf } from '../../support/calls';
import { issuancesOf, keyOf, loseIssuance, memberIdOf, registerKey } from '../../support/keys';
import { expectNoEffect } from '../../support/rows';
import { FIND_KEYS, ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

/** Until then the service may still show the outcome of a call. */
const TEN_MINUTES = 600;

const world = useWorld();
let member: MemberBrowser;
let memberId: string;
beforeEach(async () => {
  await world.forgetJobs();
  member = createMemberBrowser(world);
  memberId = await memberIdOf(member);
});
afterEach(() => world.sandbox.clearFaults());

const settle = (id: string, outcome: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/issuances/${id}/settle`, { outcome, note: 'seen in the console', ...fields });
const latestOf = async (customerUid: string) =>
  (await issuancesOf(world, customerUid)).at(-1) as Record<string, unknown> & { id: string };

const expectContradicted = async (id: string, outcome: string) =>
  expect(await codeOf(settle(id, outcome))).toEqual([409, 'service_contradicts']);

/** A call whose answer is lost, and the time in which the service may still show its outcome. */
async function loseAnswer(...[kind, changes, options]: LostCall) {
  const { customerUid, id } = await loseIssuance(world, kind, { memberId, ...changes }, options);
  expect(await latestOf(customerUid)).toMatchObject({ id, status: 'unknown' });
  world.clock.advance(TEN_MINUTES);
  return { customerUid, id };
}
type LostCall = Parameters<typeof loseIssuance> extends [unknown, ...infer Rest] ? Rest : never;
const loseRegistration = () => loseAnswer('reset');
const OTHER_CARD = { card_number: '4111-2222-3333-4441' };

/** The next answer of §4.7 shows a key for another card than was sent. */
const showOtherCard = (customerUid: string) => {
  const record = { customer_uid: customerUid, card_number: '5409-13**-****-9999', inserted: 1, updated: 1 };
  const body = { code: 0, message: null, response: [record] };
  return world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 200, body });
};
/** A registration that only a person can resolve. */
async function registrationOfOtherCard() {
  const { customerUid, id } = await loseAnswer('lost_response');
  await showOtherCard(customerUid);
  await world.advance(6);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'needs_review' });
  return { customerUid, id };
}

test('an existing key can only be recorded as issued, and the card can pay at once', async () => {
  const { customerUid, id } = await loseAnswer('lost_response');
  await expectContradicted(id, 'not_issued');
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'pending' });
  expect(await latestOf(customerUid)).toMatchObject({ status: 'unknown', settled_by: null });

  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, body } = await settle(id, 'issued', { by: 'kim' });
    const decision = { status: 'issued', settled_by: 'kim', settle_note: 'seen in the console' };
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id, customer_uid: customerUid, ...decision }),
    ]);
  });
  expect(sent).toBe(0);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { decided: 'issuance', customer_uid: customerUid, outcome: 'issued', by: 'kim' },
  ]);
  expect(world.log.text()).not.toContain('seen in the console');
});

test('a missing key can only be recorded as not issued, and the first registration has failed', async () => {
  const { customerUid, id } = await loseRegistration();
  await expectContradicted(id, 'issued');
  expect((await settle(id, 'not_issued')).body).toMatchObject({ status: 'declined', settled_by: 'api' });
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await codeOf(settle(id, 'not_issued'))).toEqual([409, 'already_settled']);
});

test('a key for another card than was sent is the member’s once a person decides so', async () => {
  const { customerUid, id } = await registrationOfOtherCard();
  const { list } = (await world.api('GET', '/api/issuances?needs_person=true')).body;
  expect(list).toMatchObject([{ id, customer_uid: customerUid }]);
  await showOtherCard(customerUid);
  await expectContradicted(id, 'not_issued');
  await showOtherCard(customerUid);
  expect((await settle(id, 'issued')).status).toBe(200);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9999' }]);
});

test('a replacement that was not executed leaves the previous card', async () => {
  const { customerUid } = await registerKey(world, { memberId });
  const { id } = await loseAnswer('reset', { customerUid, ...OTHER_CARD }, { replacesKey: true });
  await expectContradicted(id, 'issued');
  expect((await settle(id, 'not_issued')).body).toMatchObject({ status: 'declined', replaces_key: true });
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
});

/** Another card for a key that was registered so many seconds before. The answer is lost. */
async function loseReplacement(seconds: number) {
  const { customerUid } = await registerKey(world, { memberId });
  world.clock.advance(seconds);
  return loseAnswer('lost_response', { customerUid, ...OTHER_CARD }, { replacesKey: true });
}

test('a replacement that was executed can only be recorded as issued, and shows its card then', async () => {
  const { id } = await loseReplacement(1);
  await expectContradicted(id, 'not_issued');
  expect((await settle(id, 'issued')).status).toBe(200);
  expect(await member.cards()).toEqual([{ state: 'active', number: '4111-22**-****-4441' }]);
});

test.each(['issued', 'not_issued'])(
  'within one second the record tells nothing: a person decides that the replacement was %s',
  async (outcome) => {
    const { id } = await loseReplacement(0);
    expect((await settle(id, outcome)).status).toBe(200);
  },
);

test('a decision changes no key that is being removed, and none that a later issuance is about', async () => {
  const removing = await registrationOfOtherCard();
  const later = await registrationOfOtherCard();
  await world.rows.query(`update billing_keys set status = 'removing' where customer_uid = $1`, [
    removing.customerUid,
  ]);
  await world.rows.query(
    `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
       privacy_version, consented_at, started_at)
     select customer_uid, form_nonce || '-2', true, 'pending', '4441', '1', '1', started_at, started_at + interval '1 second'
     from billing_key_issuances where id = $1`,
    [later.id],
  );
  for (const { id, customerUid } of [removing, later]) {
    const before = await keyOf(world, customerUid);
    await showOtherCard(customerUid);
    expect((await settle(id, 'issued')).status).toBe(200);
    expect(await keyOf(world, customerUid)).toEqual(before);
  }
});

test('a removed key stays removed', async () => {
  const { customerUid, id } = await registrationOfOtherCard();
  expect((await member.remove(await member.openRemoval(customerUid))).status).toBe(303);
  expect((await settle(id, 'not_issued')).status).toBe(200);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
});

test('no decision is recorded without the service, by an invalid request, or while the call is in progress', async () => {
  const { customerUid, id } = await loseRegistration();
  const before = await world.rows.books();
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 503 });
  expect(await codeOf(settle(id, 'issued'))).toEqual([503, 'service_unavailable']);
  expect(await world.rows.books()).toBe(before);
  const refusal = (outcome: string, fields = {}, of = id) =>
    codeOf(expectNoEffect(world, () => settle(of, outcome, fields)));
  expect(await refusal('not_issued', { note: undefined })).toEqual([400, 'invalid_request']);
  for (const none of ['999999', 'abc', '9'.repeat(19)])
    expect(await refusal('issued', {}, none)).toEqual([404, 'issuance_not_found']);
  const toPending = `update billing_key_issuances set status = 'pending' where customer_uid = $1`;
  await world.rows.query(toPending, [customerUid]);
  expect(await refusal('not_issued')).toEqual([409, 'attempt_pending']);
});
