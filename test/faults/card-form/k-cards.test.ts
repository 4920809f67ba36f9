// Limits prevent card testing in the card form (as one member or many, from one address, with one card, or by a program) and by
// key-in payments (§4.3) of the shop's own server (rows K1, K2, K4, K6, K10 and K11 of docs/13-faults.md). The counts use the
// host's clock, so a test empties a bucket by changing its row.

import { CARD_LIMITS } from '../../../src/merchant/options/card-form/card-limits';
import { createMemberBrowser, type Answer, type Fields, type MemberBrowser } from '../../support/browsers';
import {
  attempt,
  attemptDeclined,
  cardTraces,
  countOf,
  emptyBuckets,
  forgetAttempts,
  newCard,
  openForms,
  postCard,
  stranger,
} from '../../support/card-form/card-form';
import { CARD, DECLINED_CARD } from '../../support/cards';
import { API_KEY } from '../../support/config';
import { issuancesOf } from '../../support/keys';
import { DISK_FULL, refuseRows } from '../../support/refused-rows';
import { expectNoEffect } from '../../support/rows';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld({ constants: { cardLimits: CARD_LIMITS } });
/** Few tries fill the limit of an address here. Its real number is in the first test of K10. */
const OF_ADDRESS = 4;
const fewOfAddress = {
  cardLimits: { ...CARD_LIMITS, address: { ...CARD_LIMITS.address, attempts: OF_ADDRESS } },
};
const worldWithFewTries = useWorld({ constants: fewOfAddress });
const worldBehindNoProxy = useWorld({
  constants: fewOfAddress,
  environment: { TRUSTED_PROXIES: '192.0.2.1' },
});
let member: MemberBrowser;
/** The number of refusals before the test, by limit. */
const before: Record<string, number> = {};
beforeEach(async () => {
  await forgetAttempts(world);
  for (const limit of ['member', 'address', 'card', 'form', 'cards_held'])
    before[limit] = await countOf(world, limit);
  member = createMemberBrowser(world);
});
afterEach(() => world.sandbox.waitForNotifications());

const refusedBy = async (limit: string) => (await countOf(world, limit)) - (before[limit] ?? 0);
const retryAfterOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));
const attemptFrom = (address: string, ofWorld = world) =>
  attempt(ofWorld, createMemberBrowser(ofWorld), {}, { 'x-forwarded-for': address });
/** Makes tries one after the other, and counts the statuses. */
async function countStatuses(tries: number, act: (at: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let at = 0; at < tries; at += 1) {
    const { status } = await act(at);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
async function replaceCard(customerUid: string): Promise<Answer> {
  const path = `/cards/${customerUid}/replace`;
  const [form] = await openForms(world, member, 1, path);
  return postCard(member, { ...form, ...newCard() }, {}, path);
}

test('K1: only five of twenty cards from one session are sent', async () => {
  const forms = await openForms(world, member, 20);
  const answers: Answer[] = [];
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    answers.push(...(await Promise.all(forms.map((form) => postCard(member, { ...form, ...newCard() })))));
  });
  expect(calls).toBe(5);
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect(await refusedBy('member')).toBe(15);
});

test('K1: the refusal says in both languages when to try again, and nothing is written or sent', async () => {
  for (let tries = 0; tries < 5; tries += 1) await attempt(world, member, { card_number: DECLINED_CARD });
  await emptyBuckets(world, 'tries-card');
  const [form] = await openForms(world, member, 1);
  const typed = { ...form, ...newCard() };
  for (const [language, sentence] of [
    ['ko', 'N분 후에 다시 시도해 주세요.'],
    ['en', 'Please try again in N minutes.'],
  ] as const) {
    const post = () => postCard(member, typed, { 'accept-language': language });
    const refused = await expectNoEffect(world, post);
    const seconds = retryAfterOf(refused);
    expect([refused.status, seconds > 0, seconds <= 600]).toEqual([429, true, true]);
    expect(refused.html).toContain(sentence.replace('N', String(Math.ceil(seconds / 60))));
    for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  }
});

test('K1: replacements count as tries, and forms with invalid fields do not', async () => {
  const { customerUid } = await attempt(world, member);
  expect(await countStatuses(2, () => attempt(world, member, { pwd_2digit: '1' }))).toEqual({ 400: 2 });
  expect(await countStatuses(5, () => replaceCard(customerUid))).toEqual({ 303: 4, 429: 1 });
  expect(await issuancesOf(world, customerUid)).toHaveLength(5);
});

test('K1: a member who waits between tries has twenty tries a day', async () => {
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (let tries = 0; tries < 21; tries += 1) {
      await emptyBuckets(world, 'tries-member', 'tries-card', 'tries-address', 'declined');
      await attempt(world, member, { card_number: DECLINED_CARD });
    }
  });
  expect(calls).toBe(20);
});

test('K2: all addresses of one /64 count together, and so do all forms of an IPv4 address', async () => {
  const from = (address: string) => attemptFrom(address, worldWithFewTries);
  const ofOne64 = (host: number) => from(`2001:db8:1:2:${host}::1`);
  expect(await countStatuses(OF_ADDRESS, ofOne64)).toEqual({ 303: OF_ADDRESS });
  expect((await from('2001:DB8:1:2::ffff')).status).toBe(429);
  const spelled = (at: number) => from(at % 2 === 0 ? '198.51.100.7' : '::ffff:198.51.100.7');
  expect(await countStatuses(OF_ADDRESS + 1, spelled)).toEqual({ 303: OF_ADDRESS, 429: 1 });
  for (const other of ['2001:db8:1:3::1', '198.51.100.8']) expect((await from(other)).status).toBe(303);
  expect(await countOf(worldWithFewTries, 'address')).toBe(2);
});

test('K2: one member with many addresses can try five cards in ten minutes and register five a day', async () => {
  const [first, ...forms] = await openForms(world, member, 11);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const [host, form] of forms.entries()) {
      const typed = { ...form, ...newCard() };
      await postCard(member, typed, { 'x-forwarded-for': `198.51.100.${host}` });
    }
  });
  expect(calls).toBe(5);

  await emptyBuckets(world, 'tries-member');
  const refused = await postCard(member, { ...first, ...newCard() });
  // The form is not shown, so no member enters a card in vain.
  expect([refused.status, (await member.get('/cards/new')).status]).toEqual([429, 429]);
  expect(retryAfterOf(refused)).toBeGreaterThan(23 * 3600);
});

test('K2: a member has at most ten cards, and is told to remove one', async () => {
  for (let held = 1; held <= 9; held += 1) {
    expect((await attempt(world, member)).status).toBe(303);
    if (held === 5) await world.advance(24 * 3600);
    await emptyBuckets(world, 'tries-member', 'tries-member-daily');
  }
  const [tenth, eleventh] = await openForms(world, member, 2);
  expect((await postCard(member, { ...tenth, ...newCard() })).status).toBe(303);
  const refused = await expectNoEffect(world, () => postCard(member, { ...eleventh, ...newCard() }));
  expect(refused.status).toBe(429);
  expect(refused.html).toContain('카드는 10장까지 둘 수 있어요');
  expect(await refusedBy('cards_held')).toBe(1);
});

test('K4: one card number can be tried five times a day by all members together', async () => {
  const number = '9410-5566-7788-9900';
  const spellings = [number, number.replaceAll('-', '')];
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const guess = (at: number) => {
      const typed = { card_number: String(spellings[at % 2]), pwd_2digit: String(at + 10) };
      return attempt(world, stranger(world), typed);
    };
    expect(await countStatuses(8, guess)).toEqual({ 303: 5, 429: 3 });
  });
  expect(calls).toBe(5);
  expect(await refusedBy('card')).toBe(3);
  const rows = await world.rows.query<{ key: string }>(
    `select key from card_limits where key like 'tries-card:%'`,
  );
  expect(rows).toEqual([{ key: expect.stringMatching(/^tries-card:[\w-]{43}$/) }]);
  for (const text of spellings) expect((await world.rows.dump()) + world.log.text()).not.toContain(text);
  expect((await attempt(world, stranger(world))).status).toBe(303);
});

test('K4: expired counts are deleted, and the others stay', async () => {
  await attemptDeclined(world);
  await emptyBuckets(world, 'tries-card', 'tries-member');
  await world.rows.query(`select graphile_worker.add_job('forget-card-attempts')`);
  await world.advance(0);
  const kept = await world.rows.query(`select distinct split_part(key, ':', 1) as by from card_limits`);
  expect(new Set(kept.map(({ by }) => by))).toEqual(
    new Set(['declined', 'tries-address', 'tries-all', 'tries-member-daily']),
  );
});

test('K6: a try that cannot be counted gets a 503, and nothing is sent or written', async () => {
  const [first, second] = await openForms(world, member, 2);
  const answers: Answer[] = [];
  const allow = await refuseRows(world, 'card_limits', 'true', DISK_FULL);
  answers.push(await expectNoEffect(world, () => postCard(member, { ...first, ...newCard() })));
  await allow();
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    answers.push(await world.withoutDatabase(() => postCard(member, { ...second, ...newCard() })));
  });
  expect(calls).toBe(0);
  for (const answer of answers) expect([answer.status, retryAfterOf(answer) > 0]).toEqual([503, true]);
  expect(await issuancesOf(world, String(second?.customer_uid))).toEqual([]);
  expect((await postCard(member, { ...first, ...newCard() })).status).toBe(303);
});

test('K10: entries that a client adds to X-Forwarded-For do not change its address', async () => {
  const written = (at: number) => attemptFrom(`203.0.113.${at}, 198.51.100.99`);
  expect(await countStatuses(21, written)).toEqual({ 303: 20, 429: 1 });
});

test('K10: the address of a client that is not a trusted proxy is that of its connection', async () => {
  const written = (at: number) => attemptFrom(`203.0.113.${at}`, worldBehindNoProxy);
  expect(await countStatuses(OF_ADDRESS + 1, written)).toEqual({ 303: OF_ADDRESS, 429: 1 });
});

test('K11: a form that is posted within two seconds gets a 429, is counted and stays valid', async () => {
  const form = await member.openForm();
  world.clock.advance(1.999);
  const typed = { ...form, ...newCard() };
  const refused = await expectNoEffect(world, () => postCard(member, typed));
  expect([refused.status, retryAfterOf(refused)]).toEqual([429, 2]);
  expect(refused.html).toContain(form.form_token);
  expect(await refusedBy('form')).toBe(1);

  world.clock.advance(0.001);
  expect((await postCard(member, typed)).status).toBe(303);
});

let orders = 0;
/** A key-in payment of the shop's own server. */
async function pay(changes: Fields = {}) {
  orders += 1;
  const order = { merchant_uid: `onetime-${orders}`, name: 'Tea', amount: 1000 };
  const { status, headers, html } = await member.send('POST', '/api/onetime', {
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...order, ...CARD, ...changes }),
  });
  return { status, headers, body: JSON.parse(html) as { error?: { code: string } } };
}
const declinePayments = (times: number) => {
  const body = { code: 1, message: '비밀번호 오류' };
  const endpoint = 'POST /subscribe/payments/onetime';
  return world.sandbox.fault({ endpoint, kind: 'status', status: 200, body, times });
};

test('K4: key-in payments and the card form count tries of a card together: five a day', async () => {
  const card_number = '9410-5566-7788-9901';
  for (let tries = 0; tries < 2; tries += 1) await attempt(world, stranger(world), { card_number });
  await declinePayments(100);
  const guess = (at: number) => pay({ card_number, pwd_2digit: String(at + 10) });
  expect(await countStatuses(3, guess)).toEqual({ 402: 3 });
  const refused = await expectNoEffect(world, () => pay({ card_number: card_number.replaceAll('-', '') }));
  expect([refused.status, refused.body.error?.code]).toEqual([429, 'card_tried_too_often']);
  const seconds = retryAfterOf(refused);
  expect([seconds > 4.7 * 3600, seconds <= 4.8 * 3600]).toEqual([true, true]);
  expect((await attempt(world, stranger(world), { card_number })).status).toBe(429);
  // Another card is not limited.
  await world.sandbox.clearFaults();
  expect((await pay()).status).toBe(200);
});

test('K4: paid payments and calls that sent nothing do not count as tries of a card', async () => {
  expect(await countStatuses(6, () => pay())).toEqual({ 200: 6 });
  const payAgain = () => pay({ merchant_uid: 'onetime-paid' });
  expect(await countStatuses(7, payAgain)).toEqual({ 200: 1, 409: 6 });
  await declinePayments(1);
  expect((await pay()).status).toBe(402);
});
