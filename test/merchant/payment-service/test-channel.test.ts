// Payments of test channels are hidden by the service unless the query asks for them (§4.4): an account in its test phase
// would see none of its payments, and a live shop must never see one.

import type { Config } from '../../../src/merchant/config';
import { closeContext, createContext } from '../../../src/merchant/context';
import type { PaymentService } from '../../../src/merchant/payment-service/payment-service';
import { createManualClock } from '../../support/clock';
import { testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';
import { startRecordingService, type RecordingService } from '../../support/recording-service';

let recording: RecordingService;
beforeAll(async () => {
  recording = await startRecordingService();
});
afterAll(() => recording.close());

/** Every operation that shows payments. */
const OPERATIONS: Record<string, (service: PaymentService) => Promise<unknown>> = {
  'GET /payments/svc_1': (service) => service.findPayment('svc_1'),
  'GET /payments/findAll/o1': (service) => service.findAllPaymentsByMerchantUid('o1'),
  'GET /payments/findAll/o1/paid': (service) =>
    service.findAllPaymentsByMerchantUid('o1', { status: 'paid' }),
  'GET /payments/status/all': (service) => service.getPaymentsByStatus('all', { limit: 5 }),
  'GET /subscribe/customers/c1/payments': (service) => service.getBillingKeyPayments('c1', 2),
};

/** What each operation sends as `include_sandbox`, from a merchant with these settings. */
async function sent(settings: Partial<Config>): Promise<Record<string, string | null>> {
  recording.requests.length = 0;
  const config = { ...testConfig({ SERVICE_BASE_URL: recording.url }), ...settings };
  const context = createContext({ config, clock: createManualClock(), logger: createRecordedLog().logger });
  for (const ask of Object.values(OPERATIONS)) await ask(context.service).catch(() => undefined);
  await closeContext(context);
  return Object.fromEntries(
    recording.requests.map(({ method, path, query }) => [`${method} ${path}`, query.get('include_sandbox')]),
  );
}

test('outside production every query for payments asks for those of test channels too', async () => {
  const all = Object.keys(OPERATIONS).map((endpoint) => [endpoint, 'true']);
  expect(await sent({ production: false })).toEqual(Object.fromEntries(all));
});

test('in production none does', async () => {
  const none = Object.keys(OPERATIONS).map((endpoint) => [endpoint, null]);
  expect(await sent({ production: true })).toEqual(Object.fromEntries(none));
});

test('the rest of the query stays as it was', async () => {
  await sent({ production: false });
  expect(recording.requests.map(({ query }) => query.toString())).toEqual([
    'include_sandbox=true',
    'page=1&include_sandbox=true',
    'page=1&include_sandbox=true',
    'limit=5&include_sandbox=true',
    'page=2&include_sandbox=true',
  ]);
});
