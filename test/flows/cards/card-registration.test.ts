// A member registers a card, finds it listed, replaces it and removes it.

import { CARD_FORM, CARD_THAT_FAILS, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { FORM_SECRET } from '../../support/config';
import { FIND_KEYS, ISSUE_KEY } from '../../support/endpoints';
import { expectNowhere } from '../../support/leak-search';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { cardTraces, issuancesOf, keyOf } from '../../support/member-cards';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';

const world = useWorld();
let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});

test('a registered card is stored as a billing key and listed, masked', async () => {
  const issuancesBefore = await world.sandbox.requests(ISSUE_KEY);
  const { status, location, customerUid } = await member.register();

  expect([status, location]).toEqual([303, '/cards']);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  expect(await keyOf(world, customerUid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9012',
    pg_provider: 'nice',
    card_name: expect.stringMatching(/카드$/),
  });
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    {
      status: 'issued',
      card_last_four: '9012',
      replaces_key: false,
      terms_version: '2026-11-22',
      privacy_version: '2026-11-22',
    },
  ]);
  expect((await world.sandbox.requests(ISSUE_KEY)) - issuancesBefore).toBe(1);
});

test('nothing of the card is in a row, a page, the log or the sandbox afterwards', async () => {
  const { html } = await member.register();
  const page = (await member.get('/cards')).html;
  const requests = JSON.stringify(await world.sandbox.call('GET', '/requests'));
  const everything = [html, page, await world.rows.dump(), world.log.text(), requests].join('\n');
  expectNowhere(everything, cardTraces(CARD_FORM));
  expect(world.log.text()).not.toContain(FORM_SECRET);
});

test('a second card of the same member gets a customer_uid of its own and leaves the first alone (H7)', async () => {
  const first = await member.register();
  const second = await member.register({ card_number: CARD_THAT_FAILS });

  expect(second.status).toBe(303);
  expect(second.customerUid).not.toBe(first.customerUid);
  expect(await keyOf(world, first.customerUid)).toMatchObject({
    status: 'active',
    card_number: '5409-13**-****-9012',
  });
  expect((await member.cards()).map(({ number }) => number)).toContain('4000-00**-****-0341');
});

test('a new card under the same customer_uid replaces the key (§1)', async () => {
  const { customerUid } = await member.register();
  await world.advance(60);
  const answer = await member.replace(customerUid, { card_number: '5555-5555-5555-4444' });

  expect([answer.status, answer.location]).toEqual([303, '/cards']);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5555-55**-****-4444' }]);
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { replaces_key: false },
    { replaces_key: true, status: 'issued' },
  ]);
});

test('M37 a replacement form that is sent twice is one issuance, one after the other and at once', async () => {
  const { customerUid } = await member.register();
  const path = `/cards/${customerUid}/replace`;
  const form = { ...(await member.openForm(path)), ...CARD_FORM, card_number: '5555-5555-5555-4444' };
  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const answers = await Promise.all([member.post(path, form), member.post(path, form)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await member.post(path, form)).status).toBe(409);
  });
  expect(sent).toBe(1);
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'issued', replaces_key: false },
    { status: 'issued', replaces_key: true },
  ]);
});

test('a declined replacement leaves the card that is there', async () => {
  const { customerUid } = await member.register();
  const answer = await member.replace(customerUid, { card_number: DECLINED_CARD });

  expect(answer.status).toBe(400);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  expect(await issuancesOf(world, customerUid)).toMatchObject([{ status: 'issued' }, { status: 'declined' }]);
});

test('a lost answer to a replacement is recognised by the newer record (§2.3)', async () => {
  const { customerUid } = await member.register();
  await world.advance(60);
  const answer = await member.replace(customerUid, { card_number: CARD_WITH_LOST_ANSWER });
  expect(answer.status).toBe(202);
  expect(await member.cards()).toEqual([{ state: 'replacing', number: '5409-13**-****-9012' }]);

  await world.advance(6);
  expect(await member.cards()).toEqual([{ state: 'active', number: '4000-00**-****-0085' }]);
});

test('a replacement that never reached the service ends with the old card, after enough looks', async () => {
  const { customerUid } = await member.register();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  expect((await member.replace(customerUid, { card_number: '5555-5555-5555-4444' })).status).toBe(202);

  for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
  expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { status: 'issued' },
    { status: 'declined', reason: 'not_issued' },
  ]);
});

test('a removed card is deleted at the service and no longer listed; removing it again changes nothing', async () => {
  const { customerUid } = await member.register();
  const form = await member.openRemoval();
  const deletionsBefore = await world.sandbox.requests(DELETE_KEY);

  const answers = [await member.remove(form), await member.remove(form)];
  expect(answers.map(({ status, location }) => [status, location])).toEqual([
    [303, '/cards'],
    [303, '/cards'],
  ]);
  expect(await member.cards()).toEqual([]);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
  expect((await world.sandbox.requests(DELETE_KEY)) - deletionsBefore).toBe(1);
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(404);
});

test('a card whose replacement is on its way cannot be removed before its outcome is known', async () => {
  const { customerUid } = await member.register();
  const form = await member.openRemoval();
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  expect((await member.replace(customerUid)).status).toBe(202);

  const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
    expect((await member.remove(form)).status).toBe(409);
  });
  expect(deletions).toBe(0);
  expect(await member.cards()).toMatchObject([{ state: 'replacing' }]);
});

test('a card whose key is gone at the service can be removed', async () => {
  const { customerUid } = await member.register();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  const form = await member.openRemoval();

  expect((await member.remove(form)).status).toBe(303);
  expect(await member.cards()).toMatchObject([{ state: 'removing' }]);
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(404);
  expect((await member.remove(form)).status).toBe(303);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed' });
});

test('a removal that the service did not carry out leaves the card as it was', async () => {
  await member.register();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
  expect((await member.remove(await member.openRemoval())).status).toBe(503);
  await world.sandbox.clearFaults();
  expect(await member.cards()).toMatchObject([{ state: 'active' }]);
});

test('a removal and a replacement at once never leave an active card without its key', async () => {
  const { customerUid } = await member.register();
  const removal = await member.openRemoval();
  const replacement = await member.openForm(`/cards/${customerUid}/replace`);
  const answers = await Promise.all([
    member.remove(removal),
    member.post(`/cards/${customerUid}/replace`, { ...replacement, ...CARD_FORM }),
  ]);
  // Whoever comes second finds the key taken, or finds it again when the first is done.
  for (const { status } of answers) expect([303, 404, 409]).toContain(status);
  expect(answers.map(({ status }) => status)).toContain(303);
  const { body } = await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`);
  const atService = (body as { code: number }[]).some(({ code }) => code === 0);
  const { status } = (await keyOf(world, customerUid)) as { status: string };
  expect([status, atService]).toEqual(status === 'removed' ? ['removed', false] : ['active', true]);
});

test('a stranger has no cards and may look at the form, in the language asked for', async () => {
  expect(await member.cards()).toEqual([]);
  expect((await member.get('/cards/new')).html).toContain('<h1>카드 등록</h1>');
  expect((await member.get('/cards/new', { 'accept-language': 'en-GB,en;q=0.9' })).html).toContain(
    '<h1>Add a card</h1>',
  );
  expect((await member.get('/cards/new', { 'accept-language': 'fr' })).html).toContain('<html lang="ko">');
  const english = await member.get('/cards/new?lang=en');
  expect(english.html).toContain('action="/cards?lang=en"');
});

test('the language that was chosen stays through the flow', async () => {
  const hidden = await member.openForm();
  const answer = await member.post('/cards?lang=en', { ...hidden, ...CARD_FORM });
  expect(answer.location).toBe('/cards?lang=en');
  expect((await member.get('/cards?lang=en')).html).toContain('Your card is registered.');
});

test.each(['/terms', '/privacy'])('%s is stated in both languages (§1)', async (path) => {
  const [korean, english] = [await member.get(path), await member.get(`${path}?lang=en`)];
  expect([korean.status, english.status]).toEqual([200, 200]);
  expect(korean.html).toContain('<html lang="ko">');
  expect(english.html).toContain('<html lang="en">');
});

test('the record of a registered card is looked up once', async () => {
  expect(await world.sandbox.requestsDuring(FIND_KEYS, () => member.register())).toBe(1);
});
