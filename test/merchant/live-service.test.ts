// A live service without NODE_ENV=production is said loudly at the start.

import { startMerchant } from '../../src/merchant/start-merchant';
import { createManualClock } from '../support/clock';
import { testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';

/** What a merchant with these settings logs when it starts. */
async function warningsOf(environment: Record<string, string>): Promise<Record<string, unknown>[]> {
  const { logger, events } = createRecordedLog();
  const config = testConfig(environment);
  const merchant = await startMerchant({ config, clock: createManualClock(), logger, runJobs: false });
  await merchant.close();
  return events('live_service_outside_production');
}

test('with a service that is not on this machine, the start warns of what is unsafe outside production (M16)', async () => {
  const live = { SERVICE_BASE_URL: 'https://api.example.com' };
  expect(await warningsOf(live)).toMatchObject([
    { level: 40, unsafe: expect.arrayContaining([expect.stringContaining('test channels')]) },
  ]);
  expect(await warningsOf({ SERVICE_V2_BASE_URL: 'https://api.example.com' })).toHaveLength(1);
  expect(await warningsOf({})).toEqual([]);
});
