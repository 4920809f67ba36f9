// A member registers, lists, replaces and removes a card. Registering the same card again needs a confirmation. A checkout reads the
// same cards (GET /api/members/{member_id}/cards).

import { createMemberBrowser, hiddenFields, type MemberBrowser } from '../../support/browsers';
import { cardTraces } from '../../support/card-form/card-form';
import { CARD_FORM, CARD_THAT_FAILS, DECLINED_CARD } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/keys';
import { expectNoEffect } from '../../support/rows';
import { FIND_KEYS, ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const OTHER_CARD = '5555-5555-5555-4444';

const world = useWorld();
const worldWithGateway = useWorld({ environment: { CARD_PG: 'kcp.MID-7' } });
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

test('a registered card is stored as a billing key and listed, masked', async () => {
  const callsSoFar = () =>
    Promise.all([ISSUE_KEY, FIND_KEYS].map((endpoint) => world.sandbox.requests(endpoint)));
  const before = await callsSoFar();
  const { status, location, customerUid } = await member.register();

  expect([status, location]).toEqual([303, '/cards']);
  expect(await callsSoFar()).toEqual(before.map((calls) => calls + 1));
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  // The card company has the name of the page's language.
  expect((await member.get('/cards?lang=ko')).html).toContain('KB국민카드');
  expect((await member.get('/cards?lang=en')).html).toContain('KB Kookmin Card');
  const shown = { card_number: '5409-13**-****-9012', pg_provider: 'nice' };
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active', ...shown });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'issued', card_last_four: '9012', replaces_key: false },
  ]);
});

test('a card gets its key at the gateway of CARD_PG', async () => {
  const { customerUid } = await createMemberBrowser(worldWithGateway).register();
  const { body } = await worldWithGateway.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`);
  expect(body).toMatchObject([{ pg_provider: 'kcp', pg_id: 'MID-7' }]);
});

test('a second card of a member gets its own customer_uid, and the first does not change (H7)', async () => {
  const first = await member.register();
  const before = await keyOf(world, first.customerUid);
  const second = await member.register({ card_number: CARD_THAT_FAILS });

  expect(second.status).toBe(303);
  expect(second.customerUid).not.toBe(first.customerUid);
  expect(await keyOf(world, first.customerUid)).toEqual(before);
});

describe('a replacement', () => {
  let customerUid: string;
  beforeEach(async () => {
    ({ customerUid } = await member.register());
    // `updated` of a key has full seconds (§2.3): the replaced one is later.
    await world.advance(60);
  });

  test('M37 a replacement form that is posted twice, in turn or at once, causes one issuance', async () => {
    const path = `/cards/${customerUid}/replace`;
    const form = { ...(await member.openForm(path)), ...CARD_FORM, card_number: OTHER_CARD };
    const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
      const answers = await Promise.all([member.post(path, form), member.post(path, form)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      expect((await member.post(path, form)).status).toBe(409);
    });
    expect(sent).toBe(1);
    expect(await member.cards()).toEqual([{ state: 'active', number: '5555-55**-****-4444' }]);
    expect((await member.get('/cards')).html).toContain('새 카드로 교체했어요.');
    expect(await issuancesOf(world, customerUid)).toMatchObject([
      { status: 'issued', replaces_key: false },
      { status: 'issued', replaces_key: true },
    ]);
  });

  test('that is declined does not change the current card', async () => {
    expect((await member.replace(customerUid, { card_number: DECLINED_CARD })).status).toBe(400);
    expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  });

  test('at the same time as a removal never leaves an active card without its key', async () => {
    const path = `/cards/${customerUid}/replace`;
    const removal = await member.openRemoval();
    const replacement = { ...(await member.openForm(path)), ...CARD_FORM };
    const answers = await Promise.all([member.remove(removal), member.post(path, replacement)]);
    // The second request finds the key in use, or free again when the first is done.
    for (const { status } of answers) expect([303, 404, 409]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(303);
    const { body } = await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`);
    const isAtService = body[0].code === 0;
    expect((await keyOf(world, customerUid))?.['status']).toBe(isAtService ? 'active' : 'removed');
  });
});

test('a removed card is deleted at the service and no longer listed; removing it again changes nothing', async () => {
  const { customerUid } = await member.register();
  const form = await member.openRemoval();
  const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
    for (let times = 0; times < 2; times += 1)
      expect(await member.remove(form)).toMatchObject({ status: 303, location: '/cards' });
  });
  expect(deletions).toBe(1);
  expect(await member.cards()).toEqual([]);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(404);
});

describe('the same card once more', () => {
  const QUESTION = '이미 등록한 카드 같아요.';
  /** Posts without the confirmation. */
  const submit = async (changes: Record<string, string> = {}) =>
    member.post('/cards', { ...(await member.openForm()), ...CARD_FORM, ...changes });
  let customerUid: string;
  beforeEach(async () => {
    ({ customerUid } = await member.register());
  });

  test('the form asks before the same card is sent again, and echoes nothing of it', async () => {
    const fields = { ...(await member.openForm()), ...CARD_FORM };
    const { status, html } = await expectNoEffect(world, () => member.post('/cards', fields));
    expect(status).toBe(400);
    for (const text of [QUESTION, '5409-13**-****-9012', `/cards/${customerUid}/replace`])
      expect(html).toContain(text);
    for (const trace of cardTraces(CARD_FORM)) expect(world.log.text() + html).not.toContain(trace);
    // The form can be posted again.
    expect((await member.post('/cards', { ...fields, register_again: 'on' })).status).toBe(303);
  });

  test('a member who confirms registers the same card again, and the list says that there are two (H25)', async () => {
    const again = { ...hiddenFields((await submit()).html), ...CARD_FORM, register_again: 'on' };
    expect(await member.post('/cards', again)).toMatchObject({ status: 303, location: '/cards' });
    expect(again.customer_uid).not.toBe(customerUid);
    expect(await member.cards()).toHaveLength(2);
    expect((await member.get('/cards')).html).toContain('같은 카드가 두 번 등록된 것 같아요');
  });

  test('the form does not ask about a card of another member, a removed one, or a failed registration', async () => {
    await member.remove(await member.openRemoval());
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 400 });
    expect((await submit()).status).toBe(400);
    expect((await submit()).status).toBe(303);
    member = createMemberBrowser(world);
    expect((await submit()).status).toBe(303);
  });
});

test('a checkout sees only the cards of its member, masked, newest first', async () => {
  const cardsOf = (memberId: string) =>
    world.api('GET', `/api/members/${encodeURIComponent(memberId)}/cards`);
  await createMemberBrowser(world).register();
  const first = await member.register();
  await world.advance(60);
  const second = await member.register({ card_number: CARD_THAT_FAILS });
  const memberId = String((await keyOf(world, first.customerUid))?.['member_id']);
  const { body } = await expectNoEffect(world, () => cardsOf(memberId));
  expect(body).toEqual([
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
  for (const nobody of ['nobody', 'a\u0000b'])
    expect(await cardsOf(nobody)).toEqual({ status: 200, body: [] });
});
