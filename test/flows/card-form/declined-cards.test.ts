// What declined and registered cards add to the leaky buckets, and how many cards a member has.

import { countKeys } from '../../../src/merchant/core/billing-keys/billing-key-store';
import { CARD_LIMITS } from '../../../src/merchant/options/card-form/card-limits';
import {
  bucketsOf,
  findMeasures,
  watchDeclines,
} from '../../../src/merchant/options/card-form/watch-declines';
import type { Context } from '../../../src/merchant/platform/context';
import { msPerAttempt, type Bucket } from '../../../src/merchant/platform/limit-store';
import { withConstants } from '../../support/config';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
/** With the limits of production. */
const limited = (): Context => ({
  ...running.context,
  config: withConstants(running.context.config, { cardLimits: CARD_LIMITS }),
  state: new Map(),
});

const msUntilEmpty = async ({ key }: Bucket) => {
  const [row] = await running.rows.query<{ expire: string }>(
    'select expire from card_limits where key = $1',
    [key],
  );
  return Number(row?.expire) - running.clock.nowMs();
};
const decline = (context: Context, address: string) =>
  watchDeclines(context, { address, cardNumber: '9410' }, 'declined');

test('cards that are declined at the same time fill a bucket above its limit, and the wait is as much longer', async () => {
  const context = limited();
  const address = '203.0.113.1';
  const [hourly] = CARD_LIMITS.declines.address;
  if (!hourly) throw new Error('a limit of an address');
  await Promise.all(Array.from({ length: hourly.attempts + 2 }, () => decline(context, address)));
  const oneLess = msPerAttempt(hourly) / 1000;
  const waits = async () => (await findMeasures(context, address)).network?.retryAfterSeconds;
  expect(await waits()).toBe(3 * oneLess);
  running.clock.advance(3 * oneLess - 1);
  expect(await waits()).toBe(1);
  running.clock.advance(1);
  expect(await waits()).toBeUndefined();
});

test('a registered card offsets a declined one', async () => {
  const context = limited();
  const address = '198.51.100.1';
  const contents = () => Promise.all(bucketsOf(context, address).map(msUntilEmpty));
  await decline(context, address);
  const one = await contents();
  await decline(context, address);
  await watchDeclines(context, { address, cardNumber: '9410' }, 'registered');
  expect(await contents()).toEqual(one);
});

test('cards that were registered today count also once they are removed, and declined ones do not', async () => {
  const hoursAgo = (hours: number) => new Date(running.clock.nowMs() - hours * 3_600_000);
  const keys: [uid: string, memberId: string, status: string, hours: number][] = [
    ['kept', 'kim', 'active', 30],
    ['yesterday', 'kim', 'removed', 25],
    ['removed', 'kim', 'removed', 3],
    ['removing', 'kim', 'removing', 2],
    ['declined', 'kim', 'failed', 1],
    ['today', 'kim', 'active', 0.5],
    ['of-lee', 'lee', 'active', 1],
  ];
  for (const [uid, memberId, status, hours] of keys)
    await running.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ($1, $2, $3::billing_key_status, $4, now())`,
      [uid, memberId, status, hoursAgo(hours)],
    );
  expect(await countKeys(running.context, 'kim', { from: hoursAgo(24), to: hoursAgo(-1) })).toEqual({
    held: 3,
    registeredAt: [hoursAgo(3), hoursAgo(2), hoursAgo(0.5)],
  });
});
