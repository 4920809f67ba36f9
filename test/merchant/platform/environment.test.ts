// Unsafe configurations cause a warning at the start: a live service without NODE_ENV=production, and production without the shop's own
// sign-in.

import type { ShopFiles } from '../../../src/merchant/platform/http/shop-files';
import { startMerchant } from '../../../src/merchant/start-merchant';
import { createManualClock } from '../../support/clock';
import { PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

/** The lines of this event that a merchant with these settings logs at its start. */
async function warningsOf(event: string, environment: Record<string, string>, shop: Partial<ShopFiles> = {}) {
  const { logger, events } = createRecordedLog();
  const config = testConfig(environment);
  const clock = createManualClock();
  const merchant = await startMerchant({ config, clock, logger, role: null, shop });
  await merchant.close();
  return events(event);
}

test('with a service on another machine the start outside production warns of unsafe settings (M16)', async () => {
  const unsafe = expect.arrayContaining([expect.stringContaining('test channels')]);
  for (const name of ['SERVICE_BASE_URL', 'SERVICE_V2_BASE_URL']) {
    const live = { [name]: 'https://api.example.com' };
    expect(await warningsOf('live_service_outside_production', live)).toMatchObject([{ level: 40, unsafe }]);
  }
  expect(await warningsOf('live_service_outside_production', {})).toEqual([]);
});

test('at each start without a check of the sources a warning says what that means and what to set', async () => {
  const observed = { WEBHOOK_SOURCE_CHECK: 'observe' };
  for (const environment of [observed, { ...PRODUCTION_ENVIRONMENT, ...observed }])
    expect(await warningsOf('webhook_sources_not_checked', environment)).toMatchObject([
      {
        level: 40,
        meaning: expect.stringContaining('anybody can send'),
        fix: expect.stringContaining('enforce'),
      },
    ]);
  expect(await warningsOf('webhook_sources_not_checked', PRODUCTION_ENVIRONMENT)).toEqual([]);
});

test('built-in members are warned of at a start in production alone, and a sign-in of the shop is not', async () => {
  const fix = expect.stringContaining('docs/03-guides/1-own-sign-in.md');
  const warned = await warningsOf('built_in_members', PRODUCTION_ENVIRONMENT);
  expect(warned).toMatchObject([{ level: 40, fix }]);
  const ownSignIn = { currentMember: () => Promise.resolve('member-7') };
  expect(await warningsOf('built_in_members', PRODUCTION_ENVIRONMENT, ownSignIn)).toEqual([]);
  expect(await warningsOf('built_in_members', {})).toEqual([]);
});
