// Every route that programs call is described, and nothing is described that is not served. What the app answers
// without a database is shown over HTTP.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import request from 'supertest';
import { createApp, DESCRIBED_ROUTES } from '../../src/merchant/app';
import { createContext } from '../../src/merchant/context';
import { createExpressServer } from '../../src/merchant/http/express-server';
import { openapiDocument } from '../../src/merchant/http/openapi-document';
import { securityHeaders } from '../../src/merchant/http/security-headers';
import { createReadiness } from '../../src/merchant/readiness';
import { createManualClock } from '../support/clock';
import { API_KEY, testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';

/** Pages are for people, and not described. */
const PAGES = /^\/($|cards|demo|docs|operator|orders|terms|privacy|static)/;

const context = createContext({
  config: testConfig(),
  clock: createManualClock(),
  logger: createRecordedLog().logger,
});
const app = createApp(context, createReadiness(context));
const server = createExpressServer(app, {
  limits: {},
  headers: securityHeaders(context.config),
  onRequest: () => undefined,
});
const withKey = { authorization: `Bearer ${API_KEY}` };
/** From another host, through the reverse proxy. */
const fromElsewhere = { 'x-forwarded-for': '203.0.113.7' };

test('every route has a description, and every description a route', () => {
  const served = servedRoutes(app).filter((route) => !PAGES.test(route.slice(route.indexOf('/'))));
  const described = DESCRIBED_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(served.length).toBeGreaterThan(10);
  expect([...new Set(served)].sort()).toEqual([...described].sort());
});

test('the description stands on its own: every reference leads somewhere', () => {
  const { paths, components } = openapiDocument(DESCRIBED_ROUTES, 'https://merchant.example');
  const references = [...JSON.stringify(paths).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(5);
  for (const [, name] of references) expect(Object.keys(components.schemas)).toContain(name);
  expect(JSON.stringify({ paths, components })).not.toContain('#/$defs');
});

test('the description has the version and the license of the package, and no contact', () => {
  const { info } = openapiDocument(DESCRIBED_ROUTES, null);
  const facts = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
  const { version, license } = JSON.parse(facts) as { version: string; license: string };
  expect(info).toMatchObject({ version, license: { identifier: license } });
  expect(info).not.toHaveProperty('contact');
});

test('each operation stands under one tag, and each tag that is described has operations', () => {
  const { tags, paths } = openapiDocument(DESCRIBED_ROUTES, null);
  const used = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation.tags));
  for (const each of used) expect(each).toHaveLength(1);
  expect(new Set(used.flat())).toEqual(new Set(tags.map(({ name }) => name)));
  for (const { description } of tags) expect(description).toMatch(/^[A-Z].+\.$/);
});

test('every error is the one component, with the codes of its answer and their messages', () => {
  const { paths } = openapiDocument(DESCRIBED_ROUTES, null);
  const { content, headers } = paths['/api/payments']?.['get']?.responses['503'] ?? {};
  expect(headers).toHaveProperty('Retry-After');
  expect(content?.['application/json']).toMatchObject({
    schema: {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        {
          properties: {
            error: { properties: { code: { enum: ['database_unavailable', 'service_unavailable'] } } },
          },
        },
      ],
    },
    examples: { database_unavailable: { value: { error: { message: 'The database does not answer.' } } } },
  });
});

test('an identifier of each operation is its own', () => {
  const { paths } = openapiDocument(DESCRIBED_ROUTES, null);
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(DESCRIBED_ROUTES.length);
});

test('the process says that it is alive, without the database', async () => {
  const { status, body } = await request(app).get('/healthz');
  expect([status, body]).toEqual([200, { status: 'ok' }]);
});

test('the description is served as it is made', async () => {
  const { status, body } = await request(app).get('/openapi.json');
  const document = openapiDocument(DESCRIBED_ROUTES, context.config.publicOrigin);
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(JSON.stringify(document)));
});

test('a path that the API does not have is 401 without the key, and 404 with it', async () => {
  const stranger = await request(app).get('/api/nothing');
  expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(stranger.body).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });

  const known = await request(app).get('/api/nothing').set(withKey);
  expect(known.status).toBe(404);
  expect(known.body).toEqual({ error: { code: 'not_found', message: expect.any(String) } });
});

test('while API_KEY is rotated a call with either value is served, and no other (M25)', async () => {
  const rotated = createContext({
    ...context,
    config: testConfig({ API_KEY: `a-newer-api-key-0123,${API_KEY}` }),
  });
  const server = createApp(rotated, createReadiness(rotated));
  const status = async (key: string) =>
    (await request(server).get('/api/nothing').set('authorization', `Bearer ${key}`)).status;
  expect(await status('a-newer-api-key-0123')).toBe(404);
  expect(await status(API_KEY)).toBe(404);
  for (const key of [`a-newer-api-key-0123,${API_KEY}`, 'a-newer-api-key', ','])
    expect(await status(key)).toBe(401);
});

test('the metrics are open to this machine itself, and need the key through a proxy on it', async () => {
  const local = await request(app).get('/metrics');
  expect([local.status, local.type]).toEqual([200, 'text/plain']);
  expect(local.text).toContain('# TYPE merchant_notifications_total counter');

  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Proto', 'X-Real-IP', 'Via']) {
    // Also a proxy on this machine that nobody has named in TRUSTED_PROXIES, and one that says nothing of use.
    const forwarded = await request(app).get('/metrics').set(name, '127.0.0.1');
    expect([name, forwarded.status]).toEqual([name, 401]);
  }
  const stranger = await request(app).get('/metrics').set(fromElsewhere);
  expect([stranger.status, stranger.body.error.code]).toEqual([401, 'unauthorized']);
  expect(
    (
      await request(app)
        .get('/metrics')
        .set({ ...fromElsewhere, ...withKey })
    ).status,
  ).toBe(200);
});

test.each<[number, string, Record<string, string>]>([
  [200, '/healthz', {}],
  [200, '/openapi.json', {}],
  [200, '/metrics', {}],
  [401, '/metrics', fromElsewhere],
  [401, '/api/nothing', {}],
  [404, '/api/nothing', withKey],
])('%i for %s carries the security headers', async (status, path, headers) => {
  const answer = await request(server).get(path).set(headers);
  expect(answer.status).toBe(status);
  const policy = answer.headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(answer.headers).not.toHaveProperty('x-powered-by');
});

type Layer = {
  route?: { path: string | string[]; stack: { method: string | undefined }[] };
  handle: { stack?: Layer[] };
  match(path: string): { path: string } | null;
};

/** As Express holds them: layers with a route, or with a router under "/" or "/api". */
function servedRoutes(app: Express): string[] {
  return layersOf(app.router as unknown as { stack: Layer[] }).flatMap(({ route, prefix }) =>
    [route.path].flat().flatMap((path) =>
      route.stack
        // `router.all` answers other methods with 405.
        .flatMap(({ method }) => (method === undefined ? [] : [method]))
        .map((method) => `${method} ${prefix}${path.replace(/:(\w+)/g, '{$1}')}`),
    ),
  );
}

function layersOf(router: { stack: Layer[] }, prefix = '') {
  return router.stack.flatMap((layer): { route: NonNullable<Layer['route']>; prefix: string }[] => {
    if (layer.route) return [{ route: layer.route, prefix }];
    if (!layer.handle.stack) return [];
    const under = layer.match('/api/anything')?.path ?? '';
    return layersOf({ stack: layer.handle.stack }, prefix + under);
  });
}
