// The API description shows an example of each first answer (test/flows/api-docs/openapi.test.ts posts those of bodies). And
// /docs, without a database: every route in both languages, with the address of the page, and no script.

import request from 'supertest';
import { createApp } from '../../../../src/merchant/app';
import { API, FEATURES } from '../../../../src/merchant/features';
import { openapiDocument } from '../../../../src/merchant/options/api-docs/openapi-document';
import { groupNames, summaries } from '../../../../src/merchant/options/api-docs/summaries.ko';
import { createContext } from '../../../../src/merchant/platform/context';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { createManualClock } from '../../../support/clock';
import { API_KEY, PRODUCTION_ENVIRONMENT, testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';

const { paths } = openapiDocument(API);
const operationOf = ({ path, method }: { path: string; method: string }) => paths[path]?.[method];
const routes = API.routes.map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(routes)(
  'each answer that %s shows fits its schema, and the first one is shown',
  (_, { answers }) => {
    const [first] = Object.values(answers);
    expect(first?.example).toBeDefined();
    for (const { schema, example } of Object.values(answers))
      if (example !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
  },
);

// M38: a 401 is about the caller’s key alone; at the webhook, which takes no key, about the signature.
test('/openapi.json has the same for every route', () => {
  const withKey = API.routes.filter(({ access }) => access !== 'open');
  const refusals = withKey.flatMap((route) => operationOf(route)?.responses['401']?.description ?? []);
  expect(new Set(refusals)).toEqual(new Set(['unauthorized']));
  const { responses } = operationOf({ path: '/api/payments', method: 'get' }) ?? {};
  expect(responses?.['502']?.description).toContain('service_unauthorized');
});

function startApp(environment: Record<string, string> = {}) {
  const { logger } = createRecordedLog();
  const context = createContext({
    config: testConfig(environment),
    clock: createManualClock(),
    logger,
    features: FEATURES,
  });
  return createApp(context, createReadiness(context));
}
const app = startApp();
const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, group = '']) => group);

describe.each(['ko', 'en'])('in %s', (lang) => {
  /** The overview, and the pages of all groups. */
  let overview: string;
  let html: string;
  beforeAll(async () => {
    const get = async (path: string) => {
      const answer = await request(app).get(path).query({ lang }).set('host', 'localhost:3000');
      expect([path, answer.status, answer.type]).toEqual([path, 200, 'text/html']);
      return answer.text;
    };
    overview = await get('/docs');
    html = '';
    for (const { name } of API.tags) html += await get(`/docs/${name.replaceAll(' ', '-')}`);
  });

  test('it has every route and every error code, in its language', () => {
    expect(html).toContain(`<html lang="${lang}">`);
    const anchors = all(/<section class="panel operation" id="([^"]+)"/g, html);
    expect(anchors).toHaveLength(API.routes.length);
    for (const anchor of anchors) expect(overview).toContain(`#${anchor}"`);
    for (const { code } of API.errors) expect(overview).toContain(`id="error-${code}"`);
  });

  test('it shows no key and no empty placeholder, and has no inline script or style', () => {
    for (const page of [overview, html]) {
      expect(page).not.toMatch(/<script(?! src=)|<style| style=| on\w+=/);
      expect(page).not.toMatch(/undefined|\[object|\{count\}|\{range\}|\{number\}/);
      expect(page).not.toContain(API_KEY);
    }
  });

  test('its commands use the address of the page', () => {
    const commands = all(/<pre dir="ltr" class="command"><code>([^<]+)/g, html);
    expect(commands.length).toBe(6 * API.routes.length);
    for (const command of commands) expect(command).toContain('http://localhost:3000/');
  });
});

test('each route has a Korean summary, and each group a Korean name', () => {
  const missing = API.routes.filter(({ method, path }) => !summaries[`${method.toUpperCase()} ${path}`]);
  expect(missing.map(({ path }) => path)).toEqual([]);
  expect(API.tags.filter(({ name }) => !groupNames[name])).toEqual([]);
});

test('an unknown group is a 404; calls from the page are offered in the sandbox only', async () => {
  const get = (each: typeof app, path: string, host: string) => request(each).get(path).set('host', host);
  expect((await get(app, '/docs/nothing', 'localhost')).status).toBe(404);
  expect((await get(app, '/docs/orders', 'localhost')).text).toContain('class="try"');
  const known = startApp({ ...PRODUCTION_ENVIRONMENT, PUBLIC_URL: 'https://merchant.example' });
  expect((await get(known, '/docs/orders', 'merchant.example')).text).not.toContain('class="try"');
});

test('each error of the API links to its code on the page; a foreign host is not repeated', async () => {
  const link = async (host: string): Promise<unknown> => {
    const { body } = await request(app)
      .get('/api/nothing')
      .set({ host, authorization: `Bearer ${API_KEY}` });
    return body.error.doc_url;
  };
  expect(await link('localhost:3000')).toBe('http://localhost:3000/docs#error-not_found');
  expect(await link('evil.example')).toBe('/docs#error-not_found');
});

test('/api lists the routes, without a key', async () => {
  const { status, body } = await request(app).get('/api').set('host', 'localhost:3000');
  expect(status).toBe(200);
  expect(body.docs).toBe('http://localhost:3000/docs');
  expect(body.routes).toHaveLength(API.handled.length);
});

test('in production its commands use the configured origin, and a foreign host is refused', async () => {
  const known = startApp({ ...PRODUCTION_ENVIRONMENT, PUBLIC_URL: 'https://merchant.example' });
  const answer = await request(known).get('/docs/orders').set('host', 'merchant.example');
  expect(answer.text).toContain('https://merchant.example/api/orders');
  expect(answer.text).not.toContain('http://merchant.example');
  for (const each of [known, app])
    expect((await request(each).get('/docs').set('host', 'evil.example')).status).toBe(400);
  const injected = await request(app).get('/docs').set('host', "localhost/';stranger;'");
  expect(injected.text).not.toContain('stranger');
});
