// Every route that programs call answers as it is described, both when it succeeds and when it does not. A described
// route without both requests here fails.

import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { allAnswers, type RouteDescription } from '../../../src/merchant/http/route-description';
import { callService } from '../../support/call-service';
import { CARD, DECLINED_CARD } from '../../support/cards';
import { API_KEY } from '../../support/config';
import { registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();
let svcUid: string;
/** The discrepancy of a payment that fits no order. */
let strangerId: string;
const now = Math.floor(Date.now() / 1000);

beforeAll(async () => {
  await registerOrder(world, 'order-1');
  await registerOrder(world, 'to-charge');
  await registerOrder(world, 'to-close');
  const payment = await world.sandbox.pay({ merchant_uid: 'order-1', amount: 1000 });
  svcUid = payment.svc_uid;
  await world.sandbox.pay({ merchant_uid: 'stranger', amount: 1000 });
  await callService(world, '/subscribe/customers/card-1', CARD);
  const ofKey = { customer_uid: 'card-1', amount: 500, name: 'Tea' };
  await callService(world, '/subscribe/payments/again', { ...ofKey, merchant_uid: 'again' });
  await callService(world, '/subscribe/payments/schedule', {
    customer_uid: 'card-1',
    schedules: [{ merchant_uid: 'scheduled', amount: 500, name: 'Tea', schedule_at: now + 3600 }],
  });
  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ('card-1', 'member-1', 'active', now(), now())`,
  );
  const stranger = `select id from discrepancies where kind = 'unknown_order'`;
  strangerId = (await world.rows.query<{ id: string }>(stranger))[0]?.id ?? '';
  await insertWhatNeedsAPerson();
});

/** A charge, a refund, an issuance and a discrepancy that only a person can settle. */
async function insertWhatNeedsAPerson(): Promise<void> {
  await registerOrder(world, 'lost');
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, status, started_at)
     values ('lostcharge', 'lost', 'again', 'needs_review', now())`,
  );
  await world.rows.query(
    `insert into refunds (id, svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
     values (9001, 'svc_lost_1', 100, 0, 'cold', 'needs_review', now()),
       (9002, 'svc_lost_2', 100, 0, 'cold', 'pending', now())`,
  );
  await world.rows.query(
    `insert into billing_key_issuances (id, customer_uid, form_nonce, replaces_key, status, card_last_four,
       terms_version, privacy_version, consented_at, started_at)
     values (9001, 'card-1', 'nonce', false, 'needs_review', '9012', '1', '1', now(), now())`,
  );
  await world.rows.query(
    `insert into discrepancies (id, kind, svc_uid, merchant_uid, first_seen_at, last_seen_at)
     values (9001, 'unknown_payment', 'svc_lost_3', 'lost', now(), now())`,
  );
}

type SampleRequest = {
  status: number;
  path?: string;
  body?: object;
  headers?: Record<string, string>;
  /** Of the service, for this one request. */
  fault?: Record<string, unknown>;
};

const noKey = { authorization: '' };
const fromService = { 'x-forwarded-for': SERVICE_ADDRESS };

const subscription = {
  subscription_id: 'sub-1',
  customer_uid: 'card-1',
  member_id: 'member-1',
  name: 'Tea of the month',
  amount: 1000,
  interval: 'month',
  first_payment_at: new Date((now + 3600) * 1000).toISOString(),
};

/** By route: a request that succeeds, and one that does not. */
const requests: Record<string, () => [SampleRequest, SampleRequest]> = {
  'post /api/orders': () => [
    { status: 201, body: { merchant_uid: 'order-2', name: 'Tea', amount: 1000 } },
    { status: 409, body: { merchant_uid: 'order-1', name: 'Tea', amount: 1 } },
  ],
  'get /api/orders': () => [
    { status: 200, path: '/api/orders?status=paid&limit=1' },
    { status: 400, path: '/api/orders?status=gone' },
  ],
  'post /api/orders/{merchant_uid}/close': () => [
    { status: 200, path: '/api/orders/to-close/close' },
    { status: 409, path: '/api/orders/order-1/close' },
  ],
  'get /api/events': () => [
    { status: 200, path: '/api/events?limit=2' },
    { status: 400, path: '/api/events?after=x' },
  ],
  'post /api/events/{event_id}/replay': () => [
    { status: 202, path: '/api/events/order-1:1/replay' },
    { status: 404, path: '/api/events/order-1:99/replay' },
  ],
  'get /api/orders/{merchant_uid}': () => [
    { status: 200, path: '/api/orders/order-1' },
    { status: 404, path: '/api/orders/nobody' },
  ],
  'post /api/orders/{merchant_uid}/charge': () => [
    { status: 200, path: '/api/orders/to-charge/charge', body: { customer_uid: 'card-1' } },
    { status: 409, path: '/api/orders/order-1/charge', body: { customer_uid: 'card-1' } },
  ],
  'post /api/onetime': () => [
    { status: 200, body: { merchant_uid: 'onetime', name: 'Tea', amount: 1000, ...CARD } },
    {
      status: 402,
      body: {
        merchant_uid: 'declined',
        name: 'Tea',
        amount: 1000,
        ...CARD,
        card_number: DECLINED_CARD,
      },
    },
  ],
  'post /api/payments/{svc_uid}/cancel': () => [
    {
      status: 200,
      path: `/api/payments/${svcUid}/cancel`,
      body: { amount: 300, reason: 'cold', checksum: 1000 },
    },
    {
      status: 409,
      path: `/api/payments/${svcUid}/cancel`,
      body: { amount: 900, reason: 'cold', checksum: 700 },
    },
  ],
  'post /api/schedules': () => [
    {
      status: 201,
      body: {
        customer_uid: 'card-1',
        merchant_uid: 'another',
        name: 'Tea',
        amount: 500,
        schedule_at: now + 3600,
      },
    },
    { status: 400, body: { customer_uid: 'card-1', schedules: [] } },
  ],
  'post /api/schedules/revoke': () => [
    { status: 200, body: { customer_uid: 'card-1', merchant_uid: 'scheduled' } },
    { status: 404, body: { customer_uid: 'nobody' } },
  ],
  'get /api/payments/{svc_uid}': () => [
    { status: 200, path: `/api/payments/${svcUid}` },
    { status: 400, path: '/api/payments/%' },
  ],
  'get /api/payments': () => [{ status: 200 }, { status: 400, path: '/api/payments?page=99' }],
  'get /api/billing-keys': () => [
    { status: 200, path: '/api/billing-keys?customer_uid[]=card-1' },
    { status: 404, path: '/api/billing-keys?customer_uid[]=nobody' },
  ],
  'get /api/billing-keys/{customer_uid}/payments': () => [
    { status: 200, path: '/api/billing-keys/card-1/payments' },
    { status: 404, path: '/api/billing-keys/nobody/payments' },
  ],
  'get /api/members/{member_id}/cards': () => [
    { status: 200, path: '/api/members/member-1/cards' },
    { status: 401, path: '/api/members/member-1/cards', headers: noKey },
  ],
  'post /api/members/{member_id}/erase': () => [
    { status: 200, path: '/api/members/nobody/erase' },
    { status: 401, path: '/api/members/nobody/erase', headers: noKey },
  ],
  'post /api/payments/{svc_uid}/sync': () => [
    { status: 200, path: `/api/payments/${svcUid}/sync`, body: { merchant_uid: 'order-1' } },
    { status: 400, path: `/api/payments/${svcUid}/sync`, body: { merchant_uid: 'nobody' } },
  ],
  'get /api/schedules': () => [
    { status: 200, path: `/api/schedules?schedule_from=${now}&schedule_to=${now + 7200}` },
    {
      status: 503,
      path: `/api/schedules?schedule_from=${now}&schedule_to=${now + 7200}`,
      fault: { endpoint: 'GET /subscribe/payments/schedule', status: 503 },
    },
  ],
  'post /api/subscriptions': () => [
    { status: 201, body: subscription },
    { status: 404, body: { ...subscription, subscription_id: 'sub-2', customer_uid: 'nobody' } },
  ],
  'get /api/subscriptions/{subscription_id}': () => [
    { status: 200, path: '/api/subscriptions/sub-1' },
    { status: 404, path: '/api/subscriptions/nobody' },
  ],
  'post /api/subscriptions/{subscription_id}/cancel': () => [
    { status: 200, path: '/api/subscriptions/sub-1/cancel' },
    { status: 404, path: '/api/subscriptions/nobody/cancel' },
  ],
  'get /api/notifications': () => [{ status: 200 }, { status: 401, headers: noKey }],
  'get /api/source-address': () => [
    { status: 200, headers: fromService },
    { status: 401, headers: noKey },
  ],
  'get /api/charges': () => [{ status: 200 }, { status: 400, path: '/api/charges?after=odd' }],
  'post /api/charges/{id}/settle': () => [
    {
      status: 200,
      path: '/api/charges/lostcharge/settle',
      body: { outcome: 'not_executed', note: 'not there' },
    },
    { status: 404, path: '/api/charges/nocharge/settle', body: { outcome: 'paid', note: 'there' } },
  ],
  'get /api/refunds': () => [{ status: 200 }, { status: 400, path: '/api/refunds?status=odd' }],
  'post /api/refunds/{id}/settle': () => [
    { status: 200, path: '/api/refunds/9001/settle', body: { outcome: 'not_executed', note: 'not there' } },
    { status: 409, path: '/api/refunds/9002/settle', body: { outcome: 'refunded', note: 'there' } },
  ],
  'get /api/issuances': () => [{ status: 200 }, { status: 400, path: '/api/issuances?needs_person=1' }],
  'post /api/issuances/{id}/settle': () => [
    { status: 200, path: '/api/issuances/9001/settle', body: { outcome: 'issued', note: 'there' } },
    { status: 404, path: '/api/issuances/9009/settle', body: { outcome: 'issued', note: 'there' } },
  ],
  'post /api/discrepancies/{id}/resolve': () => [
    {
      status: 200,
      path: '/api/discrepancies/9001/resolve',
      body: { resolution: 'ignored', note: 'a test of the console' },
    },
    { status: 400, path: '/api/discrepancies/9001/resolve', body: { resolution: 'ignored' } },
  ],
  'post /api/discrepancies/{id}/refund': () => [
    { status: 200, path: `/api/discrepancies/${strangerId}/refund`, body: { reason: 'fits no order' } },
    { status: 409, path: '/api/discrepancies/9001/refund', body: { reason: 'fits no order' } },
  ],
  'get /api/discrepancies': () => [{ status: 200 }, { status: 400, path: '/api/discrepancies?kind=odd' }],
  'post /webhooks/payments': () => [
    { status: 200, body: { abc_uid: svcUid, merchant_uid: 'order-1' }, headers: fromService },
    { status: 403, body: { abc_uid: svcUid, merchant_uid: 'order-1' } },
  ],
  'get /healthz': () => [{ status: 200 }, { status: 404, path: '/healthz/' }],
  'get /readyz': () => [{ status: 200 }, { status: 404, path: '/Readyz' }],
  'get /metrics': () => [
    { status: 200 },
    { status: 401, headers: { ...noKey, 'x-forwarded-for': '6.6.6.6' } },
  ],
  'get /openapi.json': () => [{ status: 200 }, { status: 404, path: '/openapi' }],
};

describe.each(DESCRIBED_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (name, route) => {
    test.each(['as it should', 'as it should not'])('answers as described when asked %s', async (how) => {
      const sample = requests[name]?.()[how === 'as it should' ? 0 : 1];
      if (!sample) throw new Error(`${name} has no requests here`);
      if (sample.fault) await world.sandbox.fault(sample.fault);
      const answer = await ask(route, sample);
      expect(answer.status).toBe(sample.status);
      // Another path than the described one is answered by nobody, and described by nobody.
      if (sample.status === 404 && !route.path.startsWith('/api')) return;
      const described = allAnswers(route).get(answer.status);
      const { contentType = 'application/json', schema } = described ?? { schema: null };
      expect(answer.contentType).toContain(contentType);
      expect(schema?.safeParse(answer.body).error).toBeUndefined();
      expect(schema).not.toBeNull();
    });
  },
);

test('no request is kept for a route that is not described', () => {
  const described = DESCRIBED_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(requests).filter((name) => !described.includes(name))).toEqual([]);
});

test('the lists had rows, so that those were compared as well', async () => {
  const paths = ['notifications', 'discrepancies', 'payments', 'billing-keys/card-1/payments'];
  for (const path of [...paths, 'charges', 'refunds', 'issuances'])
    expect((await world.api('GET', `/api/${path}`)).body.list).not.toEqual([]);
  const { body } = await world.api('GET', `/api/schedules?schedule_from=${now}&schedule_to=${now + 7200}`);
  expect(body).not.toEqual([]);
  expect((await world.api('GET', '/api/members/member-1/cards')).body).not.toEqual([]);
});

async function ask({ method, path }: RouteDescription, { path: other = path, body, headers }: SampleRequest) {
  const response = await fetch(`${world.url}${other}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const contentType = response.headers.get('content-type') ?? '';
  const text = await response.text();
  const isJson = contentType.includes('application/json');
  return { status: response.status, contentType, body: isJson ? (JSON.parse(text) as unknown) : text };
}
