// The rotation of FORM_SECRET, MEMBER_SECRET and API_KEY (docs/07-maintenance.md). While processes are restarted one by one, those of
// two neighbouring rounds run on one database, and each accepts what the other has given out.

import { ask } from '../../support/ask';
import { createMemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { createTestDatabase } from '../../support/postgres';
import { startWorld, type World } from '../../support/world';

const OLD = 'the-old-value-0123456789';
const NEW = 'the-new-value-0123456789';

test.each([
  ['OLD and OLD,NEW', [OLD], [OLD, NEW]],
  ['OLD,NEW and NEW,OLD', [OLD, NEW], [NEW, OLD]],
  ['NEW,OLD and NEW', [NEW, OLD], [NEW]],
])('M25 processes with %s lose no form, no member and no call', async (_values, before, after) => {
  const database = await createTestDatabase();
  const start = (values: string[]) => startWorld({ environment: secretsOf(values), database });
  const [one, other] = [await start(before), await start(after)];
  // Both started at a moment of their own.
  one.clock.advance((other.clock.nowMs() - one.clock.nowMs()) / 1000);
  try {
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
  } finally {
    await one.close();
    await other.close();
  }
});

function secretsOf(values: string[]): Record<string, string> {
  const secret = (name: string) => values.map((value) => `${name}-${value}`).join(', ');
  return { FORM_SECRET: secret('form'), MEMBER_SECRET: secret('member'), API_KEY: values.join(',') };
}

const statusWith = async (key: string, world: World) =>
  (await ask(world.url, 'GET', '/api/orders', { headers: { authorization: `Bearer ${key}` } })).status;
