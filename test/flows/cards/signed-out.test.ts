// A form that comes without its member: the session ended while the form was open, or cookies are off. Nothing is done, no
// new member is made of its sender, and the page leads to a new form.

import { CARD_FORM } from '../../support/cards';
import { createMemberBrowser, type Answer, type MemberBrowser } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';

const world = useWorld({ environment: { RETURN_URLS: SHOP } });
let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});

/** Where the page leads on to. */
const primaryLink = ({ html }: Answer) => /<a class="primary" href="([^"]*)"/.exec(html)?.[1];

async function postAsStranger(path: string, fields: Record<string, string>): Promise<Answer> {
  member.cookies.clear();
  const answer = await expectNoEffect(world, () => member.post(path, fields));
  expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([403, null, []]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.html).toContain('아무것도 보내거나 바꾸지 않았으니');
  await world.log.requests({ outcome: 'signed_out' });
  return answer;
}

test('a new card: the page leads to a new form, and on to where the first one led', async () => {
  const form = await member.openForm();
  expect(primaryLink(await postAsStranger('/cards', { ...form, ...CARD_FORM }))).toBe('/cards/new');
  const answer = await postAsStranger('/cards', { ...form, ...CARD_FORM, return_url: `${SHOP}/pay` });
  expect(primaryLink(answer)).toBe(`/cards/new?return_url=${encodeURIComponent(`${SHOP}/pay`)}`);
});

test.each(['//evil.example', 'https://evil.example/', 'javascript:alert(1)'])(
  'the address %s is not taken along: nobody has verified that it was signed',
  async (return_url) => {
    const form = await member.openForm();
    const answer = await postAsStranger('/cards', { ...form, ...CARD_FORM, return_url });
    expect(primaryLink(answer)).toBe('/cards/new');
    expect(answer.html).not.toContain(return_url);
  },
);

test('a replacement leads to its own form, and a removal to the list of cards', async () => {
  const { customerUid } = await member.register();
  const removal = await member.openRemoval();
  const path = `/cards/${customerUid}/replace`;
  const replacement = { ...(await member.openForm(path)), ...CARD_FORM };
  expect(primaryLink(await postAsStranger(path, replacement))).toBe(path);
  expect(primaryLink(await postAsStranger(`/cards/${customerUid}/remove`, removal))).toBe('/cards');
  expect(primaryLink(await postAsStranger('/cards/%3Cb%3E/replace', replacement))).toBe('/cards');
});

test('in English', async () => {
  const answer = await member.post('/cards?lang=en', CARD_FORM);
  expect(answer.html).toContain('<title>Error: We cannot tell who you are</title>');
  expect(primaryLink(answer)).toBe('/cards/new?lang=en');
});

test('every page of a member makes a member of a stranger, once', async () => {
  for (const [path, status] of [
    ['/cards', 200],
    ['/cards/new', 200],
    ['/cards/none/replace', 404],
  ] as const) {
    const stranger = createMemberBrowser(world);
    const first = await stranger.get(path);
    expect([path, first.status, first.headers.getSetCookie().length]).toEqual([path, status, 1]);
    expect((await stranger.get(path)).headers.getSetCookie()).toEqual([]);
  }
});
