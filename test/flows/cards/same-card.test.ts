// The same card once more: the form asks before it becomes a second key, and the member decides.

import { CARD_FORM, DECLINED_CARD } from '../../support/cards';
import { ISSUE_KEY } from '../../support/endpoints';
import { createMemberBrowser, hiddenFields, type MemberBrowser } from '../../support/member-browser';
import { cardTraces } from '../../support/member-cards';
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
  for (const text of [QUESTION, '5409-13**-****-9012', `/cards/${customerUid}/replace`])
    expect(html).toContain(text);
  expect(BOX.exec(html)?.[0]).not.toContain('checked');
  for (const trace of cardTraces(CARD_FORM)) expect(world.log.text() + html).not.toContain(trace);
  await world.log.requests({ outcome: 'same_card' });
  const english = await member.post('/cards?lang=en', fields);
  expect(english.html).toContain('You seem to have this card already.');
});

test('whoever says so registers the same card once more, and the list says that there are two (H25)', async () => {
  const first = await member.register();
  const { html } = await submit();
  const again = { ...hiddenFields(html), ...CARD_FORM, register_again: 'on' };
  expect(await member.post('/cards', again)).toMatchObject({ status: 303, location: '/cards' });
  expect(again.customer_uid).not.toBe(first.customerUid);
  expect(await member.cards()).toHaveLength(2);
  expect((await member.get('/cards')).html).toContain('같은 카드가 두 번 등록된 것 같아요');
});

test('a form that was asked about is not used up: it can be sent again with the box ticked', async () => {
  await member.register();
  const { fields } = await submit();
  expect((await member.post('/cards', { ...fields, register_again: 'on' })).status).toBe(303);
});

test('the box stays ticked through a mistake and a decline, so that nothing is asked twice', async () => {
  await member.register();
  for (const changes of [{ pwd_2digit: 'x' }, { card_number: DECLINED_CARD }]) {
    const { status, html } = await submit({ register_again: 'on', ...changes });
    expect([status, BOX.exec(html)?.[0]]).toEqual([400, expect.stringContaining('checked')]);
  }
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

test('after a replacement the card that is held now counts, not the one before', async () => {
  const { customerUid } = await member.register();
  await world.advance(60);
  await member.replace(customerUid, { card_number: '5555-5555-5555-4444' });
  expect((await submit({ card_number: '5555-5555-5555-4444' })).html).toContain(QUESTION);
  expect((await submit()).status).toBe(303);
});
