// Every API route answers as described, for success and for errors. The example of its body is accepted unchanged.

import { API } from '../../../src/merchant/features';
import { openapiDocument } from '../../../src/merchant/options/api-docs/openapi-document';
import { allAnswers } from '../../../src/merchant/options/api-docs/route-answers';
import type { RouteDescription } from '../../../src/merchant/platform/http/route-description';
import { ask as request } from '../../support/ask';
import { CARD, DECLINED_CARD } from '../../support/cards';
import { API_KEY, NAME_PREFIX } from '../../support/config';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { keyOf, loseIssuance, registerKey } from '../../support/keys';
import { charge, registerOrder } from '../../support/orders';
import { send } from '../../support/raw-http';
import { CHARGE_KEY, ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

type Ids = Record<string, string>;
type Answer = { status: number; contentType: string; body: any };
type Asked = { path: string; body?: unknown; headers?: Record<string, string> };
/** 401 is tested without the key, and 403 from an unlisted address. */
type Refusal = [status: number, path?: string | null, body?: object];

const DOCUMENT = openapiDocument(API);
const CHARGE = 'post /api/orders/{merchant_uid}/charge';
const idOf = (name: string) => API.pathParameters[name]?.example ?? '';

const world = useWorld();
/** The answer to the example of each route's body. */
const served = new Map<string, Answer>();
/** The payment of the story. */
let svcUid: string;

const nothing = () => Promise.resolve({});

/** In this order: the steps before the example of a route is posted, and the ids that they return. */
const STORY: Record<string, () => Promise<Ids>> = {
  'post /api/orders': nothing,
  'post /api/onetime': nothing,
  [CHARGE]: storedCard,
  'post /api/payments/{svc_uid}/sync': nothing,
  'post /api/payments/{svc_uid}/cancel': nothing,
  'post /webhooks/payments': nothing,
  'post /api/subscriptions': nothing,
  'post /api/subscriptions/{subscription_id}/change': nothing,
  'post /api/subscriptions/{subscription_id}/pause': nothing,
  'post /api/subscriptions/{subscription_id}/resume': nothing,
  'post /api/subscriptions/{subscription_id}/cancel': subscriptionToCancel,
  'post /api/schedules': nothing,
  'post /api/keys': nothing,
  'post /api/keys/{id}/revoke': keyToRevoke,
  'post /api/schedules/revoke': nothing,
  'post /api/discrepancies/{id}/resolve': () => misfit('order-1007'),
  'post /api/discrepancies/{id}/refund': () => misfit('order-1008'),
  'post /api/discrepancies/{id}/billing-key': unknownKey,
  'post /api/charges/{id}/settle': () =>
    lostAttempt('/api/charges', CHARGE_KEY, async () => {
      await registerOrder(world, 'order-1005', { member_id: idOf('member_id') });
      await charge(world, 'order-1005', idOf('customer_uid'));
    }),
  'post /api/refunds/{id}/settle': () =>
    lostAttempt('/api/refunds', CANCEL_PAYMENT, async () => {
      await registerOrder(world, 'order-1006');
      const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'order-1006', amount: 1000 });
      await world.api('POST', `/api/payments/${svc_uid}/cancel`, { reason: 'cold' });
    }),
  'post /api/issuances/{id}/settle': () =>
    lostAttempt('/api/issuances', ISSUE_KEY, () => loseIssuance(world, 'reset')),
  'post /api/ledger/problems/{id}/resolve': settlementProblem,
};

/** The card that the examples pay with. The example of a key-in payment stores it, where there is that route. */
async function storedCard(): Promise<Ids> {
  const key = { customerUid: idOf('customer_uid'), memberId: idOf('member_id') };
  if (!(await keyOf(world, key.customerUid))) await registerKey(world, key);
  return {};
}

/** Not the one of the story, which is still to be changed. */
async function subscriptionToCancel(): Promise<Ids> {
  const ids = { subscription_id: 'to-cancel' };
  const { status } = await world.api('POST', '/api/subscriptions', { ...(subscription as object), ...ids });
  expect(status).toBe(201);
  return ids;
}

/** Not the one of the story, whose name is still to be taken. */
async function keyToRevoke(): Promise<Ids> {
  const { body } = await world.api('POST', '/api/keys', { name: 'to-revoke', scopes: ['read'] });
  return { id: body.id };
}

/** A payment of another amount than its order: its discrepancy. */
async function misfit(merchantUid: string): Promise<Ids> {
  await registerOrder(world, merchantUid);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 999 });
  const { body } = await world.api('GET', `/api/discrepancies?merchant_uid=${merchantUid}`);
  return { id: body.list[0].id };
}

/** A key that nobody asked for: its discrepancy. */
async function unknownKey(): Promise<Ids> {
  await world.sandbox.pay({ merchant_uid: 'nobodys', customer_uid: 'nobodys-key', amount: 0 });
  const { body } = await world.api('GET', '/api/discrepancies?kind=unknown_billing_key');
  return { id: body.list[0].id };
}

/** A row of a settlement file that fits nothing. */
async function settlementProblem(): Promise<Ids> {
  const [row] = await world.rows.query<{ id: string }>(
    `insert into settlement_problems (hash, problem, file, line, reference, kind, amount, fee, paid_out_on, ledger_amounts,
      found_at) values ('1', 'amount_differs', 'november.csv', 2, 'svc_1', 'payment', 9, 1, '2026-11-25', '{8}', now())
    returning id`,
  );
  return { id: row?.id ?? '' };
}

/** The newest attempt of a list, after a call that never reached the service, at a time when a decision is allowed. */
async function lostAttempt(list: string, endpoint: string, act: () => Promise<unknown>): Promise<Ids> {
  await world.sandbox.fault({ endpoint, kind: 'reset' });
  await act();
  world.clock.advance(600);
  const { body } = await world.api('GET', `${list}?status=unknown`);
  return { id: body.list[0].id };
}

/** Paths of routes without a body, if the ids of the story do not fit. */
const OTHER_PATHS: Record<string, string> = {
  'post /api/orders/{merchant_uid}/close': '/api/orders/to-close/close',
  'post /api/members/{member_id}/erase': '/api/members/nobody/erase',
  'delete /api/billing-keys/{customer_uid}': '/api/billing-keys/to-remove',
};

const card = { customer_uid: idOf('customer_uid') };
const nobody = { customer_uid: 'nobody' };
/** Undefined where the option is gone. */
const subscription = API.routes.find((route) => nameOf(route) === 'post /api/subscriptions')?.body?.example;
const declined = { merchant_uid: 'declined', name: 'Tea', amount: 1000, ...CARD, card_number: DECLINED_CARD };

/** The refusals of each route other than a missing key. Null for the path of the story. */
const REFUSALS: Record<string, Refusal> = {
  'post /api/orders': [409, null, { merchant_uid: 'order-1001', name: 'Tea', amount: 1 }],
  'get /api/orders': [400, '/api/orders?status=gone'],
  'post /api/orders/{merchant_uid}/close': [409],
  'get /api/events': [400, '/api/events?after=x'],
  'post /api/events/{event_id}/replay': [404, '/api/events/order-1001:99/replay'],
  'get /api/orders/{merchant_uid}': [404, '/api/orders/nobody'],
  [CHARGE]: [409, null, card],
  'post /api/onetime': [402, null, declined],
  'post /api/payments/{svc_uid}/cancel': [409, null, { amount: 9_000, reason: 'cold', checksum: 8_000 }],
  'post /api/schedules': [400, null, { ...card, schedules: [] }],
  'post /api/schedules/revoke': [404, null, nobody],
  'get /api/payments/{svc_uid}': [400, '/api/payments/%'],
  'get /api/payments': [400, '/api/payments?page=99'],
  'get /api/billing-keys': [404, '/api/billing-keys?customer_uid[]=nobody'],
  'get /api/billing-keys/{customer_uid}/payments': [404, '/api/billing-keys/nobody/payments'],
  'post /api/payments/{svc_uid}/sync': [400, null, { merchant_uid: 'nobody' }],
  'get /api/schedules': [400, '/api/schedules?schedule_from=2&schedule_to=1'],
  'post /api/subscriptions': [
    404,
    null,
    { ...(subscription as object), subscription_id: 'sub-2', ...nobody },
  ],
  'post /api/keys': [409, null, { name: 'warehouse', scopes: ['read'] }],
  'post /api/keys/{id}/revoke': [404, '/api/keys/99/revoke'],
  'get /api/subscriptions/{subscription_id}': [404, '/api/subscriptions/nobody'],
  'post /api/subscriptions/{subscription_id}/cancel': [404, '/api/subscriptions/nobody/cancel'],
  'post /api/subscriptions/{subscription_id}/change': [404, null, nobody],
  'post /api/subscriptions/{subscription_id}/pause': [404, '/api/subscriptions/nobody/pause'],
  'post /api/subscriptions/{subscription_id}/resume': [404, '/api/subscriptions/nobody/resume'],
  'post /api/charges/{id}/settle': [404, '/api/charges/lost/settle', { outcome: 'paid', note: 'there' }],
  'post /api/refunds/{id}/settle': [404, '/api/refunds/99/settle', { outcome: 'refunded', note: 'there' }],
  'post /api/issuances/{id}/settle': [404, '/api/issuances/99/settle', { outcome: 'issued', note: 'there' }],
  'post /api/discrepancies/{id}/resolve': [400, null, { resolution: 'ignored' }],
  'post /api/ledger/problems/{id}/resolve': [404, '/api/ledger/problems/99/resolve', { note: 'Seen' }],
  'post /api/discrepancies/{id}/refund': [404, '/api/discrepancies/99/refund', { reason: 'fits no order' }],
  'post /api/discrepancies/{id}/billing-key': [
    404,
    null,
    exampleOf('post /api/discrepancies/{id}/billing-key'),
  ],
  'delete /api/billing-keys/{customer_uid}': [404, '/api/billing-keys/nobody'],
  'post /webhooks/payments': [403, null, {}],
  'get /healthz': [404, '/healthz/'],
  'get /readyz': [404, '/Readyz'],
  'get /openapi.json': [404, '/openapi'],
};

beforeAll(async () => {
  await registerOrder(world, 'to-close');
  await registerKey(world, { customerUid: 'to-remove' });
  // The routes of options may have been removed.
  const story = Object.entries(STORY).filter(([name]) => API.routes.some((route) => nameOf(route) === name));
  for (const [name, prepare] of story) {
    const { path } = routeOf(name);
    const ids = await prepare();
    const example = exampleOf(name);
    // Under the prefix of the service, as it writes it.
    const onTheWire = { ...example, svc_uid: undefined, [`${NAME_PREFIX}_uid`]: svcUid };
    const body = path.startsWith('/webhooks') ? onTheWire : example;
    const answer = await ask(name, { path: withIds(path, ids), body });
    served.set(name, answer);
    if (name === CHARGE) svcUid = answer.body.order.payments[0].svc_uid;
  }
  // The story has revoked its only one.
  const [planned] = (exampleOf('post /api/schedules') as { schedules: object[] }).schedules;
  const schedules = [{ ...planned, merchant_uid: 'to-plan' }];
  expect((await world.api('POST', '/api/schedules', { ...card, schedules })).status).toBe(201);
});

test('the description is compressed, because it is the same for every client', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const answer = await send(world.url, '/openapi.json', { method: 'GET', headers });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'br']);
});

describe.each(API.routes.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  test('answers a valid request as described', async () => {
    const answer = served.get(name) ?? (await ask(name, { path: OTHER_PATHS[name] ?? pathOf(route) }));
    expect([200, 201, 202]).toContain(answer.status);
    expectAsDescribed(route, answer);
    // An empty list would not show that rows are as described.
    expect(answer.body.list ?? answer.body).not.toEqual([]);
  });

  test('answers an invalid request as described', async () => {
    const [status, path, body] = REFUSALS[name] ?? [401];
    const headers = {
      ...(status === 401 && { authorization: '' }),
      ...(status === 403 && { 'x-forwarded-for': '6.6.6.6' }),
    };
    const answer = await ask(name, { path: path ?? pathOf(route), body, headers });
    expect(answer.status).toBe(status);
    // A path other than the described one is a 404 that is not described.
    if (status !== 404 || route.path.startsWith('/api')) expectAsDescribed(route, answer);
  });
});

function expectAsDescribed(route: RouteDescription, { status, contentType, body }: Answer): void {
  const described = allAnswers(route).get(status);
  expect(contentType).toContain(described?.contentType ?? 'application/json');
  expect(described?.schema.safeParse(body)).toMatchObject({ success: true });
}

function nameOf({ method, path }: RouteDescription): string {
  return `${method} ${path}`;
}

function routeOf(name: string): RouteDescription {
  const route = API.routes.find((each) => nameOf(each) === name);
  if (!route) throw new Error(`${name} is not described`);
  return route;
}

function exampleOf(name: string): object {
  return routeOf(name).body?.example as object;
}

/** With the ids of the story, and the examples of the query where it is required. */
function pathOf({ path, method }: RouteDescription): string {
  const { parameters = [] } = DOCUMENT.paths[path]?.[method] ?? {};
  const query = new URLSearchParams();
  for (const { name, in: place, required, example } of parameters)
    if (place === 'query' && required) query.append(name, String(example));
  return `${withIds(path, {})}?${query.toString()}`;
}

/** The path with these ids, and with those of the story where none is given. */
function withIds(path: string, ids: Ids): string {
  const known: Ids = { svc_uid: svcUid, ...ids };
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(known[name] ?? idOf(name)));
}

/** By a caller with the key, from an address of the service. */
async function ask(name: string, { path, body, headers }: Asked): Promise<Answer> {
  const answer = await request(world.url, routeOf(name).method, path, {
    headers: {
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'x-forwarded-for': SERVICE_ADDRESS,
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const contentType = answer.headers['content-type'] ?? '';
  const isJson = contentType.includes('application/json');
  return { status: answer.status, contentType, body: isJson ? JSON.parse(answer.text) : answer.text };
}
