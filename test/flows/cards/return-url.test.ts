// A shop sends its member to the card form and gets the browser back afterwards (`return_url`), with the key that was
// registered. Nobody else can make the form lead elsewhere. And a form that comes without its member, because the session
// ended or cookies are off: nothing is done, no new member is made of its sender, and the page leads to a new form.

import { CARD_FORM } from '../../support/cards';
import {
  createMemberBrowser,
  type Answer,
  type Fields,
  type MemberBrowser,
} from '../../support/member-browser';
import { expectRefusedUnsent, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
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
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`form-action 'self' ${SHOP} http://localhost:8080;`);
});

describe('what is refused', () => {
  test('a foreign address: 400 without a form, without a cookie, and without a way on', async () => {
    const { customerUid } = await member.register();
    for (const path of ['/cards/new', `/cards/${customerUid}/replace`]) {
      const stranger = createMemberBrowser(world);
      const answer = await expectNoEffect(world, () => stranger.get(formPath('//evil.example', path)));
      expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([400, null, []]);
      expect(answer.html).not.toMatch(/<form|evil/i);
    }
    await world.log.requests({ outcome: 'return_url_refused' });
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
});

// test/flows/cards/shown-again.test.ts shows the same of a form that comes with an answer.
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
    await world.log.requests({ outcome: 'signed_out' });
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
