// The two documents that a merchant must state for a card form of its own (§1).

import { Router, type RequestHandler } from 'express';
import type { Views } from '../http/views';
import { CONSENT } from './consent';

export function createLegalRoutes({ views, pageGuard }: { views: Views; pageGuard: RequestHandler }): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/terms', pageGuard, (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'terms',
      title: ({ layout }) => layout.terms,
      data: { version: CONSENT.termsVersion },
    });
  });
  router.get('/privacy', pageGuard, (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'privacy',
      title: ({ layout }) => layout.privacy,
      data: { version: CONSENT.privacyVersion },
    });
  });
  return router;
}
