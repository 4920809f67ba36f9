// In production SERVICE_V2_BASE_URL and SERVICE_API_KEY may be left out. The newer generation is switched off then: its
// notifications are refused, and the legacy ones are as before.

import { checkService } from '../../../src/merchant/cli/check-service';
import { closeContext, createContext } from '../../../src/merchant/context';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { startMerchant } from '../../../src/merchant/start-merchant';
import { callApi } from '../../support/call-api';
import { useRunningContext } from '../../support/context';
import { openBetween } from '../../support/open-between';
import { paySilently, registerOrder } from '../../support/orders';
import { SERVICE_ADDRESS } from '../../support/world';

const running = useRunningContext();
const options = () => {
  const { config, clock, logger } = running.context;
  return { config: { ...config, service: { ...config.service, newer: null } }, clock, logger };
};
const off = openBetween(beforeAll, afterAll, () => createContext(options()), closeContext);
const merchant = openBetween(
  beforeAll,
  afterAll,
  () => startMerchant({ ...options(), runJobs: false }),
  (started) => started.close(),
);
const url = () => `http://127.0.0.1:${merchant.port}`;
const api = (method: string, path: string, body?: unknown) => callApi(url(), method, path, body);

async function notify(body: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url()}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

test('switched off, a notification of the newer generation is malformed and counted, and nothing is stored or sent', async () => {
  const uid = await registerOrder({ api });
  const { svc_uid } = await paySilently(running, uid);
  const rows = await running.rows.books();
  const requests = await running.sandbox.allRequests();

  const answer = await notify({ tx_id: svc_uid, payment_id: uid, status: 'PAID' });
  expect(answer).toEqual({ status: 400, body: { outcome: 'malformed' } });
  expect(await running.rows.books()).toBe(rows);
  expect(await running.sandbox.allRequests()).toBe(requests);
  const metrics = await (await fetch(`${url()}/metrics`)).text();
  expect(metrics).toContain('merchant_notifications_total{outcome="malformed"} 1');
  expect(running.log.lines().filter(({ reason }) => reason === 'newer_generation_off')).toHaveLength(1);

  const legacy = await notify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' });
  expect(legacy).toEqual({ status: 200, body: { outcome: 'recorded' } });
});

test('switched off, a notification that was stored before stays queued, and nothing is sent', async () => {
  const merchantUid = await registerOrder({ api });
  const { svc_uid: svcUid } = await paySilently(running, merchantUid);
  const money = await running.rows.money();
  const requests = await running.sandbox.allRequests();
  const result = await syncPayment(off, { svcUid, merchantUid, generation: 'newer' });
  expect(result).toMatchObject({ outcome: 'queued', reason: 'unauthorized' });
  expect(await running.rows.money()).toBe(money);
  expect(await running.sandbox.allRequests()).toBe(requests);
});

test('switched off, doctor says so and asks for nothing of the newer generation', async () => {
  const checks = await checkService(off);
  const says = 'switched off: notifications of the newer generation are refused';
  expect(checks.find(({ name }) => name === 'service v2')).toMatchObject({ state: 'ok', says });
  expect(await running.sandbox.requests('POST /v2/signin/api-key')).toBe(0);
});
