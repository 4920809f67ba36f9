// GET /terms and GET /privacy: the two documents that a merchant with its own card form must state (§1).

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import type { Views } from '../../platform/http/views';
import { CONSENT } from '../../shop/terms';
import { en } from './texts.en';
import { ko } from './texts.ko';

export function legalRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const checkOrigin = originCheck(context.config);
  router.get('/terms', checkOrigin, (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'cards/terms',
      texts: { ko, en },
      title: ({ layout }) => layout.terms,
      data: { version: CONSENT.termsVersion },
    });
  });
  router.get('/privacy', checkOrigin, (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'cards/privacy',
      texts: { ko, en },
      title: ({ layout }) => layout.privacy,
      data: { version: CONSENT.privacyVersion },
    });
  });
  return router;
}
