// Every route that the application serves to programs is described, and nothing is described that is not served.

import type { Express } from 'express';
import { createApp } from '../../../src/merchant/app';
import { loadConfig } from '../../../src/merchant/config';
import { openDatabase } from '../../../src/merchant/database';
import type { Dependencies } from '../../../src/merchant/dependencies';
import { createMetrics } from '../../../src/merchant/metrics';
import { describedRoutes } from '../../../src/merchant/openapi/described-routes';
import { openapiDocument } from '../../../src/merchant/openapi/openapi-document';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import { createManualClock } from '../../support/clock';
import { createRecordedLog } from '../../support/log';

/** Pages are for people: contract §4 describes them. */
const PAGES = /^\/($|cards|terms|privacy|operator|static)/;

const config = loadConfig({
  DATABASE_URL: 'postgresql://127.0.0.1:1/nobody',
  FORM_SECRET: 'form-secret-of-the-tests-0123',
  API_KEY: 'api-key-of-the-tests-0123',
  OPERATOR_PASSWORD: 'operator-password-of-the-tests',
});
const clock = createManualClock();
const dependencies: Dependencies = {
  config,
  clock,
  database: openDatabase(config.databaseUrl),
  service: createPaymentService({ service: config.service, clock }),
  fromWire: (body) => body,
  schedule: () => Promise.resolve(),
  metrics: createMetrics(),
  logger: createRecordedLog().logger,
};

test('every route has a description, and every description a route', () => {
  const { app } = createApp(dependencies, () => Promise.resolve([]));
  const served = servedRoutes(app).filter((route) => !PAGES.test(route.slice(route.indexOf('/'))));
  const described = describedRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(served.length).toBeGreaterThan(10);
  expect([...new Set(served)].sort()).toEqual([...described].sort());
});

test('the description stands on its own: every reference leads somewhere', () => {
  const { paths, components } = openapiDocument(describedRoutes, 'https://merchant.example');
  const references = [...JSON.stringify(paths).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(5);
  for (const [, name] of references) expect(Object.keys(components.schemas)).toContain(name);
  expect(JSON.stringify({ paths, components })).not.toContain('#/$defs');
});

test('an identifier of each operation is its own', () => {
  const { paths } = openapiDocument(describedRoutes, null);
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect(new Set(ids).size).toBe(describedRoutes.length);
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
