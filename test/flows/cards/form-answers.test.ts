// A shop sends its member to the card form and gets the browser back afterwards (`return_url`), with the key that was
// registered. Nobody else can make the form lead elsewhere. And a form that comes without its member, because the session
// ended or cookies are off: nothing is done, no new member is made of its sender, and the page leads to a new form. And what
// a member sees after a post that did not end in a card.

import { createMemberBrowser, type Answer, type Fields, type MemberBrowser } from '../../support/browsers';
import { cardTraces, expectRefusedUnsent, keyOf } from '../../support/card-form';
import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { expectNoEffect } from '../../support/rows';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';
const CHECKOUT = '/checkout?order=7';

const world = useWorld({ environment: { RETURN_URLS: `${SHOP},http://localhost:8080` } });
const worldWithoutShop = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

const formPath = (returnUrl: string, path = '/cards/new') =>
  `${path}?return_url=${encodeURIComponent(returnUrl)}`;
const unescaped = (text: string) => text.replaceAll('&amp;', '&');

/** The hidden fields of the form on a page. Without an address it has no field for one. */
function hiddenOf({ html }: Answer): Record<string, string> {
  const fields = [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)]));
}
const openForm = async (returnUrl: string, path?: string) =>
  hiddenOf(await member.get(formPath(returnUrl, path)));

/** The answer to a form that was opened with this address. */
async function submit(returnUrl: string, changes: Fields = {}) {
  const form = await openForm(returnUrl);
  return { ...(await member.post('/cards', { ...form, ...CARD_FORM, ...changes })), form };
}

test.each([
  [CHECKOUT, '/checkout?order=7&customer_uid=CARD'],
  [`${SHOP}/checkout#cards`, `${SHOP}/checkout?customer_uid=CARD#cards`],
])('after a registered card the browser is sent to %s, with the key', async (returnUrl, expected) => {
  world.log.clear();
  const { status, location, form } = await submit(returnUrl);
  expect([status, location]).toEqual([303, expected.replace('CARD', String(form['customer_uid']))]);
  expect(await keyOf(world, String(form['customer_uid']))).toMatchObject({ status: 'active' });
  await world.log.requests({}, 2);
  expect(world.log.text()).not.toContain('checkout');
});

test('a posted form may lead the browser to the listed origins, and to no other', async () => {
  const answer = await member.get('/cards/new');
  expect(Object.keys(hiddenOf(answer))).toEqual(['customer_uid', 'form_token']);
  const policy = answer.headers.get('content-security-policy');
  expect(policy).toContain(`form-action 'self' ${SHOP} http://localhost:8080;`);
});

test('a foreign address is refused: 400 without a form, without a cookie, and without a way on', async () => {
  const { customerUid } = await member.register();
  for (const path of ['/cards/new', `/cards/${customerUid}/replace`]) {
    const stranger = createMemberBrowser(world);
    const answer = await expectNoEffect(world, () => stranger.get(formPath('//evil.example', path)));
    expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([400, null, []]);
    expect(answer.html).not.toMatch(/<form|evil/i);
  }
  expect((await member.get(`${formPath('/a')}&return_url=/b`)).status).toBe(400);
});

test('a form whose hidden address was changed, doubled or taken out is forged, and nothing is sent', async () => {
  const form = { ...(await openForm(CHECKOUT)), ...CARD_FORM };
  for (const return_url of [`${SHOP}/other`, '', [], [CHECKOUT, 'https://evil.example']])
    await expectRefusedUnsent(world, member, 403, { ...form, return_url });
});

test('a signed address whose origin was taken off the list meanwhile is refused, before the card is sent', async () => {
  const form = await openForm(`${SHOP}/pay`);
  // The two worlds share their secret, so that member and form are good there.
  const there = createMemberBrowser(worldWithoutShop, new Map(member.cookies));
  await expectRefusedUnsent(worldWithoutShop, there, 400, { ...form, ...CARD_FORM });
});

test('the address stays through the question about the same card, in the form, a way back and its replacement', async () => {
  const { customerUid } = await member.register();
  const asked = await submit(CHECKOUT);
  expect([asked.status, hiddenOf(asked)['return_url']]).toEqual([400, CHECKOUT]);
  expect(unescaped(asked.html)).toContain(`<a href="${CHECKOUT}">하던 곳으로 돌아가기</a>`);
  const again = { ...hiddenOf(asked), ...CARD_FORM, register_again: 'on' };
  expect((await member.post('/cards', again)).location).toContain(CHECKOUT);

  const path = `/cards/${customerUid}/replace`;
  expect(unescaped(asked.html)).toContain(`href="${formPath(CHECKOUT, path)}"`);
  const form = { ...(await openForm(`${SHOP}/pay?customer_uid=old`, path)), ...CARD_FORM };
  expect((await member.post(path, form)).location).toBe(`${SHOP}/pay?customer_uid=${customerUid}`);
});

test('a form without its member leads to a new form of its kind, and on to where the first one led, unless that is not of the shop', async () => {
  async function expectLeadsTo(next: string, path: string, fields: Record<string, string>): Promise<void> {
    member.cookies.clear();
    const answer = await expectNoEffect(world, () => member.post(path, fields));
    expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([403, null, []]);
    expect(answer.html).not.toContain('evil');
    expect(/<a class="primary" href="([^"]*)"/.exec(answer.html)?.[1]).toBe(next);
  }
  const { customerUid } = await member.register();
  const removal = await member.openRemoval();
  const path = `/cards/${customerUid}/replace`;
  const replacement = { ...(await member.openForm(path)), ...CARD_FORM };
  const form = { ...(await member.openForm()), ...CARD_FORM };
  await expectLeadsTo(formPath(`${SHOP}/pay`), '/cards', { ...form, return_url: `${SHOP}/pay` });
  // Nobody has verified that the address was signed.
  await expectLeadsTo('/cards/new', '/cards', { ...form, return_url: '//evil.example' });
  await expectLeadsTo(path, path, replacement);
  await expectLeadsTo('/cards', `/cards/${customerUid}/remove`, removal);
});

const tickedIn = ({ html }: Answer) =>
  [...html.matchAll(/<input id="(\w+)"[^>]*type="checkbox"[^>]* checked>/g)].map(([, box]) => box);
const reloadAddress = ({ html }: Answer) =>
  /answered\.js" data-address="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
const BOTH = ['agree_terms', 'agree_privacy'];
const outcomePath = (customerUid: string) => `/cards/${customerUid}/outcome`;
const loseAnswers = () => world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });

test.each([
  ['a declined card', 400, { card_number: DECLINED_CARD }],
  ['a service that is away', 503, {}],
])('after %s what was ticked is ticked, and nothing else of it comes back', async (_, status, changes) => {
  if (status === 503) await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
  const answer = await submit('/checkout', changes);
  expect(answer.status).toBe(status);
  expect(await keyOf(world, String(answer.form['customer_uid']))).toMatchObject({ status: 'failed' });
  expect(tickedIn(answer)).toEqual(BOTH);
  for (const trace of cardTraces(CARD_FORM)) expect(answer.html).not.toContain(trace);
  // A reload asks for a new form.
  expect(reloadAddress(answer)).toBe('/cards/new?return_url=%2Fcheckout');
  // The form that came with the answer leads where the first one led.
  const again = hiddenOf(answer);
  const { location } = await member.post('/cards', { ...again, ...CARD_FORM });
  expect(location).toBe(`/checkout?customer_uid=${again['customer_uid']}`);
});

test('an outcome that is open is asked for by the page itself, not for ever, and leads on to the shop with the key once it is there', async () => {
  const return_url = `${SHOP}/pay`;
  const query = `?return_url=${encodeURIComponent(return_url)}`;
  const posted = await submit(return_url, { card_number: CARD_WITH_LOST_ANSWER });
  const customerUid = String(posted.form['customer_uid']);
  const path = `${outcomePath(customerUid)}${query}`;
  expect([posted.status, reloadAddress(posted)]).toEqual([202, path]);
  expect(posted.headers.get('refresh')).toMatch(/^3; url=/);
  expect(posted.html).toContain(`<a href="${return_url}">`);
  const { headers } = await expectNoEffect(world, () => member.get(`${path}&attempt=7`));
  expect(headers.get('refresh')).toBeNull();

  await world.advance(6);
  expect((await member.get(path)).location).toBe(`${return_url}?customer_uid=${customerUid}`);
  const elsewhere = `${outcomePath(customerUid)}?return_url=https://evil.example/`;
  expect((await member.get(elsewhere)).status).toBe(400);
});

test('an open outcome that ends in no card leads to the form, with the boxes ticked whose texts have not changed since', async () => {
  await loseAnswers();
  const { customerUid } = await member.register();
  for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
  const page = await expectNoEffect(world, () => member.get(outcomePath(customerUid)));
  expect([page.status, page.headers.get('refresh'), tickedIn(page)]).toEqual([400, null, BOTH]);
  const changeTerms = `update billing_key_issuances set terms_version = '1' where customer_uid = $1`;
  await world.rows.query(changeTerms, [customerUid]);
  expect(tickedIn(await member.get(outcomePath(customerUid)))).toEqual(['agree_privacy']);
});

test('an outcome is shown to its own member alone', async () => {
  const { customerUid } = await createMemberBrowser(world).register();
  expect((await member.get(outcomePath(customerUid))).status).toBe(403);
  expect((await member.get(outcomePath('card_none'))).status).toBe(404);
});

test('a removal beside an open outcome is refused on its card, and nothing is deleted', async () => {
  const { customerUid } = await member.register();
  const form = await member.openRemoval(customerUid);
  await loseAnswers();
  await member.replace(customerUid);
  const answer = await expectNoEffect(world, () => member.remove(form));
  expect(answer.status).toBe(409);
  expect(answer.html).toMatch(/data-state="replacing"[^]*아직 삭제하지 않았어요/);
});
