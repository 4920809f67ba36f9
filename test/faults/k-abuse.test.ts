// Nobody tests stolen cards with the card form (chapter K of docs/faults.md). The counts take the time from the clock of the
// host, so that a test ends a window by its row.

import { CARD_LIMITS } from '../../src/merchant/card-limits';
import { CARD_FORM, DECLINED_CARD } from '../support/cards';
import { API_KEY } from '../support/config';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser, type Answer, type Fields, type MemberBrowser } from '../support/member-browser';
import { cardTraces, issuancesOf } from '../support/member-cards';
import { expectNoEffect } from '../support/no-effect';
import { startWorld, type World } from '../support/world';

const SECONDS_TO_FILL_IN = 3;

let world: World;
beforeAll(async () => {
  world = await startWorld({ cardLimits: CARD_LIMITS });
});
beforeEach(async () => {
  await world.sandbox.clearFaults();
  await world.rows.query('delete from card_limits');
  await world.forgetJobs();
  world.log.clear();
  for (const limit of ['member', 'address', 'card', 'form', 'cards_held'])
    countedBefore[limit] = await metric(limitMetric(limit));
});
afterAll(() => world.close());

test('K1: of a thousand cards from one session five go to the service, the others are 429', async () => {
  const member = createMemberBrowser(world);
  const forms = await openForms(member, 1000);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const statuses: number[] = [];
    for (let from = 0; from < forms.length; from += 50) {
      const burst = forms.slice(from, from + 50).map((form) => post(member, { ...form, ...card() }));
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
  for (let tries = 0; tries < 5; tries += 1) await attempt(member, { card_number: DECLINED_CARD });
  await endWindows('card');
  const form = (await openForms(member, 1))[0];
  const typed = { ...form, ...card() };
  const ko = await expectNoEffect(world, () => post(member, typed));
  const en = await expectNoEffect(world, () => post(member, typed, { 'accept-language': 'en' }));
  for (const { status, headers, html } of [ko, en]) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
    for (const trace of cardTraces(typed)) expect(html).not.toContain(trace);
  }
  expect(ko.html).toContain('10분 후에 다시 시도해 주세요.');
  expect(en.html).toContain('Please try again in 10 minutes.');
  const lines = world.log.lines().filter((line) => line['outcome'] === 'too_many');
  expect(lines).toMatchObject([{ limit: 'member' }, { limit: 'member' }]);

  await endWindows('member');
  expect((await post(member, typed)).status).toBe(303);
});

test('K1: replacements count as well, and a form that was not filled in rightly does not', async () => {
  const member = createMemberBrowser(world);
  const { customerUid } = await attempt(member);
  for (let tries = 0; tries < 9; tries += 1)
    expect((await attempt(member, { pwd_2digit: '1' })).status).toBe(400);
  const path = `/cards/${customerUid}/replace`;
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries += 1)
    statuses.push(
      (await post(member, { ...(await openForms(member, 1, path))[0], ...card() }, {}, path)).status,
    );
  expect(statuses).toEqual([303, 303, 303, 303, 429]);
  expect(await issuancesOf(world, customerUid)).toHaveLength(5);
});

test('K1: a member who waits each time has twenty attempts a day', async () => {
  const member = createMemberBrowser(world);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (let tries = 0; tries < 22; tries += 1) {
      await endWindows('member', 'card', 'address', 'results', 'declined');
      await attempt(member, { card_number: DECLINED_CARD });
    }
  });
  expect(calls).toBe(20);
});

test('K2: the addresses of one /64 count together, and so do the spellings of an IPv4 address', async () => {
  const from = async (address: string) =>
    (await attempt(createMemberBrowser(world), {}, { 'x-forwarded-for': address })).status;
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
  const forms = await openForms(member, 202);
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (const [host, form] of forms.slice(2).entries())
      await post(member, { ...form, ...card() }, { 'x-forwarded-for': `198.51.100.${host}` });
  });
  expect(calls).toBe(5);

  await endWindows('member');
  const refused = await post(member, { ...forms[0], ...card() });
  expect(refused.status).toBe(429);
  // The form is not even shown: nobody types a card in vain.
  expect((await member.get('/cards/new')).status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(23 * 3600);
  // One that is removed was registered all the same.
  await member.remove(await member.openForm('/cards'));
  expect((await post(member, { ...forms[1], ...card() })).status).toBe(429);

  await world.advance(seconds);
  await endWindows('member');
  expect((await attempt(member)).status).toBe(303);
});

test('K2: a member has at most ten cards, and is told to remove one', async () => {
  const member = createMemberBrowser(world);
  for (let held = 1; held <= 9; held += 1) {
    expect((await attempt(member)).status).toBe(303);
    if (held === 5) await world.advance(24 * 3600);
    await endWindows('member', 'memberDaily');
  }
  const [tenth, eleventh] = await openForms(member, 2);
  expect((await post(member, { ...tenth, ...card() })).status).toBe(303);
  const { status, html } = await expectNoEffect(world, () => post(member, { ...eleventh, ...card() }));
  expect([status, html.includes('카드는 10장까지 둘 수 있어요')]).toEqual([429, true]);
  expect((await member.get('/cards/new?lang=en')).html).toContain('You can have up to 10 cards.');
  expect(await counted('cards_held')).toBe(1);

  // A card can be replaced, and one that is removed makes room.
  const { customer_uid: customerUid } = await member.openForm('/cards');
  const path = `/cards/${customerUid}/replace`;
  const replaced = await post(member, { ...(await openForms(member, 1, path))[0], ...card() }, {}, path);
  expect(replaced.status).toBe(303);
  await member.remove(await member.openForm('/cards'));
  await world.advance(24 * 3600);
  expect((await attempt(member)).status).toBe(303);
});

test('K3: a wave of declined cards closes the form for ten minutes, with one warning', async () => {
  for (let tries = 0; tries < 9; tries += 1) await attempt(stranger());
  for (let tries = 0; tries < 21; tries += 1) await attemptDeclined();
  // 21 of 30 are 70 %, and not more.
  expect((await stranger().get('/cards/new')).status).toBe(200);
  expect(world.log.events('card_form_closed')).toEqual([]);
  const waiting = stranger();
  const [form] = await openForms(waiting, 1);
  await attemptDeclined();

  const shut = await expectNoEffect(world, () => post(waiting, { ...form, ...card() }));
  const shown = await stranger().get('/cards/new', { 'accept-language': 'en' });
  for (const { status, headers } of [shut, shown]) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
  }
  expect(shut.html).toContain('지금은 카드를 등록할 수 없어요');
  expect(shown.html).toContain('Cards cannot be added now');
  expect(world.log.events('card_form_closed')).toMatchObject([
    { level: 40, results: 31, declined: 22, closed_seconds: 600 },
  ]);
  expect(await metric('merchant_card_form_closures_total')).toBe(1);
  expect(world.log.lines().filter((line) => line['outcome'] === 'form_closed')).toHaveLength(2);

  await endWindows('closed', 'results', 'declined');
  expect((await post(waiting, { ...form, ...card() })).status).toBe(303);
});

test('K3: a service that is away and answers that are lost are no results', async () => {
  for (const fault of [{ kind: 'status', status: 503 }, { kind: 'unauthorized' }, { kind: 'reset' }]) {
    await world.sandbox.fault({ endpoint: ISSUE_KEY, ...fault, times: 50 });
    for (let tries = 0; tries < 12; tries += 1) await attempt(stranger());
    await world.sandbox.clearFaults();
  }
  expect(await world.rows.query(`select from card_limits where key like 'results:%'`)).toEqual([]);
  expect((await stranger().get('/cards/new')).status).toBe(200);
});

test('K4: one card number is tried five times a day, whoever types it, and its number is stored nowhere', async () => {
  const number = '9410-5566-7788-9900';
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (let password = 0; password < 30; password += 1) {
      const pwd_2digit = String(password).padStart(2, '0');
      const card_number = password % 2 === 0 ? number : number.replaceAll('-', '');
      const { status } = await attempt(stranger(), { card_number, pwd_2digit });
      expect(status).toBe(password < 5 ? 303 : 429);
    }
  });
  expect(calls).toBe(5);
  expect(await counted('card')).toBe(25);
  const rows = await world.rows.query<{ key: string }>(`select key from card_limits where key like 'card:%'`);
  expect(rows).toEqual([{ key: expect.stringMatching(/^card:[\w-]{43}$/) }]);
  for (const text of [number, number.replaceAll('-', '')])
    expect((await world.rows.dump()) + world.log.text()).not.toContain(text);
  expect((await attempt(stranger())).status).toBe(303);
});

test('K4: counts that are over are deleted, and the others stay', async () => {
  await attempt(stranger());
  await endWindows('card', 'member');
  await world.rows.query(`select graphile_worker.add_job('forget-card-attempts')`);
  await world.advance(0);
  const kept = await world.rows.query(
    `select split_part(key, ':', 1) as counted from card_limits order by 1`,
  );
  expect(kept.map(({ counted: by }) => by)).toEqual(['address', 'declined', 'memberDaily', 'results']);
});

test('K6: an attempt that cannot be counted is 503, and nothing is sent or written', async () => {
  const member = createMemberBrowser(world);
  const [first, second] = await openForms(member, 2);
  const attemptUncounted = () => expectNoEffect(world, () => post(member, { ...first, ...card() }));
  await world.rows.query('alter table card_limits rename to out_of_reach');
  const unread = await attemptUncounted();
  await world.rows.query('alter table out_of_reach rename to card_limits');
  await world.rows.query('alter table card_limits add constraint unwritable check (points < 0)');
  const unwritten = await attemptUncounted();
  await world.rows.query('alter table card_limits drop constraint unwritable');
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const away = await world.withoutDatabase(() => post(member, { ...second, ...card() }));
    for (const { status, headers } of [unread, unwritten, away])
      expect([status, headers.get('retry-after') !== null]).toEqual([503, true]);
  });
  expect(calls).toBe(0);
  expect(await issuancesOf(world, String(second?.customer_uid))).toEqual([]);
  expect((await post(member, { ...first, ...card() })).status).toBe(303);
});

describe('K10: a changing X-Forwarded-For', () => {
  test('K10: what a client writes in front of its address does not change who it is', async () => {
    for (let tries = 1; tries <= 21; tries += 1) {
      const forwarded = { 'x-forwarded-for': `203.0.113.${tries}, 198.51.100.99` };
      const { status } = await attempt(createMemberBrowser(world), {}, forwarded);
      expect(status).toBe(tries <= 20 ? 303 : 429);
    }
  });

  test('K10: a client that is no trusted proxy is who its connection says, whatever it writes', async () => {
    const direct = await startWorld({
      cardLimits: CARD_LIMITS,
      environment: { TRUSTED_PROXIES: '192.0.2.1' },
    });
    try {
      for (let tries = 1; tries <= 21; tries += 1) {
        const headers = { 'x-forwarded-for': `203.0.113.${tries}`, 'x-real-ip': `203.0.113.${tries}` };
        const { status } = await attempt(createMemberBrowser(direct), {}, headers, direct);
        expect(status).toBe(tries <= 20 ? 303 : 429);
      }
    } finally {
      await direct.close();
    }
  });
});

test('K11: a form that comes back within two seconds is 429 and counted, and stays good', async () => {
  const member = createMemberBrowser(world);
  const form = await member.openForm();
  world.clock.advance(1.999);
  const typed = { ...form, ...card() };
  const refused = await expectNoEffect(world, () => post(member, typed));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(refused.html).toContain('버튼을 한 번 더 눌러 주세요');
  expect(refused.html).toContain(form.form_token);
  for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  expect(await counted('form')).toBe(1);
  expect(world.log.lines()).toContainEqual(expect.objectContaining({ outcome: 'too_many', limit: 'form' }));
  expect(await world.rows.query('select from card_limits')).toEqual([]);

  world.clock.advance(0.001);
  expect((await post(member, typed)).status).toBe(303);
});

/** Attempts that were refused in this test because of a limit. */
const countedBefore: Record<string, number> = {};
async function counted(limit: string): Promise<number> {
  return (await metric(limitMetric(limit))) - (countedBefore[limit] ?? 0);
}

const limitMetric = (limit: string) => `merchant_card_limits_total{limit="${limit}"}`;

async function metric(name: string): Promise<number> {
  const text = await (
    await fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${API_KEY}` } })
  ).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** A card of its own for each attempt. */
let cards = 0;
function card(): Fields {
  cards += 1;
  return { ...CARD_FORM, card_number: `9410-1000-0000-${String(cards).padStart(4, '0')}` };
}

/** A member nobody has seen, from an address nobody has seen. */
let strangers = 0;
function stranger(): MemberBrowser {
  strangers += 1;
  const address = `2001:db8:ffff:${strangers.toString(16)}::1`;
  const browser = createMemberBrowser(world);
  return {
    ...browser,
    post: (path, fields, headers = {}) =>
      browser.post(path, fields, { 'x-forwarded-for': address, ...headers }),
  };
}

/** The form, opened several times and then looked at for long enough. */
async function openForms(member: MemberBrowser, count: number, path = '/cards/new', at = world) {
  const forms: Awaited<ReturnType<MemberBrowser['openForm']>>[] = [await member.openForm(path)];
  while (forms.length < count) forms.push(await member.openForm(path));
  at.clock.advance(SECONDS_TO_FILL_IN);
  return forms;
}

function post(
  member: MemberBrowser,
  fields: Fields,
  headers: Record<string, string> = {},
  path = '/cards',
): Promise<Answer> {
  return member.post(path, { ...fields, register_again: 'on' }, headers);
}

async function attempt(
  member: MemberBrowser,
  changes: Fields = {},
  headers: Record<string, string> = {},
  at = world,
): Promise<Answer & { customerUid: string }> {
  const [form] = await openForms(member, 1, '/cards/new', at);
  const answer = await post(member, { ...form, ...card(), ...changes }, headers);
  return { ...answer, customerUid: String(form?.customer_uid) };
}

async function attemptDeclined(): Promise<void> {
  const body = { code: 1, message: '한도 초과' };
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 1 });
  expect((await attempt(stranger())).status).toBe(400);
}

/** Ends the windows of these counts, as time would. */
async function endWindows(...counted: string[]): Promise<void> {
  await world.rows.query(`update card_limits set expire = 1 where split_part(key, ':', 1) = any($1)`, [
    counted,
  ]);
}
