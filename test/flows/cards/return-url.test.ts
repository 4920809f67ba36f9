// A shop sends its member to the card form and gets the browser back afterwards (`return_url`), with the key that was
// registered. Nobody else can make the form lead elsewhere.

import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { ISSUE_KEY } from '../../support/endpoints';
import {
  createMemberBrowser,
  type Answer,
  type Fields,
  type MemberBrowser,
} from '../../support/member-browser';
import { expectRefusedUnsent, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';

const SHOP = 'https://shop.example.com';
const CHECKOUT = '/checkout?order=7';

const world = useWorld({ environment: { RETURN_URLS: `${SHOP},http://localhost:8080` } });
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

const formPath = (returnUrl: string, path = '/cards/new') =>
  `${path}?return_url=${encodeURIComponent(returnUrl)}`;
const unescaped = (text: string) => text.replaceAll('&amp;', '&');

/** The hidden fields of the form on a page. Without an address it has no field for one. */
function hiddenOf({ html }: Pick<Answer, 'html'>): Record<string, string> {
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
/** The form that came with an answer, filled in again. */
const resubmit = (answer: Answer, changes: Fields = {}) =>
  member.post('/cards', { ...hiddenOf(answer), ...CARD_FORM, ...changes });

test.each([
  [CHECKOUT, '/checkout?order=7&customer_uid='],
  [`${SHOP}/checkout#cards`, `${SHOP}/checkout?customer_uid=`],
  ['http://localhost:8080', 'http://localhost:8080/?customer_uid='],
])('after a registered card the browser is sent to %s, with the key', async (returnUrl, expected) => {
  const { status, location, form } = await submit(returnUrl);
  expect(status).toBe(303);
  expect(location).toBe(expected + form['customer_uid'] + (returnUrl.endsWith('#cards') ? '#cards' : ''));
  expect(await keyOf(world, String(form['customer_uid']))).toMatchObject({ status: 'active' });
});

test('a replaced card leads back as well, with the key that it stays under', async () => {
  const { customerUid } = await member.register();
  const path = `/cards/${customerUid}/replace`;
  const form = await openForm(`${SHOP}/pay?customer_uid=old`, path);
  const answer = await member.post(path, { ...form, ...CARD_FORM, card_number: '5555-5555-5555-4444' });
  expect([answer.status, answer.location]).toEqual([303, `${SHOP}/pay?customer_uid=${customerUid}`]);
});

test('without an address it is the list of cards, as before', async () => {
  const { status, location } = await member.register();
  expect([status, location]).toEqual([303, '/cards']);
  expect(Object.keys(hiddenOf(await member.get('/cards/new')))).toEqual(['customer_uid', 'form_token']);
});

describe('what is refused', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://evil.example/',
    'HTTPS://EVIL.EXAMPLE/',
    'javascript:alert(1)',
    '%2f%2fevil.example',
    `${SHOP}@evil.example/`,
    `https://user@shop.example.com/`,
    `${SHOP}./`,
    `${SHOP}:8443/`,
    'https://shop。example。com.evil.example/',
    'http://shop.example.com/',
    '',
  ])('%j: 400 without a form, without a cookie, and without a way on', async (returnUrl) => {
    const { customerUid } = await member.register();
    for (const path of ['/cards/new', `/cards/${customerUid}/replace`]) {
      const stranger = createMemberBrowser(world);
      const answer = await expectNoEffect(world, () => stranger.get(formPath(returnUrl, path)));
      expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([400, null, []]);
      expect(answer.html).not.toMatch(/<form|evil/i);
    }
    await world.log.requests({ outcome: 'return_url_refused' });
  });

  test('an address that is given twice', async () => {
    expect((await member.get(`${formPath('/a')}&return_url=/b`)).status).toBe(400);
  });

  test.each<[string, Fields]>([
    ['another address of the shop', { return_url: `${SHOP}/other` }],
    ['another path', { return_url: '/other' }],
    ['a foreign address', { return_url: 'https://evil.example' }],
    ['two addresses', { return_url: [CHECKOUT, 'https://evil.example'] }],
    ['an empty address', { return_url: '' }],
    ['no address', { return_url: [] }],
  ])('a form whose hidden address was changed to %s is forged, and nothing is sent', async (_, change) => {
    const form = await openForm(CHECKOUT);
    await expectRefusedUnsent(world, member, 403, { ...form, ...CARD_FORM, ...change });
  });

  test('an address that was put into a form without one is forged', async () => {
    const form = await member.openForm();
    await expectRefusedUnsent(world, member, 403, { ...form, ...CARD_FORM, return_url: CHECKOUT });
  });

  test('a signed address whose origin was taken off the list meanwhile is refused, before the card is sent', async () => {
    const other = await startWorld();
    const form = await openForm(`${SHOP}/pay`);
    const there = createMemberBrowser(other);
    // The two share their secret, so that member and form are good there.
    for (const [name, value] of member.cookies) there.cookies.set(name, value);
    try {
      await expectRefusedUnsent(other, there, 400, { ...form, ...CARD_FORM });
    } finally {
      await other.close();
    }
  });
});

describe('the address stays', () => {
  test('through a mistake, a decline and a service that is away, to the card that is taken in the end', async () => {
    const wrong = await submit(CHECKOUT, { birth: 'x' });
    expect([wrong.status, hiddenOf(wrong)['return_url']]).toEqual([400, CHECKOUT]);
    const declined = await resubmit(wrong, { card_number: DECLINED_CARD });
    expect([declined.status, hiddenOf(declined)['return_url']]).toEqual([400, CHECKOUT]);
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
    const away = await resubmit(declined);
    expect([away.status, hiddenOf(away)['return_url']]).toEqual([503, CHECKOUT]);
    const taken = await resubmit(away);
    expect([taken.status, taken.location?.replace(/card_\w+/, 'CARD')]).toEqual([
      303,
      `${CHECKOUT}&customer_uid=CARD`,
    ]);
  });

  test('through a form that has expired', async () => {
    const form = await openForm(CHECKOUT);
    await world.advance(15 * 60 + 1);
    const expired = await member.post('/cards', { ...form, ...CARD_FORM });
    expect([expired.status, hiddenOf(expired)['return_url']]).toEqual([410, CHECKOUT]);
    expect((await resubmit(expired)).location).toContain(CHECKOUT);
  });

  test('through the question about the same card, in the form, its replacement and a way back', async () => {
    const { customerUid } = await member.register();
    const asked = await submit(CHECKOUT);
    expect([asked.status, hiddenOf(asked)['return_url']]).toEqual([400, CHECKOUT]);
    expect(unescaped(asked.html)).toContain(`href="${formPath(CHECKOUT, `/cards/${customerUid}/replace`)}"`);
    expect(unescaped(asked.html)).toContain(`<a href="${CHECKOUT}">하던 곳으로 돌아가기</a>`);
    expect((await resubmit(asked, { register_again: 'on' })).location).toContain(CHECKOUT);
  });

  test('on the page of a card that is still being checked, without the key', async () => {
    const pending = await submit(CHECKOUT, { card_number: CARD_WITH_LOST_ANSWER });
    expect(pending.status).toBe(202);
    expect(unescaped(pending.html)).toContain(`<a href="${CHECKOUT}">하던 곳으로 돌아가기</a>`);
  });

  test('through the switch of the language', async () => {
    const korean = await member.get(formPath(CHECKOUT));
    const english = unescaped(/href="([^"]+)" lang="en"/.exec(korean.html)?.[1] ?? '');
    const page = await member.get(english);
    expect(page.html).toContain('<h1>Add a card</h1>');
    expect(hiddenOf(page)['return_url']).toBe(CHECKOUT);
    const registered = await member.post('/cards?lang=en', {
      ...CARD_FORM,
      ...(await openForm(CHECKOUT)),
    });
    // It is the shop's address: nothing of ours is added to it but the key.
    expect(registered.location).not.toContain('lang=');
  });

  test('as text: it cannot break out of the page', async () => {
    const { html, status } = await member.get(formPath('/checkout?a="><script>alert(1)</script>'));
    expect(status).toBe(200);
    expect(html).not.toContain('<script>alert');
  });
});

test('a posted form may lead the browser to the listed origins, and to no other', async () => {
  const policy = (await member.get('/cards/new')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`form-action 'self' ${SHOP} http://localhost:8080;`);
});

test('no address is logged', () => expect(world.log.text()).not.toContain('checkout'));
