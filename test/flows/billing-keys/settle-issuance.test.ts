// A person says what became of an issuance. The key at the service must not contradict it, and says what the key is from
// then on.

import { codeOf } from '../../support/call-api';
import { CARD, DECLINED_CARD } from '../../support/cards';
import { FIND_KEYS, ISSUE_KEY } from '../../support/endpoints';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { issuancesOf, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

/** Until then the service may still show what became of a call. */
const TEN_MINUTES = 600;
/** Other digits than those of the card that tests send. */
const OTHER_CARD = '4111-2222-3333-4441';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.forgetJobs();
  member = createMemberBrowser(world);
});
afterEach(() => world.sandbox.clearFaults());

const settle = (id: string, outcome: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/issuances/${id}/settle`, { outcome, note: 'seen in the console', ...fields });
const latestOf = async (customerUid: string) =>
  (await issuancesOf(world, customerUid)).at(-1) as Record<string, unknown> & { id: string };

/** The next answer of §4.7, which then shows this key under the customer_uid. */
const showOnce = (customerUid: string, fields: Record<string, unknown>) =>
  world.sandbox.fault({
    endpoint: FIND_KEYS,
    kind: 'status',
    status: 200,
    body: {
      code: 0,
      message: null,
      response: [
        { customer_uid: customerUid, card_number: '5409-13**-****-9012', inserted: 1, updated: 1, ...fields },
      ],
    },
  });

/** A first registration whose answer was lost: with `lost_response` the key is there, with `reset` it is not. */
async function lostRegistration(kind: 'lost_response' | 'reset') {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind });
  const { customerUid } = await member.register();
  const { id, status } = await latestOf(customerUid);
  expect(status).toBe('unknown');
  world.clock.advance(TEN_MINUTES);
  return { customerUid, id };
}

/** A replacement whose answer was lost, by another card unless the test says otherwise. */
async function lostReplacement(kind: 'lost_response' | 'reset', cardNumber = OTHER_CARD) {
  const { customerUid } = await member.register();
  // `updated` of a key has full seconds (§2.3): the replaced one is later.
  await world.advance(10);
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind });
  await member.replace(customerUid, { card_number: cardNumber });
  const { id, status } = await latestOf(customerUid);
  expect(status).toBe('unknown');
  world.clock.advance(TEN_MINUTES);
  return { customerUid, id };
}

test('a key that is there is issued: the card can pay at once', async () => {
  const { customerUid, id } = await lostRegistration('lost_response');
  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, body } = await settle(id, 'issued', { by: 'kim' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      customer_uid: customerUid,
      status: 'issued',
      card_last_four: '9012',
      settled_by: 'kim',
      settle_note: 'seen in the console',
    });
  });
  expect(sent).toBe(0);
  expect(await keyOf(world, customerUid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9012',
  });
  expect(await member.cards()).toMatchObject([{ state: 'active' }]);
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { level: 30, decided: 'issuance', customer_uid: customerUid, outcome: 'issued', by: 'kim' },
  ]);
  expect(world.log.text()).not.toContain('seen in the console');
});

test('a key that is there is not “not issued”', async () => {
  const { customerUid, id } = await lostRegistration('lost_response');
  const { status, body } = await settle(id, 'not_issued');
  expect([status, body.error]).toEqual([
    409,
    {
      code: 'service_contradicts',
      message: `The payment service holds a billing key ${customerUid}, for 5409-13**-****-9012.`,
    },
  ]);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'pending' });
  expect(await latestOf(customerUid)).toMatchObject({ status: 'unknown', settled_by: null });
});

test('a key that is not there is not issued: the first registration has failed', async () => {
  const { customerUid, id } = await lostRegistration('reset');
  const refused = await settle(id, 'issued');
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    `The payment service holds no billing key ${customerUid}.`,
  ]);
  expect((await settle(id, 'not_issued')).body).toMatchObject({ status: 'declined', settled_by: 'api' });
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
  expect(await member.cards()).toEqual([]);
});

test('a key for another card than was sent is the member’s once a person says so', async () => {
  const { customerUid, id } = await lostRegistration('lost_response');
  await showOnce(customerUid, { card_number: '5409-13**-****-9999' });
  await world.advance(6);
  expect(await latestOf(customerUid)).toMatchObject({ status: 'needs_review', reason: 'other_card' });
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'needs_review' });
  expect(world.log.events('needs_review').filter((line) => line['id'] === id)).toMatchObject([
    { level: 40, attempt: 'issuance', reason: 'other_card' },
  ]);
  const listed = (await world.api('GET', '/api/issuances?needs_person=true')).body.list;
  expect(listed).toMatchObject([{ id, customer_uid: customerUid }]);

  await showOnce(customerUid, { card_number: '5409-13**-****-9999' });
  expect(await codeOf(settle(id, 'not_issued'))).toEqual([409, 'service_contradicts']);
  await showOnce(customerUid, { card_number: '5409-13**-****-9999' });
  expect((await settle(id, 'issued')).status).toBe(200);
  expect(await keyOf(world, customerUid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9999',
  });
});

test('a replacement that never happened leaves the card of before', async () => {
  const { customerUid, id } = await lostReplacement('reset');
  const refused = await settle(id, 'issued');
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    `The payment service still holds the billing key ${customerUid} of the card before, 5409-13**-****-9012.`,
  ]);
  expect((await settle(id, 'not_issued')).body).toMatchObject({ status: 'declined', replaces_key: true });
  expect(await keyOf(world, customerUid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9012',
  });
});

test('a replacement by a card with the same last digits may not have happened either', async () => {
  const { customerUid, id } = await lostReplacement('reset', CARD.card_number);
  expect((await settle(id, 'not_issued')).body).toMatchObject({ status: 'declined' });
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
});

test('a replacement that happened is the new card', async () => {
  const { customerUid, id } = await lostReplacement('lost_response');
  expect(await codeOf(settle(id, 'not_issued'))).toEqual([409, 'service_contradicts']);
  expect((await settle(id, 'issued')).status).toBe(200);
  const key = await keyOf(world, customerUid);
  expect(key).toMatchObject({ status: 'active' });
  expect(key?.['card_number']).toMatch(/^4111.*4441$/);
});

test('a replacement after which no key is there at all makes the key fail', async () => {
  const { customerUid, id } = await lostReplacement('reset');
  await world.sandbox.fault({ endpoint: FIND_KEYS, status: 404, times: 1 });
  expect((await settle(id, 'not_issued')).status).toBe(200);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
});

test('an issuance that a later one has overtaken is settled without touching the key', async () => {
  const { customerUid, id } = await lostRegistration('lost_response');
  await showOnce(customerUid, { card_number: '5409-13**-****-9999' });
  await world.advance(6);
  await member.replace(customerUid, { card_number: DECLINED_CARD });
  const before = await keyOf(world, customerUid);
  expect(before).toMatchObject({ status: 'needs_review' });
  expect((await settle(id, 'issued')).status).toBe(200);
  expect(await keyOf(world, customerUid)).toEqual(before);
});

test('a key that was removed stays removed', async () => {
  const { customerUid, id } = await lostRegistration('lost_response');
  await showOnce(customerUid, { card_number: '5409-13**-****-9999' });
  await world.advance(6);
  const hidden = await member.openRemoval();
  expect((await member.remove({ ...hidden, customer_uid: customerUid })).status).toBe(303);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
  expect((await settle(id, 'not_issued')).status).toBe(200);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
});

test('where the service cannot be asked, nothing is settled', async () => {
  const { id } = await lostRegistration('reset');
  const before = await world.rows.books();
  for (const outcome of ['issued', 'not_issued']) {
    await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 503, times: 1 });
    expect(await codeOf(settle(id, outcome))).toEqual([503, 'service_unavailable']);
  }
  expect(await world.rows.books()).toBe(before);
});

test('of two people who decide at once the second is told; so is everybody afterwards', async () => {
  const { customerUid, id } = await lostRegistration('reset');
  const answers = await Promise.all(['kim', 'lee'].map((by) => settle(id, 'not_issued', { by })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body.settled_by;
  expect(await codeOf(settle(id, 'not_issued'))).toEqual([409, 'already_settled']);
  expect(await latestOf(customerUid)).toMatchObject({ settled_by: winner });
});

test('an issuance whose call is under way is not for a person to settle', async () => {
  const { customerUid, id } = await lostRegistration('reset');
  await world.rows.query(`update billing_key_issuances set status = 'pending' where customer_uid = $1`, [
    customerUid,
  ]);
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'not_issued')))).toEqual([
    409,
    'attempt_pending',
  ]);
});

test.each([
  ['without a note', { note: undefined }],
  ['with a note of 501 characters', { note: 'x'.repeat(501) }],
  ['with an unknown outcome', { outcome: 'paid' }],
])('a decision %s is refused', async (_, fields) => {
  const { id } = await lostRegistration('reset');
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'not_issued', fields)))).toEqual([
    400,
    'invalid_request',
  ]);
});

test.each(['999999', 'abc', '0'])('no issuance has the id %s: 404', async (id) => {
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'issued')))).toEqual([
    404,
    'issuance_not_found',
  ]);
});

test('issuances are listed newest first, page by page, with filters, and without personal data', async () => {
  const all: any[] = (await world.api('GET', '/api/issuances?limit=1000')).body.list;
  expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => b - a));
  const first = await world.api('GET', '/api/issuances?limit=2');
  expect(first.body.list).toEqual(all.slice(0, 2));
  const second = await world.api('GET', `/api/issuances?limit=2&after=${first.body.next}`);
  expect(second.body.list).toEqual(all.slice(2, 4));
  const list = async (query: string) => (await world.api('GET', `/api/issuances?${query}`)).body.list;
  expect(await list('status=declined&limit=1000')).toEqual(all.filter(({ status }) => status === 'declined'));
  expect(await list(`customer_uid=${all[0].customer_uid}`)).toEqual([all[0]]);
  expect(await list('needs_person=true')).toEqual([]);
  expect(Object.keys(all[0])).not.toEqual(expect.arrayContaining(['member_id']));
});
