// The block of `npm run secrets` is what production accepts once the values of the deployment are filled in.

import { parseEnv } from 'node:util';
import { blockText, settingsBlock } from '../../../src/merchant/cli/settings-block';
import { eventReceiver } from '../../../src/merchant/core/events/settings';
import { loadConfig, OWN_SECRETS, SETTING_NAMES } from '../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT } from '../../support/config';

const printed = () => parseEnv(blockText(settingsBlock()));
/** What only the deployment knows. */
const known = Object.fromEntries(
  Object.entries(PRODUCTION_ENVIRONMENT).filter(
    ([name]) => SETTING_NAMES.includes(name) && !OWN_SECRETS.includes(name),
  ),
);

test('production accepts the printed settings with the values of a deployment', () => {
  const block = printed();
  const blank = Object.entries(block).filter(([, value]) => value === '');
  const values: Record<string, string> = { ...known };
  delete values['NODE_ENV'];
  const usual = ['SERVICE_NAME_PREFIX', 'TRUSTED_PROXIES', 'RETURN_URLS'];
  expect(blank.map(([name]) => name).sort()).toEqual([...Object.keys(values), ...usual].sort());
  const config = loadConfig({ ...block, ...values });
  expect(config.production).toBe(true);
  expect(config.apiKeys).toEqual([block['API_KEY']]);
});

test('production accepts the secret of events that the block has as a comment', () => {
  const [, secret] = /^# ORDER_EVENTS_SECRET=(.+)$/m.exec(blockText(settingsBlock())) ?? [];
  const events = { ORDER_EVENTS_URL: 'https://shop.example.com/events', ORDER_EVENTS_SECRET: secret };
  expect(eventReceiver(loadConfig({ ...printed(), ...known, ...events }))?.secrets).toEqual([secret]);
});

test('each run makes other secrets', () => {
  const [one, other] = [printed(), printed()];
  for (const name of OWN_SECRETS) expect([name, one[name] === other[name]]).toEqual([name, false]);
});
