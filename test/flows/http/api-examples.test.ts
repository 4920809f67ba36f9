// The examples of the API description are true: each body is served when it is sent as it stands, and each answer is one
// that its route can give. A route without examples fails.

import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { PATH_PARAMETERS } from '../../../src/merchant/http/path-parameters';
import type { RouteDescription } from '../../../src/merchant/http/route-description';
import { API_KEY, NAME_PREFIX } from '../../support/config';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { CHARGE_KEY, ISSUE_KEY } from '../../support/endpoints';
import { createMemberBrowser } from '../../support/member-browser';
import { charge, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();

type Ids = Partial<Record<keyof typeof PATH_PARAMETERS, string>>;
type Served = { status: number; body: any };

const CHARGE = 'post /api/orders/{merchant_uid}/charge';
const SCHEDULE = 'post /api/schedules';

/** By route: what happens before its example, and the ids that were given out then. The story is that of /docs. */
const before: Record<string, () => Promise<Ids>> = {
  [CHARGE]: async () => {
    await served('post /api/orders');
    await served('post /api/onetime');
    return {};
  },
  'post /api/payments/{svc_uid}/cancel': async () => paymentOf(await served(CHARGE)),
  'post /api/payments/{svc_uid}/sync': async () => paymentOf(await served(CHARGE)),
  'post /api/subscriptions': async () => {
    await served('post /api/onetime');
    return {};
  },
  'post /api/discrepancies/{id}/resolve': () => misfit('order-1007'),
  'post /api/discrepancies/{id}/refund': () => misfit('order-1008'),
  'post /api/charges/{id}/settle': () =>
    lostAttempt('/api/charges', CHARGE_KEY, async () => {
      await served(CHARGE);
      await registerOrder(world, 'order-1005', { member_id: PATH_PARAMETERS.member_id.example });
      await charge(world, 'order-1005', PATH_PARAMETERS.customer_uid.example);
    }),
  'post /api/refunds/{id}/settle': () =>
    lostAttempt('/api/refunds', CANCEL_PAYMENT, async () => {
      await registerOrder(world, 'order-1006');
      const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'order-1006', amount: 1000 });
      await world.api('POST', `/api/payments/${svc_uid}/cancel`, { reason: 'cold' });
    }),
  'post /api/issuances/{id}/settle': () =>
    lostAttempt('/api/issuances', ISSUE_KEY, () => createMemberBrowser(world).register()),
  'post /webhooks/payments': async () => paymentOf(await served(CHARGE)),
  [SCHEDULE]: async () => {
    await served('post /api/onetime');
    return {};
  },
  'post /api/schedules/revoke': async () => {
    await served(SCHEDULE);
    return {};
  },
};

/** A payment of another amount than its order: its discrepancy. */
async function misfit(merchantUid: string): Promise<Ids> {
  await registerOrder(world, merchantUid);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 999 });
  const { body } = await world.api('GET', `/api/discrepancies?merchant_uid=${merchantUid}`);
  return { id: body.list[0].id };
}

/** The newest attempt of a list, after a call that never reached the service, when it can be settled. */
async function lostAttempt(list: string, endpoint: string, act: () => Promise<unknown>): Promise<Ids> {
  await world.sandbox.fault({ endpoint, kind: 'reset' });
  await act();
  world.clock.advance(600);
  const { body } = await world.api('GET', `${list}?status=unknown`);
  return { id: body.list[0].id };
}

const paymentOf = ({ body }: Served): Ids => ({ svc_uid: body.order.payments[0].svc_uid });

const answers = new Map<string, Promise<Served>>();

/** The answer to the example of a route, which is posted once. */
function served(name: string): Promise<Served> {
  const answer = answers.get(name) ?? postExample(name);
  answers.set(name, answer);
  return answer;
}

const named = (routes: readonly RouteDescription[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const withBody = DESCRIBED_ROUTES.filter(({ body }) => body);

describe('a body', () => {
  test.each(named(withBody))('of %s is served as it stands', async (name, route) => {
    expect(route.body?.example).toBeDefined();
    const answer = await served(name);
    expect([200, 201]).toContain(answer.status);
    expect(shapeOf(answer.body)).toEqual(shapeOf(route.answers[answer.status]?.example));
  });

  test('is prepared for no route that is not there', () => {
    expect(Object.keys(before).filter((name) => !named(withBody).some(([each]) => each === name))).toEqual(
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

async function postExample(name: string): Promise<Served> {
  const route = withBody.find(({ method, path }) => `${method} ${path}` === name);
  const ids = (await before[name]?.()) ?? {};
  if (!route?.body) throw new Error(`${name} is no route with a body`);
  const { path, body } = route;
  const isWebhook = path.startsWith('/webhooks');
  const example = body.example as object;
  const response = await fetch(`${world.url}${withIds(path, ids)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isWebhook ? { 'x-forwarded-for': SERVICE_ADDRESS } : { authorization: `Bearer ${API_KEY}` }),
    },
    body: JSON.stringify(isWebhook ? underPrefix({ ...example, ...ids }) : example),
  });
  return { status: response.status, body: await response.json() };
}

/** As the live service writes it. */
function underPrefix({ svc_uid, ...rest }: Ids) {
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
