// GET /openapi.json: what this server can be asked, for people and for generators of clients. It needs no key.

import express, { type Router } from 'express';
import { describedRoutes } from './described-routes';
import { openapiDocument, type OpenapiDocument } from './openapi-document';

export function createOpenapiRoutes({ publicOrigin }: { publicOrigin: string | null }): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  let document: OpenapiDocument | undefined;
  router.get('/openapi.json', (_request, response) => {
    // Made when it is first asked for: a start does not wait for it.
    document ??= openapiDocument(describedRoutes, publicOrigin);
    response.json(document);
  });
  return router;
}
