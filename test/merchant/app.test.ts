// Every API route is described, and every described route is served. Answers that need no database are tested over HTTP; for headers
// see test/flows/http/answer-headers.test.ts.

import request from 'supertest';
import { createApp } from '../../src/merchant/app';
import { API, FEATURES } from '../../src/merchant/features';
import { createContext } from '../../src/merchant/platform/context';
import { createReadiness } from '../../src/merchant/platform/readiness';
import { merchantRoutes } from '../support/all-routes';
import { createManualClock } from '../support/clock';
import { API_KEY, PRODUCTION_ENVIRONMENT, testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';

/** Pages are not described, nor what is for people who look around: the index of the API, and the icon. */
const PAGES = /^\/($|api$|cards|demo|docs|favicon|operator|orders|terms|privacy|static)/;

function appWith(settings: Record<string, string> = {}) {
  const { logger } = createRecordedLog();
  const context = createContext({
    config: testConfig(settings),
    clock: createManualClock(),
    logger,
    features: FEATURES,
  });
  return createApp(context, createReadiness(context));
}
const app = appWith();
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test('every route has a description, and every description has a route', () => {
  const names = (routes: readonly { method: string; path: string }[]) =>
    routes.map(({ method, path }) => `${method} ${path}`).sort();
  const served = merchantRoutes().filter(({ path }) => !PAGES.test(path));
  expect(served.length).toBeGreaterThan(10);
  expect(names(served)).toEqual(names(API.routes));
});

test.each([
  [401, 'unauthorized', {}],
  [404, 'not_found', bearer(API_KEY)],
])('an unknown path of the API is a %i (%s) with %j', async (status, code, headers) => {
  const answer = await request(app).get('/api/nothing').set(headers);
  expect([answer.status, answer.body]).toMatchObject([
    status,
    { error: { code, message: expect.any(String) } },
  ]);
  expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
});

test('during a rotation of API_KEY calls with either value are accepted, and no others (M25)', async () => {
  const newer = 'a-newer-api-key-0123';
  const rotated = appWith({ API_KEY: `${newer},${API_KEY}` });
  const ask = async (key: string) => (await request(rotated).get('/api/nothing').set(bearer(key))).status;
  for (const key of [newer, API_KEY]) expect(await ask(key)).toBe(404);
  for (const key of [`${newer},${API_KEY}`, 'a-newer-api-key', ',']) expect(await ask(key)).toBe(401);
});

test('in production the bare address leads to the cards, also under a prefix', async () => {
  for (const prefix of ['', '/pay']) {
    const live = appWith({ ...PRODUCTION_ENVIRONMENT, ...(prefix && { PATH_PREFIX: prefix }) });
    const answer = await request(live).get(`${prefix}/`).set('host', 'shop.example.com');
    expect([answer.status, answer.headers['location']]).toEqual([303, `${prefix}/cards`]);
  }
});
