// Rows H of the fault table: each field.

import { createCardEvidence, type CardEvidence } from '../support/card-evidence';
import { createMemberBrowser, GOOD_CARD, type Fields, type MemberBrowser } from '../support/member-browser';
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

const fullWidth = (text: string) =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));

test.each<[string, string, Fields]>([
  ['H17', 'card_number', { card_number: '4242-4242-4242-424x' }],
  ['H17', 'card_number', { card_number: '424242424242424' }],
  ['H17', 'card_number', { card_number: fullWidth('4242424242424242') }],
  ['H17', 'card_number', { card_number: '4242\u200b424242424242' }],
  ['H17', 'card_number', { card_number: '<script>alert(4242424242424242)</script>' }],
  ['H17', 'card_number', { card_number: ['4242424242424242', '4242424242424242'] }],
  ['H17', 'card_number', { card_number: '4'.repeat(5000) }],
  ['H18', 'expiry', { expiry: '2030-13' }],
  ['H18', 'expiry', { expiry: '30-01' }],
  ['H18', 'expiry', { expiry: '01/2020' }],
  ['H19', 'birth', { birth: '880230' }],
  ['H19', 'birth', { birth: '8801011' }],
  ['H19', 'birth', { birth: '123-45-67890' }],
  ['H20', 'pwd_2digit', { pwd_2digit: '1' }],
  ['H20', 'pwd_2digit', { pwd_2digit: '123' }],
  ['H20', 'pwd_2digit', { pwd_2digit: '1a' }],
  ['H20', 'pwd_2digit', { pwd_2digit: fullWidth('12') }],
  ['H22', 'agree_terms', { agree_terms: '' }],
  ['H22', 'agree_privacy', { agree_privacy: '' }],
  ['H23', 'pg', { pg: 'unlisted' }],
])('%s: %s is refused at its field, nothing is sent and nothing echoed: %j', async (_row, field, change) => {
  const form = await member.openForm();
  await evidence.expectRefusedUnsent(member, 400, { ...form, ...GOOD_CARD, ...change });
  const { html } = await member.post('/cards', { ...form, ...GOOD_CARD, ...change });
  expect(html).toContain(`<a href="#${field}">`);
  expect(html).toMatch(/<title>오류: /);
  for (const name of ['card_number', 'expiry', 'birth', 'pwd_2digit'])
    expect(html).not.toMatch(new RegExp(`name="${name}"[^>]*value=`));
});

test.each(['4242424242424242', '4242 4242 4242 4242'])('H17: %p is taken', async (card_number) => {
  expect((await member.register({ card_number })).status).toBe(303);
});

test('H19: a company card is taken with its business number', async () => {
  expect((await member.register({ birth: '110-81-41272', card_holder: 'company' })).status).toBe(303);
});

test('H21: a number that fails Luhn is the business of the card company', async () => {
  expect((await member.register({ card_number: '9410-0000-0000-0000' })).status).toBe(303);
});

test('H22: version and time of the consents are stored', async () => {
  const { customerUid } = await member.register();
  expect(await evidence.issuancesOf(customerUid)).toMatchObject([
    { terms_version: '2026-11-21', privacy_version: '2026-11-21', consented_at: world.clock.now() },
  ]);
});

test('all problems are listed at once, in the order of the form', async () => {
  const { html } = await member.post('/cards', await member.openForm());
  const listed = [...html.matchAll(/<a href="#(\w+)">/g)].map(([, field]) => field);
  expect(listed).toEqual(['card_number', 'expiry', 'birth', 'pwd_2digit', 'agree_terms', 'agree_privacy']);
});
