// The API description shows an example of each first answer (test/flows/api-docs/openapi.test.ts posts those of bodies). And
// /docs and /openapi.json, without a database: in both languages, with the address of the page.

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
const inProduction = startApp({ ...PRODUCTION_ENVIRONMENT, PUBLIC_URL: 'https://merchant.example' });
/** From this machine, with the address in its answer. */
const get = (path: string) => request(app).get(path).set('host', 'localhost:3000');

test.each(['ko', 'en'])(
  'the page in %s has every error code, no inline script, and the key only for a browser on this machine',
  async (lang) => {
    const { status, type, text } = await get(`/docs?lang=${lang}`);
    expect([status, type]).toEqual([200, 'text/html']);
    expect(text).toContain(`<html lang="${lang}">`);
    expect(text).toContain(`data-document="/openapi.json?lang=${lang}"`);
    for (const { code } of API.errors) expect(text).toContain(`id="error-${code}"`);
    expect(text).not.toMatch(/<script(?! src=)|<style| style=| on\w+=/);
    expect(text).not.toMatch(/undefined|\[object/);
    expect(text).toContain(API_KEY);
    const elsewhere = await get('/docs').set('x-forwarded-for', '203.0.113.7');
    expect(elsewhere.text).not.toContain(API_KEY);
  },
);

test('of the viewer there are the files that the page names, and no others', async () => {
  const { text } = await get('/docs');
  const named = [...text.matchAll(/"(\/docs\/viewer\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(named).toHaveLength(2);
  for (const path of named) expect([path, (await get(path)).status]).toEqual([path, 200]);
  for (const file of ['index.html', 'package.json', '..%2fpackage.json', 'swagger-ui-bundle.js.map'])
    expect([file, (await get(`/docs/viewer/${file}`)).status]).toEqual([file, 404]);
});

test.each(['ko', 'en'] as const)(
  '/openapi.json in %s has its summaries, and a command for every route',
  async (lang) => {
    const { body } = await get(`/openapi.json?lang=${lang}`);
    for (const route of API.routes) {
      const { summary, description, tags } = body.paths[route.path][route.method];
      const isKorean = lang === 'ko';
      expect(summary).toBe(
        isKorean ? summaries[`${route.method.toUpperCase()} ${route.path}`] : route.summary,
      );
      expect(tags).toEqual([isKorean ? groupNames[route.tag] : route.tag]);
      expect(description).toContain('http://localhost:3000/');
      expect(description.includes('$API_KEY')).toBe(route.access !== 'open');
      if (route.access !== 'open') expect(description).toContain(`\`${route.access}\``);
    }
    expect(JSON.stringify(body)).not.toContain(API_KEY);
  },
);

test('each route has a Korean summary, and each group a Korean name', () => {
  const missing = API.routes.filter(({ method, path }) => !summaries[`${method.toUpperCase()} ${path}`]);
  expect(missing.map(({ path }) => path)).toEqual([]);
  expect(API.tags.filter(({ name }) => !groupNames[name])).toEqual([]);
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

test('calls from the page are offered in the sandbox only', async () => {
  expect((await get('/docs')).text).toContain('data-can-try="true"');
  const { text } = await request(inProduction).get('/docs').set('host', 'merchant.example');
  expect(text).toContain('data-can-try="false"');
});

test('in production its commands use the configured origin; a foreign host is refused or not repeated', async () => {
  const { text } = await request(inProduction).get('/openapi.json').set('host', 'merchant.example');
  expect(text).toContain('https://merchant.example/api/orders');
  expect(text).not.toContain('http://merchant.example');
  for (const each of [inProduction, app]) {
    expect((await request(each).get('/docs').set('host', 'evil.example')).status).toBe(400);
    expect((await request(each).get('/openapi.json').set('host', 'evil.example')).text).not.toContain('evil');
  }
  const injected = await request(app).get('/openapi.json').set('host', "localhost/';stranger;'");
  expect(injected.text).not.toContain('stranger');
});
