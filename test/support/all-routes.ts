// Every route that either program serves, read from Express, so that new routes are included automatically.

import type { Express } from 'express';
import { createApp } from '../../src/merchant/app';
import { FEATURES } from '../../src/merchant/features';
import { clockOf, createContext } from '../../src/merchant/platform/context';
import { createReadiness } from '../../src/merchant/platform/readiness';
import { createSandbox } from '../../src/sandbox/app';
import { createManualClock } from './clock';
import { testConfig } from './config';
import { createRecordedLog } from './log';

/** `path` with parameters as `{name}`. */
export type ServedRoute = { method: string; path: string };

type Layer = {
  route?: { path: string | string[]; stack: { method: string | undefined }[] };
  handle: { stack?: Layer[] };
  match(path: string): { path: string } | null;
};

/** The mount paths of routers. */
const MOUNTS = [
  '/api/x',
  '/_sandbox/payments/x',
  '/console/x',
  '/console/stories/x',
  '/window/x',
  '/payments/x',
];

export function merchantRoutes(): ServedRoute[] {
  const logger = createRecordedLog().logger;
  const config = testConfig();
  const clock = clockOf(FEATURES, createManualClock(), config);
  const context = createContext({ config, clock, logger, features: FEATURES });
  return [
    ...routesOf(createApp(context, createReadiness(context))),
    { method: 'get', path: '/static/base.css' },
  ];
}

export function sandboxRoutes(): ServedRoute[] {
  return routesOf(createSandbox().app);
}

function routesOf(app: Express): ServedRoute[] {
  const all = routesIn((app.router as unknown as { stack: Layer[] }).stack, '');
  // `router.all` has no method; HEAD is served with GET.
  return all.filter(
    ({ method, path }, index) => all.findIndex((one) => one.method === method && one.path === path) === index,
  );
}

function routesIn(stack: Layer[], prefix: string): ServedRoute[] {
  return stack.flatMap((layer) => {
    const { route, handle } = layer;
    if (route)
      return [route.path]
        .flat()
        .flatMap((path) =>
          route.stack.flatMap(({ method }) =>
            method === undefined ? [] : [{ method, path: toPath(prefix, path) }],
          ),
        );
    if (!handle.stack) return [];
    const mounts = MOUNTS.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
    const under = mounts.map((path) => layer.match(path)?.path ?? '').find((path) => path !== '') ?? '';
    return routesIn(handle.stack, prefix + under);
  });
}

function toPath(prefix: string, path: string): string {
  const whole = prefix !== '' && path === '/' ? prefix : prefix + path;
  return whole.replace(/:(\w+)/g, '{$1}');
}
