// Rows H of the fault table: the form is used once, in time, by its member, and in no other way.

import { createCardEvidence, ISSUE, type CardEvidence } from '../support/card-evidence';
import { createMemberBrowser, GOOD_CARD, hiddenFields, type MemberBrowser } from '../support/member-browser';
import { startWorld, type World } from '../support/world';

let world: World;
let member: MemberBrowser;
let evidence: CardEvidence;
beforeAll(async () => {
  world = await startWorld();
  evidence = createCardEvidence(world);
});
beforeEach(async () => {
  await world.sandbox.call('DELETE', '/faults');
  member = createMemberBrowser(world);
});
afterAll(() => world.close());

test('H1: two posts of one form at once issue one key', async () => {
  const fields = { ...(await member.openForm()), ...GOOD_CARD };
  const statuses: number[] = [];
  const calls = await evidence.callsDuring(ISSUE, async () => {
    const answers = await Promise.all([member.post('/cards', fields), member.post('/cards', fields)]);
    statuses.push(...answers.map(({ status }) => status));
  });
  expect(statuses.sort()).toEqual([303, 409]);
  expect(calls).toBe(1);
  expect(await evidence.issuancesOf(fields.customer_uid)).toMatchObject([{ status: 'issued' }]);
});

test('H1: two replacements of one key at once are never both on their way', async () => {
  const { customerUid } = await member.register();
  const path = `/cards/${customerUid}/replace`;
  const forms = [await member.openForm(path), await member.openForm(path)];
  await world.sandbox.fault({ endpoint: ISSUE, kind: 'delay', delay_ms: 1000 });
  const answers = await Promise.all(forms.map((form) => member.post(path, { ...form, ...GOOD_CARD })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
});

test('H2: the back button and a second submit issue nothing', async () => {
  const fields = { ...(await member.openForm()), ...GOOD_CARD };
  expect((await member.post('/cards', fields)).status).toBe(303);
  await evidence.expectRefusedUnsent(member, 409, fields);
});

test('H3: a form older than 15 minutes is expired, and an empty new one comes with the answer', async () => {
  const fields = { ...(await member.openForm()), ...GOOD_CARD };
  await world.advance(15 * 60 + 1);
  await evidence.expectRefusedUnsent(member, 410, fields);
  const { html } = await member.post('/cards', fields);
  expect((await member.post('/cards', { ...hiddenFields(html), ...GOOD_CARD })).status).toBe(303);
});

test("H4: another member's customer_uid is refused, and the victim's key stays as it is", async () => {
  const victim = createMemberBrowser(world);
  const { customerUid } = await victim.register();
  const before = await evidence.keyOf(customerUid);
  const own = await member.openForm();

  await evidence.expectRefusedUnsent(member, 403, { ...own, ...GOOD_CARD, customer_uid: customerUid });
  for (const action of ['replace', 'remove']) {
    const fields = { ...own, ...GOOD_CARD, customer_uid: customerUid };
    expect((await member.post(`/cards/${customerUid}/${action}`, fields)).status).toBe(403);
  }
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(403);
  expect(await evidence.keyOf(customerUid)).toEqual(before);
  expect(world.log.events('page_refused').map(({ reason }) => reason)).toContain('forged_form');
});

test('H4: a form made for one key is not taken for another key of the same member', async () => {
  const [first, second] = [await member.register(), await member.register()];
  const form = await member.openForm(`/cards/${first.customerUid}/replace`);
  const answer = await member.post(`/cards/${second.customerUid}/replace`, { ...form, ...GOOD_CARD });
  expect(answer.status).toBe(403);
});

test.each(['random', '..', 'a\r\nX-Evil: 1', 'x'.repeat(300), '카드', '../users/getToken', ''])(
  'H5: the customer_uid %p never reaches a URL',
  async (customer_uid) => {
    const form = await member.openForm();
    await evidence.expectRefusedUnsent(member, 403, { ...form, ...GOOD_CARD, customer_uid });
  },
);

test('H6: a form of another session is refused', async () => {
  const foreign = await createMemberBrowser(world).openForm();
  await member.openForm();
  await evidence.expectRefusedUnsent(member, 403, { ...foreign, ...GOOD_CARD });
});

test('H6: a form without the cookie is refused, and so is one with a cookie that we did not sign', async () => {
  const fields = { ...(await member.openForm()), ...GOOD_CARD };
  for (const cookie of ['', `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`, 'member=%']) {
    await evidence.expectRefusedUnsent(member, 403, fields, { cookie });
  }
});

test.each(['/cards/new', '/cards'])('H24: card data in the query of %s is not served', async (path) => {
  const answer = await member.get(`${path}?card_number=4242424242424242&pwd_2digit=12`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  expect(world.log.text() + answer.html).not.toContain('4242424242424242');
});

test('H26: a JSON post follows the same rules', async () => {
  const form = await member.openForm();
  const json = (fields: object) =>
    member.send('POST', '/cards', {
      body: JSON.stringify(fields),
      headers: { 'content-type': 'application/json' },
    });
  expect((await json({ ...GOOD_CARD, customer_uid: form.customer_uid })).status).toBe(403);
  expect((await json({ ...form, ...GOOD_CARD, card_number: 4242424242424242 })).status).toBe(400);
  expect((await json({ ...form, ...GOOD_CARD, birth: { not: '' } })).status).toBe(400);
  expect((await json({ ...form, ...GOOD_CARD, agree_terms: true })).status).toBe(303);
  expect((await json({ ...form, ...GOOD_CARD })).status).toBe(409);
});

test.each([
  ['text', 'text/plain', 'card_number=4242424242424242', 415],
  ['multipart', 'multipart/form-data; boundary=x', '--x--', 415],
  ['another alphabet', 'application/x-www-form-urlencoded; charset=euc-kr', 'a=1', 415],
  ['too much', 'application/x-www-form-urlencoded', `card_number=${'4'.repeat(20_000)}`, 413],
  ['too many fields', 'application/x-www-form-urlencoded', 'a=1&'.repeat(40), 413],
  ['broken JSON', 'application/json', '{"card_number":"4242424242424242"', 400],
])('%s is refused without a word of it in the answer or the log', async (_name, type, body, status) => {
  const answer = await member.send('POST', '/cards', { body, headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  expect(answer.html + world.log.text()).not.toContain('4242424242424242');
});

test.each(['PUT', 'PATCH', 'DELETE'])('%s is not allowed', async (method) => {
  const answer = await member.send(method, '/cards');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test.each([
  '/CARDS',
  '/cards/',
  '/cards/new/',
  '/cards/none/replace',
  '/cards/%00/replace',
  '/cards/%2e%2e/replace',
  `/cards/${'x'.repeat(300)}/replace`,
])('%s is nothing', async (path) => {
  expect((await member.get(path)).status).toBe(404);
});
