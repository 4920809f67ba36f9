// The service answers wrongly, late or not at all (chapter E of docs/faults.md). The client says what is known then,
// and sends nothing twice that may have happened.

import { inspect } from 'node:util';
import { ServiceError } from '../../src/merchant/errors';
import type { PaymentService } from '../../src/merchant/payment-service/payment-service';
import { getAccessToken } from '../support/call-service';
import { CARD_INPUT } from '../support/cards';
import { FETCH_PAYMENT, FIND_PAYMENTS, ISSUE_KEY, TOKEN } from '../support/endpoints';
import { paySilently } from '../support/orders';
import { CREDENTIALS, factsOf, useFreshClient } from '../support/start-client';

const client = useFreshClient();
let svcUid: string;
beforeEach(async () => {
  svcUid = (await paySilently(client, 'o1')).svc_uid;
});

const fetchPayment = () => client.service.findPayment(svcUid);

const ANSWERS = [
  ['E12: 500', { kind: 'status', status: 500 }, 'server_error', true],
  ['E12: 503', { kind: 'status', status: 503 }, 'server_error', true],
  ['E14: hangs', { kind: 'delay', delay_ms: 60_000 }, 'no_answer', true],
  ['E15: drips', { kind: 'drip', delay_ms: 50 }, 'no_answer', true],
  ['cut', { kind: 'reset' }, 'no_answer', true],
  ['answer lost', { kind: 'lost_response' }, 'no_answer', true],
  ['E16: HTML with 200', { kind: 'html' }, 'bad_answer', true],
  ['E16: HTML with 404', { kind: 'html', status: 404 }, 'bad_answer', true],
  ['E16: broken JSON', { kind: 'garbage' }, 'bad_answer', true],
  ['E17: too large', { kind: 'garbage', bytes: 5_000_000 }, 'bad_answer', true],
  ['E18: redirect', { kind: 'redirect', status: 307 }, 'bad_answer', true],
  ['E20: code with 200', { kind: 'status', status: 200 }, 'refused', false],
  ['400', { kind: 'status', status: 400 }, 'refused', false],
  ['E21: 429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 'rate_limited', false],
] as const;

/** Only what never ends is worth a short deadline: everything else has time on a busy machine. */
const timeoutFor = (fault: { kind: string }) => (['delay', 'drip'].includes(fault.kind) ? 200 : 10_000);

describe.each(ANSWERS)('%s', (_, fault, kind, mayHaveHappened) => {
  let service: PaymentService;
  beforeEach(() => {
    service = client.another({ timeoutMs: timeoutFor(fault) });
  });

  test(`a fetch ends ${kind}`, async () => {
    await client.sandbox.fault({ endpoint: FETCH_PAYMENT, times: 1, ...fault });
    expect(await factsOf(service.findPayment(svcUid))).toMatchObject({ kind, path: '/payments/{svc_uid}' });
  });

  test('an issuance is sent once and says whether it may have happened', async () => {
    await client.sandbox.fault({ endpoint: ISSUE_KEY, times: 1, ...fault });
    const facts = await factsOf(service.issueBillingKey('c1', CARD_INPUT));
    expect(facts).toMatchObject({ kind, mayHaveHappened });
    expect(client.calls.map(({ path }) => path)).toEqual([
      '/users/getToken',
      '/subscribe/customers/{customer_uid}',
    ]);
  });

  test('a fault of the token call leaves the issuance unsent and certain', async () => {
    await client.sandbox.fault({ endpoint: TOKEN, times: 1, ...fault });
    const facts = await factsOf(service.issueBillingKey('c1', CARD_INPUT));
    expect(facts).toMatchObject({ path: '/users/getToken', mayHaveHappened: false });
    expect(client.calls.map(({ path }) => path)).not.toContain('/subscribe/customers/{customer_uid}');
  });
});

test.each([
  ['null', null],
  ['a list', []],
  ['empty', {}],
  [
    'about another payment',
    { svc_uid: 'svc_other', merchant_uid: 'o1', status: 'paid', amount: 1, currency: 'KRW' },
  ],
])('E19: a response that is %s is a bad answer', async (_, response) => {
  await client.sandbox.fault({
    endpoint: FETCH_PAYMENT,
    times: 1,
    kind: 'status',
    status: 200,
    body: { code: 0, message: null, response },
  });
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'bad_answer' });
});

test('E14: one deadline holds for the token and the call together', async () => {
  await client.sandbox.fault({ endpoint: TOKEN, kind: 'delay', delay_ms: 250 });
  await client.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 250 });
  const payment = client.another({ timeoutMs: 400 }).findPayment(svcUid);
  expect(await factsOf(payment)).toMatchObject({ kind: 'no_answer', detail: 'deadline passed' });
});

test('a list of one order that never ends is a bad answer', async () => {
  const page = { total: 9_999, previous: 0, next: 101, list: [] };
  const body = { code: 0, message: null, response: page };
  await client.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 200, body });
  expect(await factsOf(client.service.findAllPaymentsByMerchantUid('o1'))).toMatchObject({
    kind: 'bad_answer',
  });
});

describe('identifiers', () => {
  test.each(['../users/getToken', '..', 'status/all', 'http://evil.example/x', '//evil.example/x'])(
    'C1 to C4: %s is never sent',
    async (id) => {
      const calls = [
        () => client.service.findPayment(id),
        () => client.service.findAllPaymentsByMerchantUid(id),
        () => client.service.findNewerPayment(id),
        () => client.service.getBillingKeyPayments(id),
        () => client.service.findBillingKeys([id]),
        () => client.service.cancelPayment({ svcUid: id }),
        () => client.service.schedulePayments('c1', [{ merchantUid: id, scheduleAt: new Date(), amount: 1 }]),
        () => client.service.unschedulePayments('c1', [id]),
      ];
      for (const call of calls) {
        expect(await factsOf(call())).toMatchObject({
          kind: 'refused',
          detail: expect.stringContaining('nothing was sent'),
        });
      }
      expect(client.calls).toEqual([]);
    },
  );
});

describe('J1: no fault holds the card, a credential or the token', () => {
  const echo = `no: ${CARD_INPUT.cardNumber} ${CREDENTIALS.secret} ${CREDENTIALS.key}`;
  const everyFault = [
    ...ANSWERS.map(([, fault]) => fault),
    { kind: 'status', status: 400, body: { code: -1, message: echo, response: null } },
    {
      kind: 'status',
      status: 200,
      body: { code: 0, message: echo, response: { status: echo, amount: echo } },
    },
    { kind: 'unauthorized', body: { code: -1, message: echo } },
  ];

  test.each(everyFault)('%j', async (fault) => {
    const token = await getAccessToken(client, CREDENTIALS);
    const service = client.another({ timeoutMs: timeoutFor(fault) });
    const charge = { card: CARD_INPUT, merchantUid: 'o9', amount: 5, customerUid: 'c9' };
    const calls = [
      [ISSUE_KEY, () => service.issueBillingKey('c1', CARD_INPUT)],
      ['POST /subscribe/payments/onetime', () => service.payOnetime(charge)],
      ['GET /v2/payments/:payment_id', () => service.findNewerPayment('o1')],
      [TOKEN, () => client.another({ timeoutMs: timeoutFor(fault) }).issueBillingKey('c1', CARD_INPUT)],
    ] as const;
    for (const [endpoint, call] of calls) {
      await client.sandbox.clearFaults();
      await client.sandbox.fault({ endpoint, times: 9, ...fault });
      const error: unknown = await call().catch((caught: unknown) => caught);
      // Code 0 means that the key was issued, whatever else the answer holds.
      if (error !== undefined) expectNoCanary(error, token);
    }
  });

  test('unreachable, and what is never sent', async () => {
    const token = await getAccessToken(client, CREDENTIALS);
    expectNoCanary(
      await client.service.issueBillingKey('../x', CARD_INPUT).catch((error: unknown) => error),
      token,
    );
    const { service, sandbox } = client;
    await client.close();
    expect(sandbox.url).toMatch(/^http/);
    expectNoCanary(await service.issueBillingKey('c1', CARD_INPUT).catch((error: unknown) => error), token);
  });

  function expectNoCanary(error: unknown, token: string) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).cause).toBeUndefined();
    const seen = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error) + String(error);
    const canaries = [
      token,
      ...Object.values(CREDENTIALS),
      CARD_INPUT.cardNumber,
      CARD_INPUT.cardNumber.replaceAll('-', ''),
      CARD_INPUT.expiry,
    ];
    for (const canary of canaries) expect(seen).not.toContain(canary);
    expect(seen).not.toMatch(/axios|Bearer/i);
  }
});
