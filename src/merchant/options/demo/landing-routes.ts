// GET /: what is here, and where to go. In production there is no such page: members are sent on to their cards.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import { linkIn, type Views } from '../../platform/http/views';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { ownOrigin, sandboxOrigin } from './window-address';

export function landingRoutes(context: Context, views: Views): Router {
  const { config } = context;
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', originCheck(config), (request, response) => {
    if (config.production) return response.redirect(303, linkIn(request, '/cards'));
    views.send(request, response, {
      status: 200,
      template: 'demo/landing',
      texts: { ko, en },
      title: ({ landing }) => landing.title,
      data: {
        origin: ownOrigin(request),
        sandbox: config.sandboxMode ? sandboxOrigin(config, request) : null,
      },
    });
  });
  return router;
}
