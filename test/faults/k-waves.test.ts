// Cards are tested from many addresses, so that no limit of a member, an address or a card is met (rows K2 and K3 of
// docs/faults.md): the networks of declined cards wait first, and the form closes last. Over all networks this world has
// smaller limits; test/merchant/card-limits.test.ts calculates with the real ones.

import type { Request } from 'express';
import { CARD_LIMITS } from '../../src/merchant/card-limits';
import {
  attempt,
  attemptDeclined,
  countOf,
  forgetAttempts,
  metric,
  newCard,
  openForms,
  postCard,
  stranger,
} from '../support/card-attempts';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser, type Fields } from '../support/member-browser';
import { cardTraces } from '../support/member-cards';
import { expectNoEffect } from '../support/no-effect';
import { useWorld } from '../support/use-world';

const HOUR = 3600;
const OF_ALL = 30;
/** The shop's challenge, while it has one: a question, for whoever has not bought anything yet. */
let hasChallenge = false;
const buyers = new Set<string>();
const isAsked = (memberId: string) => hasChallenge && !buyers.has(memberId);
const challenge = {
  showChallenge: (_request: Request, memberId: string) =>
    Promise.resolve(isAsked(memberId) ? '<input name="answer">' : null),
  passesChallenge: ({ body }: Request, memberId: string) =>
    Promise.resolve(!isAsked(memberId) || (body as Fields)['answer'] === 'tea'),
};
const world = useWorld({
  challenge,
  cardLimits: {
    ...CARD_LIMITS,
    declines: {
      ...CARD_LIMITS.declines,
      challenge: [{ attempts: 25, seconds: HOUR }],
      everybody: [{ attempts: OF_ALL, seconds: HOUR }],
    },
  },
});
beforeEach(() => {
  hasChallenge = false;
  return forgetAttempts(world);
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const tryFrom = async (address: string) =>
  (await attempt(world, createMemberBrowser(world), {}, from(address))).status;

test('K2: a network whose cards are declined waits, for so long as its page says, and others do not', async () => {
  const home = '2001:db8:a:100::1';
  for (let tries = 0; tries < 6; tries += 1) await attemptDeclined(world, home);
  const visitor = stranger(world);
  const [form] = await openForms(world, visitor, 1);
  const typed = { ...form, ...newCard() };
  const before = await countOf(world, 'network');
  const refused = await expectNoEffect(world, () => postCard(visitor, typed, from(home)));
  const shown = await createMemberBrowser(world).get('/cards/new?lang=en', from(home));
  for (const { status, headers } of [refused, shown]) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
  }
  expect(refused.html).toContain('지금 이 네트워크에서는 카드를 등록할 수 없어요');
  expect(shown.html).toContain('Cards cannot be added from this network now');
  for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  expect((await countOf(world, 'network')) - before).toBe(1);
  await world.log.requests({ outcome: 'too_many', limit: 'network' });
  expect(await tryFrom('2001:db8:a:101::1')).toBe(303);

  world.clock.advance(Number(refused.headers.get('retry-after')));
  expect((await postCard(visitor, typed, from(home))).status).toBe(303);
});

test('K2: whoever has many networks is counted by the wide one around them, with one warning', async () => {
  for (let tries = 0; tries < 20; tries += 1)
    await attemptDeclined(world, `2001:db8:b:${(tries * 0x100).toString(16)}::1`);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const unseen of ['2001:db8:b:ffff::1', '2001:db8:b:1::1']) expect(await tryFrom(unseen)).toBe(429);
  });
  expect(calls).toBe(0);
  expect(await tryFrom('2001:db8:c::1')).toBe(303);
  expect(world.log.events('card_network_waits')).toMatchObject([{ level: 40, network: '2001:db8:b::/48' }]);
  expect(await metric(world, 'merchant_card_waves_total{measure="network"}')).toBe(1);
  expect((await stranger(world).get('/cards/new')).status).toBe(200);
});

test('K2: twenty addresses of one IPv4 /24 count together', async () => {
  for (let host = 1; host <= 20; host += 1) await attemptDeclined(world, `198.51.100.${host}`);
  expect(await tryFrom('198.51.100.99')).toBe(429);
  expect(await tryFrom('198.51.101.99')).toBe(303);
});

test('K2: a network in which more cards are registered than declined does not wait', async () => {
  for (let tries = 0; tries < 15; tries += 1) {
    const address = `203.0.113.${tries}`;
    expect(await tryFrom(address)).toBe(303);
    await attemptDeclined(world, address);
    expect(await tryFrom(address)).toBe(303);
    await attemptDeclined(world, address);
  }
});

test('K3: a wave of declined cards from many networks closes the form, and time opens it again', async () => {
  const waiting = stranger(world);
  for (let tries = 1; tries < OF_ALL; tries += 1) await attemptDeclined(world);
  expect((await stranger(world).get('/cards/new')).status).toBe(200);
  expect(world.log.events('card_challenge_asked')).toMatchObject([{ level: 40 }]);
  expect(world.log.events('card_form_closed')).toEqual([]);
  const forms = await openForms(world, waiting, 2);
  await attemptDeclined(world);

  const shut = await expectNoEffect(world, () => postCard(waiting, { ...forms[0], ...newCard() }));
  const shown = await stranger(world).get('/cards/new', { 'accept-language': 'en' });
  const oneLessSeconds = HOUR / OF_ALL;
  for (const { status, headers } of [shut, shown]) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(oneLessSeconds);
  }
  expect(shut.html).toContain('지금은 카드를 등록할 수 없어요');
  expect(shown.html).toContain('Cards cannot be added now');
  expect(world.log.events('card_form_closed')).toMatchObject([{ level: 40 }]);
  expect(await metric(world, 'merchant_card_form_closures_total')).toBe(1);
  expect(await world.log.requests({ outcome: 'form_closed' }, 2)).toHaveLength(2);

  // There is room for one try. A good card gives it back, so that the next one has room as well.
  world.clock.advance(oneLessSeconds);
  for (const form of forms) expect((await postCard(waiting, { ...form, ...newCard() })).status).toBe(303);
});

test('K3: from 25 declined cards on each card needs the challenge of the shop, and nothing is counted or sent without it', async () => {
  const asks = async (member = stranger(world)) =>
    (await member.get('/cards/new')).html.includes('name="answer"');
  for (let tries = 1; tries < 25; tries += 1) await attemptDeclined(world);
  hasChallenge = true;
  expect(await asks()).toBe(false);
  await attemptDeclined(world);
  expect(await asks()).toBe(true);

  const visitor = stranger(world);
  const [form] = await openForms(world, visitor, 1);
  const typed = { ...form, ...newCard() };
  for (const answer of [{}, { answer: 'coffee' }]) {
    const refused = await expectNoEffect(world, () => postCard(visitor, { ...typed, ...answer }));
    expect([refused.status, refused.html.includes('name="answer"')]).toEqual([400, true]);
    expect(refused.html).toContain('아래의 확인을 마친 다음');
    for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  }
  expect(await countOf(world, 'challenge')).toBe(2);
  expect((await postCard(visitor, { ...typed, answer: 'tea' })).status).toBe(303);

  // The registered card has made room.
  expect(await asks()).toBe(false);
  for (let tries = 0; tries < 2; tries += 1) await attemptDeclined(world);
  const buyer = stranger(world);
  await buyer.get('/cards');
  buyers.add(String(buyer.cookies.get('member')?.split('.')[0]));
  expect([await asks(), await asks(buyer)]).toEqual([true, false]);
  expect((await attempt(world, buyer)).status).toBe(303);
});

test('K3: of many tries at once, from many networks, no more are sent than the limit', async () => {
  const visitors = Array.from({ length: OF_ALL + 20 }, () => stranger(world));
  const forms = await Promise.all(visitors.map((visitor) => visitor.openForm()));
  world.clock.advance(3);
  const body = { code: 1, message: '한도 초과' };
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 100 });
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, () =>
    Promise.all(visitors.map((visitor, at) => postCard(visitor, { ...forms[at], ...newCard() }))),
  );
  expect(calls).toBeLessThanOrEqual(OF_ALL);
  expect(calls).toBeGreaterThan(0);
});

test('K3: a service that is away and answers that are lost are no results', async () => {
  const first = '192.0.2.1';
  for (const fault of [{ kind: 'status', status: 503 }, { kind: 'unauthorized' }, { kind: 'reset' }]) {
    await world.sandbox.fault({ endpoint: ISSUE_KEY, ...fault, times: 50 });
    for (let tries = 0; tries < 6; tries += 1) await attempt(world, stranger(world), {}, from(first));
    await world.sandbox.clearFaults();
  }
  const counted = await world.rows.query<{ expire: string }>(
    `select expire from card_limits where key like 'declined:%'`,
  );
  expect(counted).not.toEqual([]);
  for (const { expire } of counted) expect(Number(expire)).toBeLessThanOrEqual(world.clock.now().getTime());
  expect(world.log.events('card_network_waits')).toEqual([]);
});
