// A checkout asks for a member's cards (GET /api/members/{member_id}/cards): the same cards in the same order as on the
// member's page, masked, and whether each can pay.

import { CARD_FORM, CARD_THAT_FAILS, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { cardTraces, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

const cardsOf = (memberId: string) => world.api('GET', `/api/members/${encodeURIComponent(memberId)}/cards`);
const memberOf = async (customerUid: string) => String((await keyOf(world, customerUid))?.['member_id']);

test('the cards of a member are listed, masked, the newest first, and nobody else’s', async () => {
  await createMemberBrowser(world).register();
  const first = await member.register();
  await world.advance(60);
  const second = await member.register({ card_number: CARD_THAT_FAILS });
  const answer = await expectNoEffect(world, async () => cardsOf(await memberOf(first.customerUid)));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual([
    {
      customer_uid: second.customerUid,
      card_name: expect.stringMatching(/카드$/),
      card_number: '4000-00**-****-0341',
      state: 'active',
      chargeable: true,
      created_at: world.clock.now().toISOString(),
    },
    expect.objectContaining({ customer_uid: first.customerUid, card_number: '5409-13**-****-9012' }),
  ]);
  const onPage = (await member.cards()).map(({ number }) => number);
  expect(answer.body.map((card: any) => card.card_number)).toEqual(onPage);
  for (const trace of cardTraces(CARD_FORM)) expect(JSON.stringify(answer.body)).not.toContain(trace);
});

test('a card that is offered as chargeable can be charged, and one that is not cannot', async () => {
  const pending = await member.register({ card_number: CARD_WITH_LOST_ANSWER });
  const memberId = await memberOf(pending.customerUid);
  const isChargeable = async () => (await cardsOf(memberId)).body[0].chargeable as boolean;
  const chargeNow = async () =>
    (await charge(world, await registerOrder(world, undefined, { member_id: memberId }), pending.customerUid))
      .status;

  expect((await cardsOf(memberId)).body).toMatchObject([
    { state: 'pending', card_name: null, card_number: '****-****-****-0085' },
  ]);
  expect([await isChargeable(), await chargeNow()]).toEqual([false, 409]);
  await world.advance(6);
  expect((await cardsOf(memberId)).body).toMatchObject([{ state: 'active' }]);
  expect([await isChargeable(), await chargeNow()]).toEqual([true, 200]);

  await member.replace(pending.customerUid, { card_number: CARD_WITH_LOST_ANSWER });
  expect((await cardsOf(memberId)).body).toMatchObject([{ state: 'replacing' }]);
  expect([await isChargeable(), await chargeNow()]).toEqual([true, 200]);
  await world.advance(6);

  await world.rows.query(`update billing_keys set status = 'needs_review' where customer_uid = $1`, [
    pending.customerUid,
  ]);
  expect((await cardsOf(memberId)).body).toMatchObject([{ state: 'needs_review' }]);
  expect([await isChargeable(), await chargeNow()]).toEqual([false, 409]);
});

test('a card on its way out is listed as such, and one that is gone or was declined is not listed', async () => {
  const { customerUid } = await member.register();
  const memberId = await memberOf(customerUid);
  await member.register({ card_number: DECLINED_CARD });
  const form = await member.openRemoval();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  await member.remove(form);
  expect((await cardsOf(memberId)).body).toMatchObject([
    { customer_uid: customerUid, state: 'removing', chargeable: false },
  ]);
  await member.remove(form);
  expect((await cardsOf(memberId)).body).toEqual([]);
});

test.each(['nobody', 'x'.repeat(65), 'a\u0000b', '회원 7', "' or 1=1"])(
  'the member %j has no cards: an empty list',
  async (memberId) => expect(await cardsOf(memberId)).toEqual({ status: 200, body: [] }),
);
