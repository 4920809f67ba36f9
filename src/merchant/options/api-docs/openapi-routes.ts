// GET /openapi.json describes every route that programs call, for people and for generators of clients. It needs no key.

import compression from 'compression';
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Context } from '../../platform/context';
import type { ApiDescription } from '../../platform/http/feature-type';
import type { RouteDescription } from '../../platform/http/route-description';
import { openapiDocument } from './openapi-document';

export function openapiRoutes(context: Context, api: ApiDescription): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  let document: Buffer | undefined;
  router.get('/openapi.json', compression(), (_request, response) => {
    // Made for the first request: a start does not wait for it.
    document ??= Buffer.from(JSON.stringify(openapiDocument(api, context.config.publicOrigin)));
    response.type('json').send(document);
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
