// A shop sends its member to the card form by a one-time address. One browser is signed in by it, nobody learns the token from a
// log, a row or a Referer header, and what has ended is answered with a page that says what to do.

import { createMemberBrowser, type Answer } from '../../support/browsers';
import { codeOf } from '../../support/calls';
import { CARD_FORM } from '../../support/cards';
import { charge, newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { RETURN_URLS: 'https://shop.example' } });

const HOUR = 3600;
const RETURN_URL = 'https://shop.example/checkout?order=1';

async function linkFor(memberId: string, body: object = {}): Promise<{ path: string; token: string }> {
  const answer = await world.api('POST', `/api/members/${memberId}/card-link`, body);
  expect(answer.status).toBe(201);
  const { pathname, search, searchParams } = new URL(answer.body.url as string);
  return { path: `${pathname}${search}`, token: searchParams.get('token') ?? '' };
}

const browser = () => createMemberBrowser(world);
type Browser = ReturnType<typeof browser>;

/** Opens the address and presses its button. */
async function follow(visitor: Browser, { path, token }: { path: string; token: string }): Promise<Answer> {
  const page = await visitor.get(path);
  expect(page.status).toBe(200);
  expect(page.html).toContain(`<form method="post" action="/cards/link">`);
  return visitor.post('/cards/link', { token });
}

async function signedInBy(memberId: string, body: object = {}): Promise<Browser> {
  const visitor = browser();
  expect((await follow(visitor, await linkFor(memberId, body))).status).toBe(303);
  return visitor;
}

const linksOf = (memberId: string) =>
  world.rows.query('select page from card_links where member_id = $1', [memberId]);

test('the member of the shop registers a card by a link, returns to the shop, and is charged', async () => {
  const visitor = browser();
  const { status, location } = await follow(visitor, await linkFor('kim', { return_url: RETURN_URL }));
  expect([status, location]).toEqual([303, `/cards/new?return_url=${encodeURIComponent(RETURN_URL)}`]);
  const hidden = await visitor.openForm(location ?? '');
  const answer = await visitor.post('/cards', { ...hidden, ...CARD_FORM, return_url: RETURN_URL });
  expect([answer.status, answer.location]).toEqual([
    303,
    `${RETURN_URL}&customer_uid=${hidden.customer_uid}`,
  ]);

  const { body: cards } = await world.api('GET', '/api/members/kim/cards');
  expect(cards).toMatchObject([{ customer_uid: hidden.customer_uid, chargeable: true }]);
  const order = await registerOrder(world, newUid(), { member_id: 'kim' });
  expect(await charge(world, order, hidden.customer_uid)).toMatchObject({ status: 200 });
});

test('a link to the list shows the member’s cards and leads back to the shop, also after a removal', async () => {
  const registered = await signedInBy('lee');
  const { customerUid } = await registered.register();
  const visitor = browser();
  const link = await linkFor('lee', { page: 'cards', return_url: RETURN_URL });
  const { location } = await follow(visitor, link);
  expect(location).toBe(`/cards?return_url=${encodeURIComponent(RETURN_URL)}`);
  const { html } = await visitor.get(location ?? '');
  expect(html).toContain(customerUid);
  expect(html).toContain(`<a href="${RETURN_URL}">`);
  const form = new RegExp(`/cards/${customerUid}/remove[^]*?</form>`).exec(html)?.[0] ?? '';
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  const fields = { customer_uid: customerUid, form_token: valueOf('form_token') };
  // The address is part of what the form was signed for.
  expect((await visitor.post(`/cards/${customerUid}/remove`, fields)).status).toBe(403);
  const removed = await visitor.post(`/cards/${customerUid}/remove`, { ...fields, return_url: RETURN_URL });
  expect([removed.status, removed.location]).toEqual([303, location]);
});

test('a link preview that opens the address does not use it up', async () => {
  const link = await linkFor('park');
  for (let preview = 0; preview < 3; preview += 1) {
    const { status, headers } = await browser().get(link.path);
    expect([status, headers.getSetCookie()]).toEqual([200, []]);
  }
  expect((await browser().send('HEAD', link.path)).status).toBe(200);
  expect((await follow(browser(), link)).status).toBe(303);
});

test('of many browsers that press the button at once, one is signed in; the others get the page that leads back to the shop', async () => {
  const { token } = await linkFor('choi');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => browser().post('/cards/link', { token })),
  );
  const signedIn = answers.filter(({ status }) => status === 303);
  const refused = answers.filter(({ status }) => status === 410);
  expect([signedIn.length, refused.length]).toEqual([1, 7]);
  for (const { headers } of refused) expect(headers.getSetCookie()).toEqual([]);
});

test.each([
  ['en', 'Go back to the shop'],
  ['ko', '상점으로 돌아가서'],
])('a used, an expired and an invented address are one page, 410, in %s', async (lang, words) => {
  const used = await linkFor('used');
  await follow(browser(), used);
  const expired = await linkFor('expired');
  // Exactly its lifetime.
  world.clock.advance(600);
  const invented = `/cards/link?token=${'A'.repeat(43)}`;
  const pages: string[] = [];
  for (const path of [used.path, expired.path, invented, '/cards/link?token=x', '/cards/link']) {
    const { status, html } = await browser().get(path, { 'accept-language': lang });
    expect([status, html.includes(words)]).toEqual([410, true]);
    // A link to the cards would make a member of its own of this browser.
    expect(html).not.toMatch(/<main[^]*href="\/cards/);
    pages.push(html);
  }
  expect(new Set(pages).size).toBe(1);
  expect((await browser().post('/cards/link', { token: expired.token })).status).toBe(410);
});

test('a second press of the button shows that the browser is still signed in', async () => {
  const link = await linkFor('twice');
  const visitor = browser();
  await follow(visitor, link);
  const again = await visitor.post('/cards/link', { token: link.token }, { 'accept-language': 'en' });
  expect([again.status, again.html.includes('You are still signed in')]).toEqual([410, true]);
});

test('the sign-in ends after an hour: no page then makes another member of the browser, and a new link works', async () => {
  const visitor = await signedInBy('jung');
  const hidden = await visitor.openForm();
  await visitor.register();
  world.clock.advance(HOUR - 60);
  expect((await visitor.cards()).length).toBe(1);
  world.clock.advance(60);
  for (const path of ['/cards', '/cards/new?lang=en']) {
    const { status, location, headers } = await visitor.get(path);
    expect([status, location?.split('?')[0], headers.getSetCookie()]).toEqual([303, '/cards/link', []]);
    expect((await visitor.get(location ?? '')).status).toBe(410);
  }
  expect((await visitor.post('/cards', { ...hidden, ...CARD_FORM })).status).toBe(403);
  await follow(visitor, await linkFor('jung'));
  expect((await visitor.cards()).length).toBe(1);
});

test('a link signs in another member in the same browser, and the one before is signed out', async () => {
  await (await signedInBy('second')).register({ card_number: '9410-1000-0000-2222' });
  const visitor = await signedInBy('first');
  await visitor.register();
  const own = await visitor.cards();
  await follow(visitor, await linkFor('second'));
  const [shown, ...others] = await visitor.cards();
  expect([shown?.number.endsWith('2222'), others]).toEqual([true, []]);
  expect(own).not.toContainEqual(shown);
});

test('the cookie of a link is signed as a whole: with no other member and no other end it signs in', async () => {
  const victim = await signedInBy('victim');
  await victim.register();
  world.clock.advance(60);
  const attacker = await signedInBy('attacker');
  await attacker.register();
  const partsOf = ({ cookies }: Browser) => (cookies.get('member') ?? '').split('.');
  const [[theirEnd, theirId, theirs], [end, id, signature]] = [partsOf(victim), partsOf(attacker)];
  const longer = String(Number(end) + HOUR);
  const cardsWith = async (...parts: (string | undefined)[]) => {
    const forger = browser();
    forger.cookies.set('member', parts.join('.'));
    return (await forger.cards()).length;
  };
  // The cookies that were issued do sign in.
  expect([await cardsWith(theirEnd, theirId, theirs), await cardsWith(end, id, signature)]).toEqual([1, 1]);
  for (const forged of [
    [end, theirId, signature],
    [theirEnd, theirId, signature],
    [longer, theirId, signature],
    [longer, id, signature],
    [theirEnd, id, signature],
    [Buffer.from(theirId ?? '', 'base64url').toString(), signature],
    [end, id, theirs],
  ])
    expect([forged, await cardsWith(...forged)]).toEqual([forged, 0]);
});

test('the token is in no log and no row, and its page sends no Referer with it', async () => {
  world.log.clear();
  const link = await linkFor('secret-token', { return_url: RETURN_URL });
  expect(await world.rows.dump()).not.toContain(link.token);
  const visitor = browser();
  const page = await visitor.get(link.path);
  await follow(visitor, link);
  const after = await visitor.get(link.path);
  await world.log.requests({ outcome: 'link_ended' });
  expect(world.log.text()).not.toContain(link.token);
  expect(world.log.text()).not.toContain('secret-token');
  for (const { headers } of [page, after])
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      'strict-origin',
      'no-store',
    ]);
  expect(await linksOf('secret-token')).toEqual([]);
});

test('another site cannot press the button, and a foreign host gets no page', async () => {
  const { path, token } = await linkFor('cross');
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await browser().post('/cards/link', { token }, evil)).status).toBe(403);
  expect((await browser().get(path, { host: 'evil.example' })).status).toBe(400);
  expect((await browser().send('DELETE', path)).status).toBe(405);
  expect((await follow(browser(), { path, token })).status).toBe(303);
});

test.each([
  [{ return_url: 'https://evil.example/' }, 'return_url_refused'],
  [{ return_url: '//evil.example/' }, 'return_url_refused'],
  [{ return_url: 'https://shop.example@evil.example/' }, 'return_url_refused'],
  [{ page: 'operator' }, 'invalid_request'],
  [{ returnUrl: '/' }, 'invalid_request'],
])('%j makes no link', async (body, code) => {
  expect(await codeOf(world.api('POST', '/api/members/none/card-link', body))).toEqual([400, code]);
  expect(await linksOf('none')).toEqual([]);
});

test('a member id that no order can have is refused', async () => {
  for (const id of ['a'.repeat(65), '%00'])
    expect(await codeOf(world.api('POST', `/api/members/${id}/card-link`, {}))).toEqual([
      400,
      'invalid_request',
    ]);
});

test('an unused link is deleted once it has expired', async () => {
  await linkFor('forgotten');
  await world.rows.query(`select graphile_worker.add_job('delete-card-links')`);
  await world.advance(599);
  expect((await linksOf('forgotten')).length).toBe(1);
  await world.rows.query(`select graphile_worker.add_job('delete-card-links')`);
  await world.advance(1);
  expect(await linksOf('forgotten')).toEqual([]);
});
