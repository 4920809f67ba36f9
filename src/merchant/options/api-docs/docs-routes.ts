// GET /docs: the API description for people, from the same document as /openapi.json. Our choice is a page of our own
// instead of a script-based viewer: it works under the content security policy of every page, without JavaScript and
// with a screen reader. It needs no key and contains no secrets.

import compression from 'compression';
import express, { Router } from 'express';
import { z } from 'zod';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { ApiDescription } from '../../platform/http/feature-type';
import { isOurHost, originCheck } from '../../platform/http/origin-check';
import { ownUrl } from '../../platform/http/path-prefix';
import {
  curlCommand,
  type ExampleRequest,
  type RouteDescription,
} from '../../platform/http/route-description';
import { sendRendered, type Page, type RenderedPage, type Views } from '../../platform/http/views';
import { docsPage, rangeText, textParts } from './docs-page';
import { openapiDocument } from './openapi-document';
import { en } from './texts.en';
import { ko } from './texts.ko';

/** The cache's size. Outside production a reader may use any number of host names. */
const MOST_KEPT = 16;

export function docsRoutes({ config }: Context, views: Views, api: ApiDescription): Router {
  const router = Router({ strict: true, caseSensitive: true });
  // Rendered once and cached: rendering takes longer than the rest of a request.
  const kept = new Map<string, RenderedPage>();
  router.get('/docs', originCheck(config), compression(), (request, response) => {
    const url = ownUrl(config, request);
    const key = `${views.cacheKey(request)} ${url}`;
    let page = kept.get(key);
    if (page === undefined) {
      page = views.render(request, describedPage(url));
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, page);
    }
    sendRendered(response, page);
  });
  return router;

  function describedPage(url: string): Page<typeof ko> {
    return {
      status: 200,
      template: 'api-docs/docs',
      texts: { ko, en },
      title: ({ docs }) => docs.title,
      data: {
        ...docsPage(openapiDocument(api, serverUrl(config)), api.errors),
        textParts,
        rangeText,
        typesCommand: `npx openapi-typescript ${url}/openapi.json -o merchant-api.d.ts`,
        curl: (example: ExampleRequest) => curlCommand(example, url),
      },
    };
  }
}

/** Relative to the document if PUBLIC_URL is not set. */
const serverUrl = ({ publicUrl, pathPrefix }: Config) => publicUrl ?? (pathPrefix || '/');

export function openapiRoutes(context: Context, api: ApiDescription): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  let document: Buffer | undefined;
  router.get('/openapi.json', compression(), (_request, response) => {
    // Created at the first request, so that it does not delay the start.
    document ??= Buffer.from(JSON.stringify(openapiDocument(api, serverUrl(context.config))));
    response.type('json').send(document);
  });
  // Without a key: it has nothing that /openapi.json does not have.
  router.get('/api', (request, response) => {
    const { publicUrl, pathPrefix } = context.config;
    const url = isOurHost(request, context.config)
      ? ownUrl(context.config, request)
      : (publicUrl ?? pathPrefix);
    const routes = api.handled.map(
      ({ method, path, summary }) => `${method.toUpperCase()} ${path}: ${summary}`,
    );
    response.json({ docs: `${url}/docs`, openapi: `${url}/openapi.json`, routes });
  });
  return router;
}

export const openapiDescription: RouteDescription = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This description',
  access: 'open',
  answers: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      schema: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
      example: { openapi: '3.1.0', paths: { '/healthz': { get: { summary: 'Liveness probe' } } } },
    },
  },
  errors: [],
};
