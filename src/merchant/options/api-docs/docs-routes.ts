// GET /docs and GET /docs/{group}: the API description for people, from the same document as /openapi.json. Our choice is
// pages of our own instead of a script-based viewer: they work under the content security policy of every page, without
// JavaScript and with a screen reader. They need no key and contain no secrets. One script adds a filter and calls.

import compression from 'compression';
import express, { Router, type Request } from 'express';
import { z } from 'zod';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { ApiDescription } from '../../platform/http/feature-type';
import { isOurHost, originCheck } from '../../platform/http/origin-check';
import { ownUrl } from '../../platform/http/path-prefix';
import type { ExampleRequest, RouteDescription } from '../../platform/http/route-description';
import { sendRendered, type Page, type RenderedPage, type Views } from '../../platform/http/views';
import { docsPage, rangeText, textParts, type DocsGroup } from './docs-page';
import { openapiDocument } from './openapi-document';
import { snippetsOf } from './snippets';
import { groupNames, summaries } from './summaries.ko';
import { en } from './texts.en';
import { ko } from './texts.ko';

/** The cache's size. Outside production a reader may use any number of host names. */
const MOST_KEPT = 64;

export function docsRoutes({ config }: Context, views: Views, api: ApiDescription): Router {
  const router = Router({ strict: true, caseSensitive: true });
  // Rendered once and cached: rendering takes longer than the rest of a request.
  const kept = new Map<string, RenderedPage>();
  let described: ReturnType<typeof docsPage> | undefined;
  router.get(['/docs', '/docs/:group'], originCheck(config), compression(), (request, response, next) => {
    const url = ownUrl(config, request);
    const key = `${views.cacheKey(request)} ${url} ${request.path}`;
    let page = kept.get(key);
    if (page === undefined) {
      const found = findPage(request, url);
      if (found === null) return next();
      page = views.render(request, found);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, page);
    }
    sendRendered(response, page);
  });
  return router;

  /** The overview, or the page of a group; null if there is no such group. */
  function findPage({ params }: Request, url: string): Page<typeof ko> | null {
    described ??= docsPage(openapiDocument(api, serverUrl(config)), api.errors);
    const group = described.groups.find(({ anchor }) => anchor === params['group']);
    if (params['group'] !== undefined && group === undefined) return null;
    return {
      status: 200,
      template: group === undefined ? 'api-docs/overview' : 'api-docs/group',
      texts: { ko, en },
      title: ({ docs, lang }) => (group === undefined ? '' : `${nameOf(group, lang)} – `) + docs.title,
      data: {
        ...described,
        group: group ?? null,
        textParts,
        rangeText,
        nameOf,
        summaryOf,
        /** Calls from the page move no money. */
        canTry: config.sandboxMode,
        typesCommand: `npx openapi-typescript ${url}/openapi.json -o merchant-api.d.ts`,
        snippets: (example: ExampleRequest) => snippetsOf(example, url),
      },
    };
  }
}

function nameOf({ name }: Pick<DocsGroup, 'name'>, lang: string): string {
  return (lang === 'ko' ? groupNames[name] : undefined) ?? name;
}

/** With its language. */
function summaryOf(
  { method, path, summary }: { method: string; path: string; summary: string },
  lang: string,
): { text: string; lang: string } {
  const korean = lang === 'ko' ? summaries[`${method} ${path}`] : undefined;
  return korean === undefined ? { text: summary, lang: 'en' } : { text: korean, lang: 'ko' };
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
