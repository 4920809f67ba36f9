// Nobody tests stolen cards with the card form, as many members, with one card, or by a program (rows K4 to K11 of
// docs/faults.md). The counts take the time from the clock of the host, so that a test ends a window by its row.

import { CARD_LIMITS } from '../../src/merchant/card-limits';
import {
  attempt,
  countOf,
  endWindows,
  forgetAttempts,
  newCard,
  openForms,
  postCard,
  stranger,
} from '../support/card-attempts';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser, type Answer } from '../support/member-browser';
import { cardTraces, issuancesOf } from '../support/member-cards';
import { expectNoEffect } from '../support/no-effect';
import { useWorld } from '../support/use-world';
import { startWorld } from '../support/world';

const world = useWorld({ cardLimits: CARD_LIMITS });
/** What was refused before the test, by limit. */
const before: Record<string, number> = {};
beforeEach(async () => {
  await forgetAttempts(world);
  for (const limit of ['card', 'form']) before[limit] = await countOf(world, limit);
});

const counted = async (limit: string) => (await countOf(world, limit)) - (before[limit] ?? 0);

test('K4: one card number is tried five times a day, whoever types it, and its number is stored nowhere', async () => {
  const number = '9410-5566-7788-9900';
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    for (let password = 0; password < 30; password += 1) {
      const pwd_2digit = String(password).padStart(2, '0');
      const card_number = password % 2 === 0 ? number : number.replaceAll('-', '');
      const { status } = await attempt(world, stranger(world), { card_number, pwd_2digit });
      expect(status).toBe(password < 5 ? 303 : 429);
    }
  });
  expect(calls).toBe(5);
  expect(await counted('card')).toBe(25);
  const rows = await world.rows.query<{ key: string }>(`select key from card_limits where key like 'card:%'`);
  expect(rows).toEqual([{ key: expect.stringMatching(/^card:[\w-]{43}$/) }]);
  for (const text of [number, number.replaceAll('-', '')])
    expect((await world.rows.dump()) + world.log.text()).not.toContain(text);
  expect((await attempt(world, stranger(world))).status).toBe(303);
});

test('K4: counts that are over are deleted, and the others stay', async () => {
  await attempt(world, stranger(world));
  await endWindows(world, 'card', 'member');
  await world.rows.query(`select graphile_worker.add_job('forget-card-attempts')`);
  await world.advance(0);
  const kept = await world.rows.query(
    `select split_part(key, ':', 1) as counted from card_limits order by 1`,
  );
  expect(new Set(kept.map(({ counted: by }) => by))).toEqual(new Set(['address', 'declined', 'memberDaily']));
});

test('K6: an attempt that cannot be counted is 503, and nothing is sent or written', async () => {
  const member = createMemberBrowser(world);
  const [first, second] = await openForms(world, member, 2);
  const attemptUncounted = () => expectNoEffect(world, () => postCard(member, { ...first, ...newCard() }));
  await world.rows.query('alter table card_limits rename to out_of_reach');
  const unread = await attemptUncounted();
  await world.rows.query('alter table out_of_reach rename to card_limits');
  const unwritten: Answer[] = [];
  // First only the leaky buckets can be written, then only the other counts.
  for (const writable of [`key like 'declined:%'`, `key not like 'declined:%'`]) {
    await world.rows.query(`alter table card_limits add constraint writable check (${writable}) not valid`);
    unwritten.push(await attemptUncounted());
    await world.rows.query('alter table card_limits drop constraint writable');
  }
  const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const away = await world.withoutDatabase(() => postCard(member, { ...second, ...newCard() }));
    for (const { status, headers } of [unread, ...unwritten, away])
      expect([status, headers.get('retry-after') !== null]).toEqual([503, true]);
  });
  expect(calls).toBe(0);
  expect(await issuancesOf(world, String(second?.customer_uid))).toEqual([]);
  expect((await postCard(member, { ...first, ...newCard() })).status).toBe(303);
});

describe('K10: a changing X-Forwarded-For', () => {
  test('K10: what a client writes in front of its address does not change who it is', async () => {
    for (let tries = 1; tries <= 21; tries += 1) {
      const forwarded = { 'x-forwarded-for': `203.0.113.${tries}, 198.51.100.99` };
      const { status } = await attempt(world, createMemberBrowser(world), {}, forwarded);
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
        const { status } = await attempt(direct, createMemberBrowser(direct), {}, headers);
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
  const typed = { ...form, ...newCard() };
  const refused = await expectNoEffect(world, () => postCard(member, typed));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(refused.html).toContain('버튼을 한 번 더 눌러 주세요');
  expect(refused.html).toContain(form.form_token);
  for (const trace of cardTraces(typed)) expect(refused.html).not.toContain(trace);
  expect(await counted('form')).toBe(1);
  await world.log.requests({ outcome: 'too_many', limit: 'form' });
  expect(await world.rows.query('select from card_limits')).toEqual([]);

  world.clock.advance(0.001);
  expect((await postCard(member, typed)).status).toBe(303);
});
