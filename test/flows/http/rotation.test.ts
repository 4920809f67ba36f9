// The rotation of FORM_SECRET, MEMBER_SECRET and API_KEY (docs/07-maintenance.md). While processes are restarted one by one, those of
// two neighbouring rounds run on one database, and each accepts what the other has given out.

import { ask } from '../../support/ask';
import { createMemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { createTestDatabase } from '../../support/postgres';
import { startWorld, type World } from '../../support/world';

const OLD = 'the-old-value-0123456789';
const NEW = 'the-new-value-0123456789';

/** The values of the processes, from one round to the next. */
const ROUNDS = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
const worlds: World[] = [];
beforeAll(async () => {
  const database = await createTestDatabase();
  for (const values of ROUNDS) worlds.push(await startWorld({ environment: secretsOf(values), database }));
});
afterAll(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

test.each([
  ['OLD and OLD,NEW', 0],
  ['OLD,NEW and NEW,OLD', 1],
  ['NEW,OLD and NEW', 2],
])('M25 processes with %s lose no form, no member and no call', async (_values, round) => {
  const [before = [], after = []] = ROUNDS.slice(round);
  const [one, other] = worlds.slice(round) as [World, World];
  // Both started at a moment of their own.
  one.clock.advance((other.clock.nowMs() - one.clock.nowMs()) / 1000);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    // One browser, whose requests reach either process.
    const cookies = new Map<string, string>();
    const [atFirst, then] = [createMemberBrowser(from, cookies), createMemberBrowser(to, cookies)];
    await registerKey(from, { memberId: await memberIdOf(atFirst) });
    for (const browser of [atFirst, then]) expect(await browser.cards()).toHaveLength(1);
    const form = await atFirst.openRemoval();
    expect((await then.remove(form)).status).toBe(303);
    for (const browser of [atFirst, then]) expect(await browser.cards()).toHaveLength(0);
  }
  const known = [OLD, NEW].filter((key) => before.includes(key) && after.includes(key));
  for (const key of known) for (const world of [one, other]) expect(await statusWith(key, world)).toBe(200);
  for (const key of [OLD, NEW]) expect(await statusWith(key, other)).toBe(after.includes(key) ? 200 : 401);
});

function secretsOf(values: string[]): Record<string, string> {
  const secret = (name: string) => values.map((value) => `${name}-${value}`).join(', ');
  return { FORM_SECRET: secret('form'), MEMBER_SECRET: secret('member'), API_KEY: values.join(',') };
}

const statusWith = async (key: string, world: World) =>
  (await ask(world.url, 'GET', '/api/orders', { headers: { authorization: `Bearer ${key}` } })).status;
