// Every route that the application serves to programs is described, and nothing is described that is not served.

import type { Express } from 'express';
import { createApp, DESCRIBED_ROUTES } from '../../src/merchant/app';
import { createContext } from '../../src/merchant/context';
import { openapiDocument } from '../../src/merchant/http/openapi-document';
import { createReadiness } from '../../src/merchant/readiness';
import { createManualClock } from '../support/clock';
import { testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';

/** Pages are for people, and not described. */
const PAGES = /^\/($|cards|orders|terms|privacy|static)/;

const context = createContext({
  config: testConfig(),
  clock: createManualClock(),
  logger: createRecordedLog().logger,
});

test('every route has a description, and every description a route', () => {
  const app = createApp(context, createReadiness(context));
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

test('an identifier of each operation is its own', () => {
  const { paths } = openapiDocument(DESCRIBED_ROUTES, null);
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect(new Set(ids).size).toBe(DESCRIBED_ROUTES.length);
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
