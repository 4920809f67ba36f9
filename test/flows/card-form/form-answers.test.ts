// The answers to the card form. A shop gets the browser back (`return_url`) with the registered key, and no other address can be
// injected. A form without its member (session ended, cookies off) has no effect, creates no member, and links to a new form. A
// failed post shows what happened.

import { FORM_FIELDS } from '../../../src/merchant/options/card-form/card-form';
import { createMemberBrowser, type Answer, type Fields, type MemberBrowser } from '../../support/browsers';
import { expectRefusedUnsent } from '../../support/card-form/card-form';
import { CARD_FORM, CARD_WITH_LOST_ANSWER } from '../../support/cards';
import { keyOf } from '../../support/keys';
import { escapedIn, fillWithMarkup, MARKUP } from '../../support/markup';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';

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

/** The hidden fields of the form on a page; `return_url` only if there is an address. */
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

test('the page has an input for every field of the form, and a place for its problem', async () => {
  const { html } = await member.get('/cards/new');
  // `pg` is only refused.
  for (const field of FORM_FIELDS.filter((each) => each !== 'pg'))
    expect([field, html.includes(`name="${field}"`), html.includes(`id="${field}-error"`)]).toEqual([
      field,
      true,
      true,
    ]);
});

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

test('an address that is not allowed is a 400 without a form, a cookie and a link', async () => {
  const { customerUid } = await member.register();
  for (const path of ['/cards/new', `/cards/${customerUid}/replace`]) {
    const stranger = createMemberBrowser(world);
    const answer = await expectNoEffect(world, () => stranger.get(formPath('//evil.example', path)));
    expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([400, null, []]);
    expect(answer.html).not.toMatch(/<form|evil/i);
  }
  expect((await member.get(`${formPath('/a')}&return_url=/b`)).status).toBe(400);
});

test('a form whose hidden address was changed, repeated or removed is forged, and nothing is sent', async () => {
  const form = { ...(await openForm(CHECKOUT)), ...CARD_FORM };
  for (const return_url of [`${SHOP}/other`, '', [], [CHECKOUT, 'https://evil.example']])
    await expectRefusedUnsent(world, member, 403, { ...form, return_url });
});

test('the address is kept by the question about the same card, the form, the link back and the replacement', async () => {
  const { customerUid } = await member.register();
  const asked = await submit(CHECKOUT);
  expect([asked.status, hiddenOf(asked)['return_url']]).toEqual([400, CHECKOUT]);
  expect(unescaped(asked.html)).toContain(`<a href="${CHECKOUT}">`);
  const again = { ...hiddenOf(asked), ...CARD_FORM, register_again: 'on' };
  expect((await member.post('/cards', again)).location).toContain(CHECKOUT);

  const path = `/cards/${customerUid}/replace`;
  expect(unescaped(asked.html)).toContain(`href="${formPath(CHECKOUT, path)}"`);
  const form = { ...(await openForm(`${SHOP}/pay?customer_uid=old`, path)), ...CARD_FORM };
  expect((await member.post(path, form)).location).toBe(`${SHOP}/pay?customer_uid=${customerUid}`);
});

test('a form without its member leads to a new form with the same address, if that is allowed', async () => {
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
  // The address was not verified.
  await expectLeadsTo('/cards/new', '/cards', { ...form, return_url: '//evil.example' });
  await expectLeadsTo(path, path, replacement);
  await expectLeadsTo('/cards', `/cards/${customerUid}/remove`, removal);
});

const reloadAddress = ({ html }: Answer) =>
  /answered\.js" data-address="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
const outcomePath = (customerUid: string) => `/cards/${customerUid}/outcome`;

test('the page of an open outcome refreshes for a limited time, and redirects to the shop with the key', async () => {
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

test('an outcome is shown only to its member', async () => {
  const { customerUid } = await createMemberBrowser(world).register();
  expect((await member.get(outcomePath(customerUid))).status).toBe(403);
  expect((await member.get(outcomePath('card_none'))).status).toBe(404);
});

test('every page of a member escapes what the database holds and what was typed', async () => {
  const { customerUid } = await member.register();
  // The list also shows a card that is being checked, a replaced one and a removed one.
  await member.register({ card_number: '9410-1000-0000-0001' });
  const removed = await member.register({ card_number: '9410-1000-0000-0002' });
  expect((await member.remove(await member.openRemoval(removed.customerUid))).status).toBe(303);
  await fillWithMarkup(world.rows);
  const typed = encodeURIComponent(MARKUP);
  const shows = async (path: string, status = 200) => escapedIn(path, await member.get(path), status);
  expect(await shows('/cards')).toBeGreaterThan(8);
  await shows(`/cards/new?return_url=${encodeURIComponent(`${SHOP}/?${typed}&${MARKUP}`)}`);
  await shows(`/cards/${customerUid}/replace?lang=${typed}`);
  await shows(`/cards?return_url=${encodeURIComponent(`${SHOP}/${MARKUP}`)}`);
  for (const path of [`/cards/${typed}/replace`, `/cards/${typed}/outcome`, `/${typed}`])
    await shows(path, 404);
  // The question about the same card shows the registered one.
  const form = await openForm(CHECKOUT);
  await world.rows.query('update billing_keys set card_number = null');
  await world.rows.query(`update billing_key_issuances set card_last_four = '0001'`);
  const same = { ...form, ...CARD_FORM, card_number: '9410-1000-0000-0001' };
  expect(escapedIn('/cards', await member.post('/cards', same), 400)).toBeGreaterThan(0);
  const fields = Object.fromEntries(FORM_FIELDS.map((name) => [name, MARKUP]));
  escapedIn('/cards', await member.post('/cards', { ...form, ...fields }), 400);
});
