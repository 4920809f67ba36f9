// The shop is told when a card is registered, replaced or removed, in the transaction of the change. An event has the masked number
// at most, and only while the card has it.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/keys';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorldWithReceiver } from '../../support/use-world';

const { world, receiver } = useWorldWithReceiver();

let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});
afterEach(() => world.sandbox.clearFaults());

type CardEvent = { id: string; type: string; data: Record<string, unknown> };
async function eventsOf(customerUid: string): Promise<CardEvent[]> {
  const { body } = await world.api('GET', `/api/events?customer_uid=${customerUid}`);
  return body.list;
}
const typesOf = async (customerUid: string) => (await eventsOf(customerUid)).map(({ type }) => type);
const remove = async () => (await member.remove(await member.openRemoval())).status;
async function settleLatest(customerUid: string, outcome: string): Promise<void> {
  const { id } = (await issuancesOf(world, customerUid)).at(-1) as { id: string };
  const answer = await world.api('POST', `/api/issuances/${id}/settle`, { outcome, note: 'seen' });
  expect(answer.status).toBe(200);
}

test('registration, replacement and removal of a card are events in this order, and only the newest event has its masked number', async () => {
  const { customerUid } = await member.register();
  const key = await keyOf(world, customerUid);
  const card = { card_name: key?.['card_name'], card_number: '5409-13**-****-9012' };
  const about = { customer_uid: customerUid, member_id: key?.['member_id'] };
  await world.runEveryMinute();
  expect(receiver.received.at(-1)).toMatchObject({
    id: `card:${customerUid}:1`,
    isSigned: true,
    body: { type: 'card.registered', data: { ...about, version: 1, ...card } },
  });

  world.clock.advance(60);
  expect((await member.replace(customerUid, { card_number: '9410-1000-0000-7777' })).status).toBe(303);
  expect((await eventsOf(customerUid)).map(({ data }) => data['card_number'])).toEqual([
    null,
    '9410-10**-****-7777',
  ]);
  expect(await remove()).toBe(303);
  const [first, second, third, ...more] = await eventsOf(customerUid);
  expect(first?.data).toEqual({ ...about, ...card, version: 1, card_number: null });
  expect(second).toMatchObject({
    id: `card:${customerUid}:2`,
    type: 'card.replaced',
    data: { card_number: null },
  });
  expect(third).toMatchObject({
    id: `card:${customerUid}:3`,
    type: 'card.removed',
    data: { card_number: null },
  });
  expect(more).toEqual([]);
  await world.runEveryMinute();
  const told = receiver.told().filter((each) => each.startsWith(`card:${customerUid}:`));
  expect(told).toEqual(
    ['1 card.registered', '2 card.replaced', '3 card.removed'].map((each) => `card:${customerUid}:${each}`),
  );
});

test('a declined card and a declined replacement cause no event', async () => {
  const declined = await member.register({ card_number: DECLINED_CARD });
  expect(await typesOf(declined.customerUid)).toEqual([]);
  const { customerUid } = await member.register();
  await member.replace(customerUid, { card_number: DECLINED_CARD });
  expect(await typesOf(customerUid)).toEqual(['card.registered']);
});

test('a card whose answer was lost has one event, when the service shows it', async () => {
  const { customerUid } = await member.register({ card_number: CARD_WITH_LOST_ANSWER });
  expect(await typesOf(customerUid)).toEqual([]);
  await world.advance(6);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
  expect(await typesOf(customerUid)).toEqual(['card.registered']);
});

test('a person’s decision is an event too, and a key that never existed has no event of its removal', async () => {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'lost_response' });
  const there = await member.register();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  const missing = await createMemberBrowser(world).register();
  world.clock.advance(600);
  await settleLatest(there.customerUid, 'issued');
  await settleLatest(missing.customerUid, 'not_issued');
  expect([await typesOf(there.customerUid), await typesOf(missing.customerUid)]).toEqual([
    ['card.registered'],
    [],
  ]);
});

test('events of cards are asked for by one stream at a time', async () => {
  const { status, body } = await world.api('GET', '/api/events?customer_uid=card-1&merchant_uid=order-1');
  expect([status, body.error.message]).toEqual([400, 'customer_uid: not together with merchant_uid']);
});
