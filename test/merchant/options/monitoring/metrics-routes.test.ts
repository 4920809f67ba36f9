// Who may read /metrics. Counters need no database.

import request from 'supertest';
import { createApp } from '../../../../src/merchant/app';
import { FEATURES } from '../../../../src/merchant/features';
import { createContext } from '../../../../src/merchant/platform/context';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { createManualClock } from '../../../support/clock';
import { API_KEY, testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';

const context = createContext({
  config: testConfig(),
  clock: createManualClock(),
  logger: createRecordedLog().logger,
  features: FEATURES,
});
const app = createApp(context, createReadiness(context));
const key = { authorization: `Bearer ${API_KEY}` };
/** From another host, through the reverse proxy. */
const fromElsewhere = { 'x-forwarded-for': '203.0.113.7' };

test('the metrics need no key from a local program, and need it through a local proxy', async () => {
  const ask = (headers: Record<string, string>) => request(app).get('/metrics').set(headers);
  const local = await ask({});
  expect([local.status, local.type]).toEqual([200, 'text/plain']);
  expect(local.text).toContain('# TYPE merchant_notifications_total counter');
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Proto', 'X-Real-IP', 'Via']) {
    // Also a proxy on this machine that is not in TRUSTED_PROXIES, and one without a usable header.
    expect([name, (await ask({ [name]: '127.0.0.1' })).status]).toEqual([name, 401]);
  }
  expect((await ask(fromElsewhere)).status).toBe(401);
  expect((await ask({ ...fromElsewhere, ...key })).status).toBe(200);
});
