// GET /docs: the API description for people. Swagger UI, from files of this server, shows /openapi.json in the reader's language;
// the page itself has the error codes. It needs no key, and has one only beside the sandbox, for this machine.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import compression from 'compression';
import express, { Router, type Request } from 'express';
import { z } from 'zod';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { ApiDescription } from '../../platform/http/feature-type';
import { isOurHost, originCheck } from '../../platform/http/origin-check';
import { ownUrl } from '../../platform/http/path-prefix';
import type { RouteDescription } from '../../platform/http/route-description';
import { isFromThisMachine } from '../../platform/http/source-address';
import type { Views } from '../../platform/http/views';
import { openapiDocument } from './openapi-document';
import { en } from './texts.en';
import { ko } from './texts.ko';

const VIEWER_PACKAGE = require.resolve('swagger-ui-dist/package.json');
const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
/** The cache's size. Outside production a reader may use any number of host names. */
const MOST_KEPT = 64;

export function docsRoutes({ config }: Context, views: Views, api: ApiDescription): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(VIEWER_PACKAGE, 'utf8')));
  router.get('/docs', originCheck(config), compression(), (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'api-docs/docs',
      texts: { ko, en },
      title: ({ docs }) => docs.title,
      data: {
        errors: api.errors,
        viewerVersion: version,
        /** Calls from the page move no money. */
        canTry: config.sandboxMode,
        /** Filled in for whoever started this server, who has the key in the terminal. */
        apiKey: config.sandboxMode && isFromThisMachine(request) ? config.apiKeys[0] : null,
      },
    });
  });
  router.get('/docs/viewer/:file', compression(), (request, response, next) => {
    const file = VIEWER_FILES.find((name) => name === request.params['file']);
    if (file === undefined) return next();
    // The page names the version in the query: npm gives the files of every version the same time of change.
    response.set('Cache-Control', 'public, max-age=31536000, immutable');
    response.sendFile(file, { root: dirname(VIEWER_PACKAGE), acceptRanges: false });
  });
  return router;
}

/** Relative to the document if PUBLIC_URL is not set. */
const serverUrl = ({ publicUrl, pathPrefix }: Config) => publicUrl ?? (pathPrefix || '/');

/** A foreign Host is not repeated. */
const shownUrl = (config: Config, request: Request) =>
  isOurHost(request, config) ? ownUrl(config, request) : (config.publicUrl ?? config.pathPrefix);

export function openapiRoutes({ config }: Context, api: ApiDescription): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // Created at the first request, so that it does not delay the start.
  const kept = new Map<string, Buffer>();
  router.get('/openapi.json', compression(), (request, response) => {
    const lang = request.query['lang'] === 'ko' ? 'ko' : 'en';
    const url = shownUrl(config, request);
    const key = `${lang} ${url}`;
    let document = kept.get(key);
    if (document === undefined) {
      document = Buffer.from(
        JSON.stringify(openapiDocument(api, { serverUrl: serverUrl(config), url, lang })),
      );
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, document);
    }
    response.type('json').send(document);
  });
  // Without a key: it has nothing that /openapi.json does not have.
  router.get('/api', (request, response) => {
    const url = shownUrl(config, request);
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
  query: z.object({
    lang: z
      .string()
      .optional()
      .meta({
        description: 'The language of summaries and introduction: `ko`, otherwise English.',
        examples: ['ko'],
      }),
  }),
  answers: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      schema: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
      example: { openapi: '3.1.0', paths: { '/healthz': { get: { summary: 'Liveness probe' } } } },
    },
  },
  errors: [],
};
