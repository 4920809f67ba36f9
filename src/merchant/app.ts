// The merchant's routes, in the order in which a request passes them.

import type { ServerResponse } from 'node:http';
import compression from 'compression';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { noticeMisdirected } from './core/webhooks/wrong-path-routes';
import { API, FEATURES } from './features';
import type { Context } from './platform/context';
import { HttpError } from './platform/errors';
import { requireApiKey } from './platform/http/api-key';
import { apiRouter } from './platform/http/api-route';
import { jsonErrors, lastErrors, pageErrors } from './platform/http/error-response';
import { collectErrorTexts, type Server } from './platform/http/feature-type';
import { originCheck } from './platform/http/origin-check';
import { cutPathPrefix, refuseOutsidePrefix } from './platform/http/path-prefix';
import { requestLog } from './platform/http/request-log';
import { helmetOptions, storeNothing } from './platform/http/security-headers';
import type { ShopFiles } from './platform/http/shop-files';
import { refuseUnclearHeaders } from './platform/http/unclear-headers';
import { createViews, linkIn, STATIC_FOLDERS } from './platform/http/views';
import { platformErrors } from './platform/platform-errors';
import type { Readiness } from './platform/readiness';
import * as challenge from './shop/challenge';
import * as members from './shop/current-member';

/** @param options `hasProbesOnly`: for a process that only runs jobs. `shop` replaces the shop's own files in tests */
export function createApp(
  context: Context,
  readiness: Readiness,
  {
    hasProbesOnly = false,
    shop = {},
  }: { hasProbesOnly?: boolean; shop?: Partial<ShopFiles> | undefined } = {},
): Express {
  const { config } = context;
  const views = createViews(context, FEATURES);

  const app = express();
  app.locals['context'] = context;
  const shipped: ShopFiles = { ...members, ...challenge };
  app.locals['shop'] = { ...shipped, ...shop };
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(cutPathPrefix(config));
  app.use(helmet(helmetOptions(config)));
  app.use(storeNothing);
  app.use(refuseUnclearHeaders(context));
  app.use(requestLog(context));
  app.use(noticeMisdirected(context));
  app.use(refuseOutsidePrefix);
  const server: Server = { context, readiness, views, api: API };
  // The webhook route comes first: every router before it takes CPU of each notification.
  if (!hasProbesOnly) for (const { endpoints } of FEATURES) if (endpoints) app.use(endpoints(server));
  for (const { probes } of FEATURES) if (probes) app.use(probes(server));
  if (hasProbesOnly) return app.use(notFound, jsonErrors(context));
  app.use('/api', requireApiKey(context), apiRouter(context, '/api', API.handled), notFound);
  app.use('/api', jsonErrors(context));
  app.use('/static', compression());
  for (const folder of STATIC_FOLDERS) app.use('/static', express.static(folder, FILES));
  for (const { pages } of FEATURES) if (pages) app.use(pages(server));
  // Unless a feature has a page there: the overview of the demo.
  app.get('/', originCheck(config), (request, response) => response.redirect(303, linkIn(request, '/cards')));
  app.use(notFound);
  app.use(pageErrors(context, views, collectErrorTexts(FEATURES)), lastErrors(context));
  return app;
}

/** A cache revalidates before each use. The files are small, so a range request gets the whole file. */
const FILES = {
  index: false,
  redirect: false,
  acceptRanges: false,
  setHeaders: (response: ServerResponse) => response.setHeader('Cache-Control', 'public, max-age=0'),
};

function notFound(): never {
  throw new HttpError(platformErrors.not_found);
}
