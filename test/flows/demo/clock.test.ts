// One clock: a running merchant follows the sandbox's, its pages say so while it is moved, and a reset ends that.

import { FEATURES } from '../../../src/merchant/features';
import { followSandbox } from '../../../src/merchant/options/demo/travel';
import { systemClock } from '../../../src/merchant/platform/clock';
import { clockOf, closeContext, createContext } from '../../../src/merchant/platform/context';
import { loadConfig } from '../../../src/merchant/settings';
import { startMerchant, type RunningMerchant } from '../../../src/merchant/start-merchant';
import { PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { eventually } from '../../support/eventually';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const DAY = 86_400;

const configOf = () =>
  testConfig({
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
  });

let merchant: RunningMerchant;
beforeEach(async () => {
  await world.sandbox.call('DELETE', '/clock');
  const logger = world.log.logger;
  merchant = await startMerchant({ config: configOf(), clock: systemClock, logger, role: 'web' });
});
afterEach(() => merchant.close());

const page = async (path: string) => (await fetch(`http://127.0.0.1:${merchant.port}${path}?lang=en`)).text();
const CHIP = 'class="moved-clock"';

test('a running merchant follows the clock, on every page, until a reset on one of them', async () => {
  await world.sandbox.advance(61 * DAY);
  await eventually(async () => (await page('/terms')).includes(CHIP));
  for (const path of ['/', '/terms', '/docs', '/operator/sign-in', '/no-such-page'])
    expect([path, await page(path)]).toEqual([path, expect.stringContaining('61 days ahead')]);
  const reset = await fetch(`http://127.0.0.1:${merchant.port}/demo/clock/reset`, {
    method: 'POST',
    body: new URLSearchParams({ back: '/terms' }),
    redirect: 'manual',
  });
  expect([reset.status, reset.headers.get('location')]).toEqual([303, '/terms']);
  for (const path of ['/terms', '/docs']) expect(await page(path)).not.toContain(CHIP);
  expect(await world.sandbox.call('GET', '/clock/shop')).toMatchObject({ ahead_ms: 0, shop_ahead_ms: 0 });
});

test('a reset leads to no other site', async () => {
  for (const back of ['//evil.example', '/\\evil.example', 'https://evil.example', '']) {
    const reset = await fetch(`http://127.0.0.1:${merchant.port}/demo/clock/reset`, {
      method: 'POST',
      body: new URLSearchParams({ back }),
      redirect: 'manual',
    });
    expect([back, reset.headers.get('location')]).toEqual([back, '/demo']);
  }
});

test('a command has the time of the server, and the clock of production cannot be moved', async () => {
  await world.sandbox.advance(DAY);
  const config = configOf();
  const clock = clockOf(FEATURES, systemClock, config);
  const context = createContext({ config, clock, logger: world.log.logger, features: FEATURES }, systemClock);
  await followSandbox(context, null);
  await closeContext(context);
  const aheadMs = clock.now().getTime() - Date.now();
  expect(Math.round(aheadMs / 1000)).toBe(DAY);
  expect(clockOf(FEATURES, systemClock, loadConfig(PRODUCTION_ENVIRONMENT))).toBe(systemClock);
});
