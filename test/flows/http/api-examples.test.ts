// The examples of the API description are true: each body is served when it is sent as it stands, and each answer is one
// that its route can give. A route without examples fails.

import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { chargeExample } from '../../../src/merchant/charges/charge-examples';
import { PATH_PARAMETERS } from '../../../src/merchant/http/path-parameters';
import type { RouteDescription } from '../../../src/merchant/http/route-description';
import { newOrderExample } from '../../../src/merchant/orders/order-examples';
import { scheduleExample } from '../../../src/merchant/schedules/schedule-examples';
import { callService } from '../../support/call-service';
import { CARD } from '../../support/cards';
import { API_KEY, NAME_PREFIX } from '../../support/config';
import { newUid, registerOrder } from '../../support/orders';
import { SERVICE_ADDRESS, startWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const { member_id } = newOrderExample;
  const { customer_uid } = chargeExample;
  await callService(world, `/subscribe/customers/${customer_uid}`, CARD);
  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ($1, $2, 'active', now(), now())`,
    [customer_uid, member_id],
  );
});
afterAll(() => world.close());

type Ids = Partial<Record<keyof typeof PATH_PARAMETERS, string>>;

/** By route: what has to be there before its example succeeds. Returns ids that the service or a row has given. */
const prepare: Record<string, () => Promise<Ids | undefined>> = {
  'post /api/orders/{merchant_uid}/charge': async () => {
    await world.api('POST', '/api/orders', newOrderExample);
    return undefined;
  },
  'post /api/payments/{svc_uid}/cancel': async () => {
    const { amount } = newOrderExample;
    const merchant_uid = await registerOrder(world, newUid(), { amount });
    return world.sandbox.pay({ merchant_uid, amount, ...chargeExample });
  },
  'post /api/schedules/revoke': async () => {
    await world.api('POST', '/api/schedules', scheduleExample);
    return undefined;
  },
  'post /webhooks/payments': async () => {
    await world.api('POST', '/api/orders', newOrderExample);
    return world.sandbox.pay({ ...newOrderExample, notify: false });
  },
};

const named = (routes: readonly RouteDescription[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const withBody = DESCRIBED_ROUTES.filter(({ body }) => body);

describe('a body', () => {
  test.each(named(withBody))('of %s is served as it stands', async (name, route) => {
    const ids = (await prepare[name]?.()) ?? {};
    const answer = await send(route, ids);
    expect(route.body?.example).toBeDefined();
    expect([200, 201]).toContain(answer.status);
    expect(shapeOf(answer.body)).toEqual(shapeOf(route.answers[answer.status]?.example));
  });

  test('is set up for no route that is not there', () => {
    expect(Object.keys(prepare).filter((name) => !named(withBody).some(([each]) => each === name))).toEqual(
      [],
    );
  });
});

describe('an answer', () => {
  test.each(named(DESCRIBED_ROUTES))('of %s fits its schema, and the first one is shown', (_name, route) => {
    const [[, first] = []] = Object.entries(route.answers);
    expect(first?.example).toBeDefined();
    for (const { schema, example } of Object.values(route.answers))
      if (example !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
  });
});

describe('a parameter', () => {
  test.each(named(DESCRIBED_ROUTES.filter(({ path }) => path.includes('{'))))(
    'in the path of %s is described once for all routes',
    (_name, { path }) => {
      for (const [, parameter] of path.matchAll(/\{(\w+)\}/g))
        expect(Object.keys(PATH_PARAMETERS)).toContain(parameter);
    },
  );

  test.each(named(DESCRIBED_ROUTES.filter(({ query }) => query)))(
    'in the query of %s has a description, and an example where it is required',
    async (_name, { path }) => {
      const { paths } = (await world.api('GET', '/openapi.json')).body;
      const required = new URLSearchParams();
      for (const { name, in: place, description, required: isRequired, example, schema } of paths[path].get
        .parameters) {
        if (place === 'query') expect([name, description ?? schema.enum]).toEqual([name, expect.anything()]);
        if (place === 'query' && isRequired) required.append(name, String(example));
      }
      const answer = await world.api('GET', `${withIds(path, {})}?${required.toString()}`);
      expect(answer.body.error?.code).not.toBe('invalid_request');
    },
  );
});

async function send(route: RouteDescription, ids: Ids) {
  const { path, body } = route;
  const isWebhook = path.startsWith('/webhooks');
  const example = isWebhook ? underPrefix({ ...(body?.example as object), ...idsOf(ids) }) : body?.example;
  const response = await fetch(`${world.url}${withIds(path, ids)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isWebhook ? { 'x-forwarded-for': SERVICE_ADDRESS } : { authorization: `Bearer ${API_KEY}` }),
    },
    body: JSON.stringify(example),
  });
  return { status: response.status, body: await response.json() };
}

/** A record holds more than its ids. */
function idsOf({ svc_uid, merchant_uid }: Ids) {
  return { svc_uid, merchant_uid };
}

function underPrefix({ svc_uid, ...rest }: { svc_uid?: string | undefined }) {
  return { ...rest, [`${NAME_PREFIX}_uid`]: svc_uid };
}

/** The path with these ids, and with those of the examples where none is given. */
function withIds(path: string, ids: Ids): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: keyof typeof PATH_PARAMETERS) =>
    encodeURIComponent(ids[name] ?? PATH_PARAMETERS[name].example),
  );
}

/** Names at every depth without their values. A record of the service is shortened in examples, so it has no names here. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value === 'object' ? null : 'value';
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'record' ? 'record' : shapeOf(each)]),
  );
}
