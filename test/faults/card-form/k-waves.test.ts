// Card testing from many addresses, below the limits of a member, an address or a card (rows K2 and K3 of docs/13-faults.md): first
// the networks of declined cards are blocked, last the form is closed. The limits of large networks and of all are smaller in this
// world than the real ones, which test/merchant/options/card-form/card-limits.test.ts uses.

import type { Request } from 'express';
import { CARD_LIMITS } from '../../../src/merchant/options/card-form/card-limits';
import { createMemberBrowser, type Answer, type Fields } from '../../support/browsers';
import {
  attempt,
  attemptDeclined,
  cardTraces,
  countOf,
  forgetAttempts,
  newCard,
  openForms,
  postCard,
  stranger,
} from '../../support/card-form/card-form';
import { metric } from '../../support/metrics';
import { expectNoEffect } from '../../support/rows';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const HOUR = 3600;
const OF_ALL = 12;
const UNTIL_CHALLENGE = 9;
const OF_WIDE = 8;
/** The shop's challenge, while it has one: a question. */
let hasChallenge = false;
const shop = {
  showChallenge: () => Promise.resolve(hasChallenge ? '<input name="answer">' : null),
  passesChallenge: ({ body }: Request) =>
    Promise.resolve(!hasChallenge || (body as Fields)['answer'] === 'tea'),
};
const world = useWorld({
  shop,
  constants: {
    cardLimits: {
      ...CARD_LIMITS,
      all: { attempts: OF_ALL, seconds: 10 },
      declines: {
        ...CARD_LIMITS.declines,
        wide: [{ attempts: OF_WIDE, seconds: HOUR }],
        challenge: [{ attempts: UNTIL_CHALLENGE, seconds: HOUR }],
        everybody: [{ attempts: OF_ALL, seconds: HOUR }],
      },
    },
  },
});
beforeEach(() => {
  hasChallenge = false;
  return forgetAttempts(world);
});

const tryFrom = async (address: string) =>
  (await attempt(world, createMemberBrowser(world), {}, { 'x-forwarded-for': address })).status;
async function declineMany(times: number, addressOf?: (at: number) => string): Promise<void> {
  for (let at = 0; at < times; at += 1) await attemptDeclined(world, addressOf?.(at));
}
/** Expects that a card is refused without an effect, and that the form is not shown. Returns the seconds to wait. */
async function expectWait(text: string, post: () => Promise<Answer>, look: () => Promise<Answer>) {
  const refused = await expectNoEffect(world, post);
  expect([refused.status, (await look()).status]).toEqual([429, 429]);
  expect(refused.html).toContain(text);
  return Number(refused.headers.get('retry-after'));
}

test('K2: a network with declined cards has to wait, and other networks do not', async () => {
  const home = { 'x-forwarded-for': '2001:db8:a:100::1' };
  await declineMany(6, () => home['x-forwarded-for']);
  expect(await tryFrom('2001:db8:a:101::1')).toBe(303);
  const visitor = stranger(world);
  const [form] = await openForms(world, visitor, 1);
  const before = await countOf(world, 'network');
  const post = () => postCard(visitor, { ...form, ...newCard() }, home);
  const look = () => createMemberBrowser(world).get('/cards/new', home);
  const seconds = await expectWait('지금 이 네트워크에서는 카드를 등록할 수 없어요', post, look);
  expect((await countOf(world, 'network')) - before).toBe(1);

  world.clock.advance(seconds - 1);
  expect((await post()).status).toBe(429);
  world.clock.advance(1);
  expect((await post()).status).toBe(303);
});

test('K2: many networks within one larger network are counted together, with one warning', async () => {
  await declineMany(OF_WIDE, (at) => `2001:db8:b:${(at * 0x100).toString(16)}::1`);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const unseen of ['2001:db8:b:ffff::1', '2001:db8:b:1::1']) expect(await tryFrom(unseen)).toBe(429);
  });
  expect(calls).toBe(0);
  expect(await tryFrom('2001:db8:c::1')).toBe(303);
  expect(world.log.events('card_network_waits')).toMatchObject([{ level: 40, network: '2001:db8:b::/48' }]);
  expect(await metric(world, 'merchant_card_waves_total{measure="network"}')).toBe(1);
});

test('K3: many declined cards from many networks close the form for some time', async () => {
  const closures = () => metric(world, 'merchant_card_form_closures_total');
  const before = await closures();
  const waiting = stranger(world);
  await declineMany(OF_ALL - 1);
  expect((await stranger(world).get('/cards/new')).status).toBe(200);
  expect(world.log.events('card_challenge_asked')).toMatchObject([{ level: 40 }]);
  expect(world.log.events('card_form_closed')).toEqual([]);
  const [form] = await openForms(world, waiting, 1);
  await declineMany(1);

  const post = () => postCard(waiting, { ...form, ...newCard() });
  const look = () => stranger(world).get('/cards/new');
  const oneLessSeconds = HOUR / OF_ALL;
  const seconds = await expectWait('지금은 카드를 등록할 수 없어요', post, look);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(oneLessSeconds);
  expect(world.log.events('card_form_closed')).toMatchObject([{ level: 40 }]);
  expect((await closures()) - before).toBe(1);

  world.clock.advance(oneLessSeconds);
  expect((await post()).status).toBe(303);
});

test('K3: after many declined cards each try needs the shop’s challenge, and nothing is counted or sent without it', async () => {
  const asks = async (member = stranger(world)) =>
    (await member.get('/cards/new')).html.includes('name="answer"');
  await declineMany(UNTIL_CHALLENGE - 1);
  hasChallenge = true;
  expect(await asks()).toBe(false);
  await declineMany(1);
  expect(await asks()).toBe(true);

  const visitor = stranger(world);
  const [form] = await openForms(world, visitor, 1);
  const typed = { ...form, ...newCard() };
  for (const answer of [{}, { answer: 'coffee' }]) {
    const refused = await expectNoEffect(world, () => postCard(visitor, { ...typed, ...answer }));
    expect([refused.status, refused.html.includes('name="answer"')]).toEqual([400, true]);
    for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  }
  expect(await countOf(world, 'challenge')).toBe(2);
  expect((await postCard(visitor, { ...typed, answer: 'tea' })).status).toBe(303);

  // The registered card has freed capacity.
  expect(await asks()).toBe(false);
});

test('K3: of many tries from many networks at once no more than the limit are sent', async () => {
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

test('K3: a service that is down and lost answers count neither as declined nor as registered', async () => {
  for (const fault of [{ kind: 'status', status: 503 }, { kind: 'unauthorized' }, { kind: 'reset' }]) {
    await world.sandbox.fault({ endpoint: ISSUE_KEY, ...fault, times: 50 });
    for (let tries = 0; tries < 2; tries += 1)
      await attempt(world, stranger(world), {}, { 'x-forwarded-for': '192.0.2.1' });
    await world.sandbox.clearFaults();
  }
  expect(await world.rows.query(`select key from card_limits where key like 'declined:%'`)).toEqual([]);
  expect(world.log.events('card_network_waits')).toEqual([]);
});
