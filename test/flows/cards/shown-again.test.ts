// What a member sees after a post that did not end in a card: the form again, with its boxes as they were; and the page that
// waits for an outcome and leads on to it. And a removal that was not carried out.

import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { ISSUE_KEY } from '../../support/endpoints';
import {
  createMemberBrowser,
  hiddenFields,
  type Answer,
  type Fields,
  type MemberBrowser,
} from '../../support/member-browser';
import { cardTraces, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';
const FORM_LIFETIME_SECONDS = 15 * 60;

const world = useWorld({ environment: { RETURN_URLS: SHOP } });
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

const tickedIn = ({ html }: Answer) =>
  [...html.matchAll(/<input id="(\w+)"[^>]*type="checkbox"[^>]* checked>/g)].map(([, box]) => box);
const reloadAddress = ({ html }: Answer) =>
  /answered\.js" data-address="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
const BOTH = ['agree_terms', 'agree_privacy'];
const outcomePath = (customerUid: string) => `/cards/${customerUid}/outcome`;
const loseAnswers = () => world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
const endAllLooks = async () => {
  for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
};

/** A form that leads to a checkout, filled in. */
const openForm = async () => {
  const return_url = '/checkout';
  return { ...(await member.openForm(`/cards/new?return_url=${return_url}`)), ...CARD_FORM, return_url };
};
const post = async (changes: Fields = {}) => member.post('/cards', { ...(await openForm()), ...changes });

test.each<[string, number, () => Promise<Answer>]>([
  ['a declined card', 400, () => post({ card_number: DECLINED_CARD })],
  ['a service that is away', 503, postWhileRefused],
  ['a database that is away', 503, postWithoutDatabase],
  ['a form that is too old', 410, postTooLate],
])('after %s what was ticked is ticked, and nothing else of it comes back', async (_name, status, act) => {
  const answer = await act();
  expect(answer.status).toBe(status);
  expect(tickedIn(answer)).toEqual(expect.arrayContaining(BOTH));
  for (const trace of cardTraces(CARD_FORM)) expect(answer.html).not.toContain(trace);
  // A reload asks for a new form.
  expect(reloadAddress(answer)).toBe('/cards/new?return_url=%2Fcheckout');
  // The form that came with the answer leads where the first one led.
  expect(answer.html).toContain('name="return_url" value="/checkout"');
  const { customer_uid, form_token } = hiddenFields(answer.html);
  const taken = await post({ customer_uid, form_token });
  expect(taken.location).toBe(`/checkout?customer_uid=${customer_uid}`);
});
async function postWhileRefused() {
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
  const form = await openForm();
  const answer = await member.post('/cards', form);
  expect(await keyOf(world, form.customer_uid)).toMatchObject({ status: 'failed' });
  return answer;
}
async function postWithoutDatabase() {
  const form = await openForm();
  return world.withoutDatabase(() => member.post('/cards', form));
}
async function postTooLate() {
  const form = await openForm();
  world.clock.advance(FORM_LIFETIME_SECONDS + 1);
  return member.post('/cards', form);
}

describe('an outcome that is open', () => {
  test('is asked for by the page itself, not for ever, and leads on to the shop with the key once it is there', async () => {
    const return_url = `${SHOP}/pay`;
    const query = `?return_url=${encodeURIComponent(return_url)}`;
    const form = { ...(await member.openForm(`/cards/new${query}`)), ...CARD_FORM, return_url };
    const posted = await member.post('/cards', { ...form, card_number: CARD_WITH_LOST_ANSWER });
    const path = `${outcomePath(form.customer_uid)}${query}`;
    expect([posted.status, reloadAddress(posted)]).toEqual([202, path]);
    expect(posted.headers.get('refresh')).toMatch(/^3; url=/);
    expect(posted.html).toContain(`<a href="${return_url}">`);
    const { headers } = await expectNoEffect(world, () => member.get(`${path}&attempt=7`));
    expect(headers.get('refresh')).toBeNull();

    await world.advance(6);
    expect((await member.get(path)).location).toBe(`${return_url}?customer_uid=${form.customer_uid}`);
    const elsewhere = `${outcomePath(form.customer_uid)}?return_url=https://evil.example/`;
    expect((await member.get(elsewhere)).status).toBe(400);
  });

  test('that ends in no card leads to the form, with the boxes ticked whose texts have not changed since', async () => {
    await loseAnswers();
    const { customerUid } = await member.register();
    await endAllLooks();
    const page = await expectNoEffect(world, () => member.get(outcomePath(customerUid)));
    expect([page.status, page.headers.get('refresh'), tickedIn(page)]).toEqual([400, null, BOTH]);
    const changeTerms = `update billing_key_issuances set terms_version = '1' where customer_uid = $1`;
    await world.rows.query(changeTerms, [customerUid]);
    expect(tickedIn(await member.get(outcomePath(customerUid)))).toEqual(['agree_privacy']);
  });

  test('of a replacement that ends in no card leaves the old card, and leads to the form for it', async () => {
    const { customerUid } = await member.register();
    await loseAnswers();
    await member.replace(customerUid, { card_number: '5555-5555-5555-4444' });
    await endAllLooks();
    const page = await member.get(outcomePath(customerUid));
    expect(page.status).toBe(400);
    expect(page.html).toContain(`action="/cards/${customerUid}/replace"`);
    expect(await member.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  });

  test('is shown to its own member alone', async () => {
    const { customerUid } = await createMemberBrowser(world).register();
    expect((await member.get(outcomePath(customerUid))).status).toBe(403);
    expect((await member.get(outcomePath('card_none'))).status).toBe(404);
  });
});

describe('a removal', () => {
  let customerUid: string;
  let form: Awaited<ReturnType<MemberBrowser['openRemoval']>>;
  beforeEach(async () => {
    ({ customerUid } = await member.register());
    form = await member.openRemoval(customerUid);
  });

  test('that failed says so and when to try again, and leaves the card in use', async () => {
    const endpoint = 'DELETE /subscribe/customers/:customer_uid';
    await world.sandbox.fault({ endpoint, kind: 'unauthorized', times: 2 });
    const answer = await member.remove(form);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(answer.html).toMatch(/data-state="active"[^]*삭제하지 못했어요/);
  });

  test('beside an open outcome is refused on its card, and nothing is deleted', async () => {
    await loseAnswers();
    await member.replace(customerUid);
    const answer = await expectNoEffect(world, () => member.remove(form));
    expect(answer.status).toBe(409);
    expect(answer.html).toMatch(/data-state="replacing"[^]*아직 삭제하지 않았어요/);
  });

  test('from a page that is too old does nothing and asks once more', async () => {
    world.clock.advance(FORM_LIFETIME_SECONDS + 1);
    const answer = await expectNoEffect(world, () => member.remove(form));
    expect([answer.status, reloadAddress(answer)]).toEqual([410, '/cards']);
    expect(await member.cards()).toMatchObject([{ state: 'active' }]);
  });
});
