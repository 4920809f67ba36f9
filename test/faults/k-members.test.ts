// Nobody tests stolen cards with the card form, as one member or from one address (rows K1 and K2 of docs/faults.md). The
// counts take the time from the clock of the host, so that a test ends a window by its row.

import { CARD_LIMITS } from '../../src/merchant/card-limits';
import {
  attempt,
  countOf,
  endWindows,
  forgetAttempts,
  newCard,
  openForms,
  postCard,
} from '../support/card-attempts';
import { DECLINED_CARD } from '../support/cards';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser } from '../support/member-browser';
import { cardTraces, issuancesOf } from '../support/member-cards';
import { expectNoEffect } from '../support/no-effect';
import { useWorld } from '../support/use-world';

const world = useWorld({ cardLimits: CARD_LIMITS });
/** What was refused before the test, by limit. */
const before: Record<string, number> = {};
beforeEach(async () => {
  await forgetAttempts(world);
  for (const limit of ['member', 'address', 'cards_held']) before[limit] = await countOf(world, limit);
});

const counted = async (limit: string) => (await countOf(world, limit)) - (before[limit] ?? 0);

test('K1: of a thousand cards from one session five go to the service, the others are 429', async () => {
  const member = createMemberBrowser(world);
  const forms = await openForms(world, member, 1000);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const statuses: number[] = [];
    for (let from = 0; from < forms.length; from += 50) {
      const burst = forms.slice(from, from + 50).map((form) => postCard(member, { ...form, ...newCard() }));
      statuses.push(...(await Promise.all(burst)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
  });
  expect(calls).toBe(5);
  const uids = forms.map(({ customer_uid }) => customer_uid);
  const written = 'select distinct customer_uid from billing_key_issuances where customer_uid = any($1)';
  expect(await world.rows.query(written, [uids])).toHaveLength(5);
  expect(await counted('member')).toBe(995);
}, 60_000);

test('K1: the page says when to try again, in both languages, and nothing is written or sent', async () => {
  const member = createMemberBrowser(world);
  for (let tries = 0; tries < 5; tries += 1) await attempt(world, member, { card_number: DECLINED_CARD });
  await endWindows(world, 'card');
  const form = (await openForms(world, member, 1))[0];
  const typed = { ...form, ...newCard() };
  const ko = await expectNoEffect(world, () => postCard(member, typed));
  const en = await expectNoEffect(world, () => postCard(member, typed, { 'accept-language': 'en' }));
  for (const { status, headers, html } of [ko, en]) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
    for (const trace of cardTraces(typed)) expect(html).not.toContain(trace);
  }
  expect(ko.html).toContain('10분 후에 다시 시도해 주세요.');
  expect(en.html).toContain('Please try again in 10 minutes.');
  expect(await world.log.requests({ outcome: 'too_many', limit: 'member' }, 2)).toHaveLength(2);

  await endWindows(world, 'member');
  expect((await postCard(member, typed)).status).toBe(303);
});

test('K1: replacements count as well, and a form that was not filled in rightly does not', async () => {
  const member = createMemberBrowser(world);
  const { customerUid } = await attempt(world, member);
  for (let tries = 0; tries < 9; tries += 1)
    expect((await attempt(world, member, { pwd_2digit: '1' })).status).toBe(400);
  const path = `/cards/${customerUid}/replace`;
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries += 1)
    statuses.push(
      (await postCard(member, { ...(await openForms(world, member, 1, path))[0], ...newCard() }, {}, path))
        .status,
    );
  expect(statuses).toEqual([303, 303, 303, 303, 429]);
  expect(await issuancesOf(world, customerUid)).toHaveLength(5);
});

test('K1: a member who waits each time has twenty attempts a day', async () => {
  const member = createMemberBrowser(world);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (let tries = 0; tries < 22; tries += 1) {
      await endWindows(world, 'member', 'card', 'address', 'declined');
      await attempt(world, member, { card_number: DECLINED_CARD });
    }
  });
  expect(calls).toBe(20);
});

test('K2: the addresses of one /64 count together, and so do the spellings of an IPv4 address', async () => {
  const from = async (address: string) =>
    (await attempt(world, createMemberBrowser(world), {}, { 'x-forwarded-for': address })).status;
  for (let host = 1; host <= 20; host += 1) expect(await from(`2001:db8:1:2:${host}::1`)).toBe(303);
  expect(await from('2001:DB8:1:2::ffff')).toBe(429);
  expect(await from('2001:db8:1:3::1')).toBe(303);
  for (let tries = 0; tries < 20; tries += 1)
    expect(await from(tries % 2 === 0 ? '198.51.100.7' : '::ffff:198.51.100.7')).toBe(303);
  expect(await from('198.51.100.7')).toBe(429);
  expect(await from('198.51.100.8')).toBe(303);
  expect(await counted('address')).toBe(2);
});

test('K2: from 200 addresses one member tries five cards in ten minutes, and registers five a day', async () => {
  const member = createMemberBrowser(world);
  const forms = await openForms(world, member, 202);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const [host, form] of forms.slice(2).entries())
      await postCard(member, { ...form, ...newCard() }, { 'x-forwarded-for': `198.51.100.${host}` });
  });
  expect(calls).toBe(5);

  await endWindows(world, 'member');
  const refused = await postCard(member, { ...forms[0], ...newCard() });
  expect(refused.status).toBe(429);
  // The form is not even shown: nobody types a card in vain.
  expect((await member.get('/cards/new')).status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(23 * 3600);
  // One that is removed was registered all the same.
  await member.remove(await member.openRemoval());
  expect((await postCard(member, { ...forms[1], ...newCard() })).status).toBe(429);

  await world.advance(seconds);
  await endWindows(world, 'member');
  expect((await attempt(world, member)).status).toBe(303);
});

test('K2: a member has at most ten cards, and is told to remove one', async () => {
  const member = createMemberBrowser(world);
  for (let held = 1; held <= 9; held += 1) {
    expect((await attempt(world, member)).status).toBe(303);
    if (held === 5) await world.advance(24 * 3600);
    await endWindows(world, 'member', 'memberDaily');
  }
  const [tenth, eleventh] = await openForms(world, member, 2);
  expect((await postCard(member, { ...tenth, ...newCard() })).status).toBe(303);
  const { status, html } = await expectNoEffect(world, () => postCard(member, { ...eleventh, ...newCard() }));
  expect([status, html.includes('카드는 10장까지 둘 수 있어요')]).toEqual([429, true]);
  expect((await member.get('/cards/new?lang=en')).html).toContain('You can have up to 10 cards.');
  expect(await counted('cards_held')).toBe(1);

  // A card can be replaced, and one that is removed makes room.
  const { customer_uid: customerUid } = await member.openRemoval();
  const path = `/cards/${customerUid}/replace`;
  const replaced = await postCard(
    member,
    { ...(await openForms(world, member, 1, path))[0], ...newCard() },
    {},
    path,
  );
  expect(replaced.status).toBe(303);
  await member.remove(await member.openRemoval());
  await world.advance(24 * 3600);
  expect((await attempt(world, member)).status).toBe(303);
});
