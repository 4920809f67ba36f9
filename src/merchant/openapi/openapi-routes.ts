// GET /openapi.json: what this server can be asked, for people and for generators of clients. It needs no key.

import express, { type Router } from 'express';
import { describedRoutes } from './described-routes';
import { openapiDocument } from './openapi-document';

export function createOpenapiRoutes({ publicOrigin }: { publicOrigin: string | null }): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const document = openapiDocument(describedRoutes, publicOrigin);
  router.get('/openapi.json', (_request, response) => {
    response.json(document);
  });
  return router;
}
