// A shop that forgets its own sign-in is told so at every start in production.

import * as builtInMembers from '../../../src/merchant/shop/built-in-members';
import { startMerchant } from '../../../src/merchant/start-merchant';
import { createManualClock } from '../../support/clock';
import { PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const ownSignIn = { ...builtInMembers, currentMember: () => Promise.resolve('member-7') };

test.each([
  ['built-in members in production are', PRODUCTION_ENVIRONMENT, builtInMembers, 1],
  ['a sign-in of the shop is not', PRODUCTION_ENVIRONMENT, ownSignIn, 0],
  ['built-in members on a developer’s machine are not', {}, builtInMembers, 0],
])('%s warned of at the start', async (_, environment, shop, times) => {
  const { logger, events } = createRecordedLog();
  const config = testConfig(environment);
  const clock = createManualClock();
  const merchant = await startMerchant({ config, clock, logger, runJobs: false, shop });
  await merchant.close();
  const said = events('built_in_members');
  expect(said).toHaveLength(times);
  for (const line of said)
    expect(line).toMatchObject({ level: 40, fix: expect.stringContaining('docs/guides/own-sign-in.md') });
});
