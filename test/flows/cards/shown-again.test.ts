// What a member sees after a post that did not end in a card: the form again, with its boxes as they were; the same form
// once more; and the page that waits for an outcome and leads on to it.

import { CARD_FORM, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { ISSUE_KEY } from '../../support/endpoints';
import { createMemberBrowser, type Answer, type MemberBrowser } from '../../support/member-browser';
import { cardTraces, issuancesOf, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';

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

test.each<[string, number, () => Promise<Answer>]>([
  ['a wrong field', 400, () => member.register({ birth: '1' })],
  ['a declined card', 400, () => member.register({ card_number: DECLINED_CARD })],
  [
    'a service that is away',
    503,
    async () => {
      await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
      return member.register();
    },
  ],
  [
    'a database that is away',
    503,
    async () => {
      const form = { ...(await member.openForm()), ...CARD_FORM };
      return world.withoutDatabase(() => member.post('/cards', form));
    },
  ],
  [
    'a form that is too old',
    410,
    async () => {
      const form = await member.openForm();
      world.clock.advance(15 * 60 + 1);
      return member.post('/cards', { ...form, ...CARD_FORM });
    },
  ],
])('after %s what was ticked is ticked, and nothing else of it comes back', async (_name, status, submit) => {
  const answer = await submit();
  expect(answer.status).toBe(status);
  expect(tickedIn(answer)).toEqual(expect.arrayContaining(BOTH));
  for (const trace of cardTraces(CARD_FORM)) expect(answer.html).not.toContain(trace);
  expect(reloadAddress(answer)).toBe('/cards/new');
  expect(tickedIn(await member.get('/cards/new'))).toEqual([]);
});

test('a box that was not ticked stays empty beside one that was, also for a replacement', async () => {
  const { customerUid } = await member.register();
  expect(tickedIn(await member.register({ agree_terms: '', register_again: '' }))).toEqual(['agree_privacy']);
  expect(tickedIn(await member.replace(customerUid, { agree_privacy: '' }))).toEqual(['agree_terms']);
});

test('while the database is away the form says that nothing was sent, and it is so', async () => {
  const form = { ...(await member.openForm()), ...CARD_FORM };
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const answer = await world.withoutDatabase(() => member.post('/cards', form));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.html).toContain('카드사로 아무것도 보내지 않았으니');
  });
  expect(calls).toBe(0);
  expect(await issuancesOf(world, form.customer_uid)).toEqual([]);
});

test('a declined form that is sent again, as a reload without JavaScript does, says so and does nothing', async () => {
  const form = { ...(await member.openForm()), ...CARD_FORM, card_number: DECLINED_CARD };
  expect((await member.post('/cards', form)).status).toBe(400);
  const again = await expectNoEffect(world, () => member.post('/cards', form));
  expect(again.status).toBe(409);
  expect(again.html).toContain('이번에는 카드사로 아무것도 다시 보내지 않았어요.');
  await world.log.requests({ outcome: 'form_in_use' });
});

test('a second replacement while the first is on its way is said to wait for it, and not to have been sent before', async () => {
  const { customerUid } = await member.register();
  const path = `/cards/${customerUid}/replace`;
  const second = { ...(await member.openForm(path)), ...CARD_FORM };
  await loseAnswers();
  expect((await member.replace(customerUid)).status).toBe(202);
  const refused = await expectNoEffect(world, () => member.post(path, second));
  expect([refused.status, refused.html.includes('앞서 보낸 카드를 확인하고 있어요')]).toEqual([409, true]);
  await world.log.requests({ outcome: 'key_in_use' });
});

test('a page that was asked for carries no address for a reload', async () => {
  for (const path of ['/cards/new', '/cards', '/nothing'])
    expect(reloadAddress(await member.get(path))).toBeUndefined();
});

describe('an outcome that is open', () => {
  test('is asked for by the page itself, at growing gaps and not for ever, and leads to the card that is there then', async () => {
    const posted = await member.register({ card_number: CARD_WITH_LOST_ANSWER });
    const path = outcomePath(posted.customerUid);
    expect([posted.status, posted.headers.get('refresh')]).toEqual([202, `3; url=${path}?attempt=1`]);
    expect(reloadAddress(posted)).toBe(path);
    const gaps = [];
    let next: string | undefined = path;
    for (let asked = 0; next !== undefined && asked < 20; asked += 1) {
      const page: Answer = await expectNoEffect(world, () => member.get(String(next)));
      expect([page.status, page.html.includes('카드 등록을 확인하고 있어요')]).toEqual([200, true]);
      const [, seconds, url] = /^(\d+); url=(.*)$/.exec(page.headers.get('refresh') ?? '') ?? [];
      if (seconds !== undefined) gaps.push(Number(seconds));
      next = url;
    }
    expect(gaps).toEqual([3, 5, 8, 15, 30, 60, 120]);

    await world.advance(6);
    const found = await member.get(`${path}?attempt=2&lang=en`);
    expect([found.status, found.location]).toEqual([303, '/cards?lang=en']);
    const { html } = await member.get('/cards?lang=en');
    expect(html).toMatch(new RegExp(`Your card is registered[^]*href="#${posted.customerUid}"`));
  });

  test('leads on to the shop with the key once it is there, and not before', async () => {
    const returnUrl = `${SHOP}/pay`;
    const query = `?return_url=${encodeURIComponent(returnUrl)}`;
    const html = (await member.get(`/cards/new${query}`)).html;
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
    const customerUid = field('customer_uid');
    const posted = await member.post('/cards', {
      ...CARD_FORM,
      card_number: CARD_WITH_LOST_ANSWER,
      customer_uid: customerUid,
      form_token: field('form_token'),
      return_url: returnUrl,
    });
    const path = `${outcomePath(customerUid)}${query}`;
    expect([posted.status, reloadAddress(posted)]).toEqual([202, path]);
    expect(posted.html).toContain(`<a href="${returnUrl}">`);
    await world.advance(6);
    expect((await member.get(path)).location).toBe(`${returnUrl}?customer_uid=${customerUid}`);
    const elsewhere = `${outcomePath(customerUid)}?return_url=https://evil.example/`;
    expect((await member.get(elsewhere)).status).toBe(400);
  });

  test('that ends in no card leads to the form, which says so as after every decline, with its boxes ticked', async () => {
    await loseAnswers();
    const { customerUid, status } = await member.register();
    expect(status).toBe(202);
    for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'failed' });
    const page = await expectNoEffect(world, () => member.get(outcomePath(customerUid)));
    expect([page.status, page.headers.get('refresh')]).toEqual([400, null]);
    expect(page.html).toContain('카드를 등록하지 못했어요.');
    expect(tickedIn(page)).toEqual(BOTH);
    expect(page.html).toContain('action="/cards"');
    // Texts that have changed since are agreed to anew.
    await world.rows.query(`update billing_key_issuances set terms_version = '1' where customer_uid = $1`, [
      customerUid,
    ]);
    expect(tickedIn(await member.get(outcomePath(customerUid)))).toEqual(['agree_privacy']);
  });

  test('of a replacement that ends in no card leads to the form for that card', async () => {
    const { customerUid } = await member.register();
    await loseAnswers();
    await member.replace(customerUid);
    for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
    const page = await member.get(outcomePath(customerUid));
    expect([page.status, page.html.includes(`action="/cards/${customerUid}/replace"`)]).toEqual([400, true]);
    expect(await member.cards()).toMatchObject([{ state: 'active' }]);
  });

  test('that a person has to decide leads to the list, which says so', async () => {
    const { customerUid } = await member.register();
    await world.rows.query(
      `update billing_key_issuances set status = 'needs_review' where customer_uid = $1`,
      [customerUid],
    );
    expect((await member.get(`${outcomePath(customerUid)}?return_url=/demo`)).location).toBe('/cards');
  });

  test('is shown to its own member alone', async () => {
    const { customerUid } = await createMemberBrowser(world).register();
    expect((await member.get(outcomePath(customerUid))).status).toBe(403);
    expect((await member.get(outcomePath('card_none'))).status).toBe(404);
  });
});

describe('a removal', () => {
  const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';

  test('is asked about first, and it is said what will happen; done, it is said that it was', async () => {
    const { customerUid } = await member.register();
    const { html } = await member.get('/cards');
    const [asked] = /<details class="remove">[^]*?<\/details>/.exec(html) ?? [];
    for (const text of ['결제 키를 삭제해요', '예정된 결제를 모두 취소해요', '되돌릴 수 없어요'])
      expect(asked).toContain(text);
    expect(html).not.toContain('카드를 삭제했어요');
    await member.remove(await member.openRemoval(customerUid));
    expect((await member.get('/cards')).html).toMatch(/카드를 삭제했어요\.<\/p><p>KB국민카드<\/p>/);
    world.clock.advance(61);
    expect((await member.get('/cards')).html).not.toContain('카드를 삭제했어요');
  });

  test('that failed says so on its card and on no other, with what to do; a reload asks for the list', async () => {
    const [first, second] = [await member.register(), await member.register()];
    const form = await member.openRemoval(first.customerUid);
    await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
    const answer = await member.remove(form);
    expect([answer.status, answer.headers.get('retry-after'), reloadAddress(answer)]).toEqual([
      503,
      '30',
      '/cards',
    ]);
    expect(answer.html).toContain('<title>오류: 내 카드');
    const cardOf = (customerUid: string) =>
      new RegExp(`<li class="panel card" id="${customerUid}"[^]*?</li>`).exec(answer.html)?.[0] ?? '';
    expect(cardOf(first.customerUid)).toMatch(/삭제하지 못했어요[^]*다시 삭제해 주세요/);
    expect(cardOf(second.customerUid)).not.toContain('삭제하지 못했어요');
    // What went well a moment ago is another story.
    expect(answer.html).not.toContain('카드를 등록했어요');
    expect((await member.get('/cards')).html).not.toContain('삭제하지 못했어요');
  });

  test('beside an open outcome is refused on its card, and nothing is deleted', async () => {
    const { customerUid } = await member.register();
    const form = await member.openRemoval(customerUid);
    await loseAnswers();
    await member.replace(customerUid);
    const answer = await expectNoEffect(world, () => member.remove(form));
    expect(answer.status).toBe(409);
    expect(answer.html).toMatch(/data-state="replacing"[^]*아직 삭제하지 않았어요/);
  });

  test('from a page that is too old does nothing and asks once more', async () => {
    const { customerUid } = await member.register();
    const form = await member.openRemoval(customerUid);
    world.clock.advance(15 * 60 + 1);
    const answer = await expectNoEffect(world, () => member.remove(form));
    expect([answer.status, reloadAddress(answer)]).toEqual([410, '/cards']);
    expect(answer.html).toContain('아무것도 삭제하지 않았어요');
    expect(await member.cards()).toMatchObject([{ state: 'active' }]);
  });

  test('of a card that is gone, or of somebody else, is not offered', async () => {
    const { customerUid } = await member.register();
    const form = await member.openRemoval(customerUid);
    expect((await createMemberBrowser(world).get('/cards')).html).not.toContain(customerUid);
    await member.remove(form);
    await expect(member.openRemoval(customerUid)).rejects.toThrow('The list offers no such card');
  });
});

test('the list names the card that was registered a moment ago, and says of a replaced one that it was replaced', async () => {
  const first = await member.register();
  await world.advance(61);
  const second = await member.register({ card_number: '5555-5555-5555-4444' });
  const news = async () =>
    [
      ...(await member.get('/cards')).html.matchAll(
        /class="success"[^]*?<p class="summary-title">([^<]*)[^]*?href="#(\w+)"/g,
      ),
    ].map(([, text, customerUid]) => [text, customerUid]);
  expect(await news()).toEqual([['카드를 등록했어요.', second.customerUid]]);
  await world.advance(61);
  expect(await news()).toEqual([]);
  await member.replace(first.customerUid);
  expect(await news()).toEqual([['새 카드로 교체했어요.', first.customerUid]]);
});
