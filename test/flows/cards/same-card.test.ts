// The same card once more: the form asks before it becomes a second key, and the member decides.

import { CARD_FORM, DECLINED_CARD } from '../../support/cards';
import { ISSUE_KEY } from '../../support/endpoints';
import { createMemberBrowser, hiddenFields, type MemberBrowser } from '../../support/member-browser';
import { cardTraces, expectRefusedUnsent } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

const QUESTION = '이미 등록한 카드 같아요.';
const BOX = /<input id="register_again" name="register_again" type="checkbox" value="on"[^>]*>/;

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

/** As a member who has not been asked yet. */
const submit = async (changes: Record<string, string> = {}) => {
  const fields = { ...(await member.openForm()), ...CARD_FORM, ...changes };
  return { ...(await member.post('/cards', fields)), fields };
};

test('the same card again is asked about before anything is sent, and nothing of it is echoed', async () => {
  const { customerUid } = await member.register();
  const fields = { ...(await member.openForm()), ...CARD_FORM };
  const { status, html } = await expectNoEffect(world, () => member.post('/cards', fields));

  expect(status).toBe(400);
  expect(html).toContain(QUESTION);
  expect(html).toContain('5409-13**-****-9012');
  expect(html).toContain(`/cards/${customerUid}/replace`);
  expect(html).toContain('<title>카드 등록');
  expect(BOX.exec(html)?.[0]).not.toContain('checked');
  for (const trace of cardTraces(CARD_FORM)) expect(world.log.text() + html).not.toContain(trace);
  await world.log.requests({ outcome: 'same_card' });
});

test('whoever says so registers the same card once more, and the list says that there are two (H25)', async () => {
  const first = await member.register();
  const { html } = await submit();
  const again = { ...hiddenFields(html), ...CARD_FORM, register_again: 'on' };
  const answer = await member.post('/cards', again);

  expect([answer.status, answer.location]).toEqual([303, '/cards']);
  expect(again.customer_uid).not.toBe(first.customerUid);
  expect(await member.cards()).toHaveLength(2);
  expect((await member.get('/cards')).html).toContain('같은 카드가 두 번 등록된 것 같아요');
});

test('a form that was asked about is not used up: it can be sent again with the box ticked', async () => {
  await member.register();
  const { fields } = await submit();
  expect((await member.post('/cards', { ...fields, register_again: 'on' })).status).toBe(303);
});

test('a form that was sent before is refused, not asked about (H2)', async () => {
  const { fields } = await submit();
  await expectRefusedUnsent(world, member, 409, fields);
});

test('the box stays ticked through a mistake, so that nothing is asked twice', async () => {
  await member.register();
  const wrong = await submit({ register_again: 'on', pwd_2digit: 'x' });
  expect(wrong.status).toBe(400);
  expect(BOX.exec(wrong.html)?.[0]).toContain('checked');
  const declined = await submit({ register_again: 'on', card_number: DECLINED_CARD });
  expect(BOX.exec(declined.html)?.[0]).toContain('checked');
});

test.each(['', 'off', 'no'])('a box that says %p is not ticked', async (register_again) => {
  await member.register();
  expect((await submit({ register_again })).html).toContain(QUESTION);
});

test('a JSON post is asked in the same way', async () => {
  await member.register();
  const json = async (fields: object) =>
    member.send('POST', '/cards', {
      body: JSON.stringify({ ...(await member.openForm()), ...CARD_FORM, ...fields }),
      headers: { 'content-type': 'application/json' },
    });
  expect((await json({})).status).toBe(400);
  expect((await json({ register_again: true })).status).toBe(303);
});

test('in English the question is English', async () => {
  await member.register();
  const fields = { ...(await member.openForm()), ...CARD_FORM };
  const { html } = await member.post('/cards?lang=en', fields);
  expect(html).toContain('You seem to have this card already.');
  expect(html).toContain('href="/cards?lang=en"');
});

test.each([
  ['another card', { card_number: '5555-5555-5555-4444' }],
  ['a card with the same last four digits', { card_number: '4242-4242-4242-9012' }],
  ['a card of the same range', { card_number: '5409-1357-2468-9013' }],
])('%s is not asked about', async (_, changes) => {
  await member.register();
  expect((await submit(changes)).status).toBe(303);
});

test('the same card of another member is not asked about', async () => {
  await createMemberBrowser(world).register();
  expect((await submit()).status).toBe(303);
});

test('a card that was removed, or whose registration failed, is not asked about', async () => {
  await member.register();
  expect((await member.remove(await member.openRemoval())).status).toBe(303);
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 400 });
  expect((await submit()).status).toBe(400);
  expect((await submit()).status).toBe(303);
});

test('a replacement is not asked about: it makes no second key', async () => {
  const { customerUid } = await member.register();
  const answer = await member.replace(customerUid, { expiry: '12 / 2038' });
  expect(answer.status).toBe(303);
});

test('after a replacement the card that is held now counts, not the one before', async () => {
  const { customerUid } = await member.register();
  await world.advance(60);
  await member.replace(customerUid, { card_number: '5555-5555-5555-4444' });
  expect((await submit({ card_number: '5555-5555-5555-4444' })).html).toContain(QUESTION);
  expect((await submit()).status).toBe(303);
});
