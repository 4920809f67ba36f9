// Payments of test channels are hidden by the service unless the query asks for them (§4.4): an account in its test phase
// would see none of its payments, and a live shop must never see one.

import { FEATURES } from '../../../src/merchant/features';
import type { PaymentService } from '../../../src/merchant/payment-service/payment-service';
import { closeContext, createContext } from '../../../src/merchant/platform/context';
import { createManualClock } from '../../support/clock';
import { testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';
import { startRecordingService, type RecordingService } from '../../support/service-client';

let recording: RecordingService;
beforeAll(async () => {
  recording = await startRecordingService();
});
afterAll(() => recording.close());

/** Every operation that shows payments: its path, and the rest of its query. */
const OPERATIONS: [string, query: string, ask: (service: PaymentService) => Promise<unknown>][] = [
  ['/payments/svc_1', '', (service) => service.findPayment('svc_1')],
  ['/payments/findAll/o1', 'page=1', (service) => service.findAllPaymentsByMerchantUid('o1')],
  ['/payments/status/all', 'limit=5', (service) => service.getPaymentsByStatus('all', { limit: 5 })],
  ['/subscribe/customers/c1/payments', 'page=2', (service) => service.getBillingKeyPayments('c1', 2)],
];

test.each([
  ['outside production every query for payments asks for those of test channels too', false],
  ['in production none does', true],
])('%s, and the rest of the query does not change', async (_, production) => {
  recording.requests.length = 0;
  const config = { ...testConfig({ SERVICE_BASE_URL: recording.url }), production };
  const context = createContext({
    config,
    clock: createManualClock(),
    logger: createRecordedLog().logger,
    features: FEATURES,
  });
  for (const [, , ask] of OPERATIONS) await ask(context.service).catch(() => undefined);
  await closeContext(context);
  const asked = recording.requests.map(({ path, query }) => [path, query.toString()]);
  const added = production ? [] : ['include_sandbox=true'];
  expect(asked).toEqual(
    OPERATIONS.map(([path, query]) => [path, [query, ...added].filter((part) => part !== '').join('&')]),
  );
});
