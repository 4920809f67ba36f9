// Routes of cards: the page that lists a member's cards and removes one, the two documents required of a merchant (§1),
// and the cards that a checkout offers. See `remove-card.ts`.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { originCheck } from '../../platform/http/origin-check';
import { methodNotAllowed, pagesOf, readForm } from '../../platform/http/page-request';
import type { Views } from '../../platform/http/views';
import { CONSENT } from '../../shop/terms';
import { findCards } from '../billing-keys/billing-key-store';
import { memberIdField } from '../orders/order-schema';
import { cardListExample, cardListJson, cardListSchema } from './card-list';
import { showCards, submitRemoval } from './show-cards';
import { en } from './texts.en';
import { ko } from './texts.ko';

export function cardRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  // For every page below /cards, also of features that come later.
  router.use('/cards', originCheck(context.config));

  router.get('/cards', page(showCards));
  router.post('/cards/:customer_uid/remove', ...readForm, page(submitRemoval));

  router.all('/cards', methodNotAllowed(views.cardEntry ? 'GET, HEAD, POST' : 'GET, HEAD'));
  router.all('/cards/:customer_uid/remove', methodNotAllowed('POST'));
  return router;
}

/** The two documents of §1. */
export function legalRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const checkOrigin = originCheck(context.config);
  for (const name of ['terms', 'privacy'] as const)
    router.get(`/${name}`, checkOrigin, (request, response) => {
      views.send(request, response, {
        status: 200,
        template: `cards/${name}`,
        texts: { ko, en },
        title: ({ layout }) => layout[name],
        data: { version: CONSENT[`${name}Version`] },
      });
    });
  return router;
}

/** The cards that the merchant's checkout offers to its member. */
export const memberCardRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/members/{member_id}/cards',
    scope: 'read',
    summary: 'The registered cards of a member, masked, the newest first',
    answers: {
      200: {
        description: 'The cards; an empty list for a member without any, also an unknown one.',
        schema: cardListSchema,
        example: cardListExample,
      },
    },
    async handle(context, { params }) {
      // The database refuses some texts, such as NUL, so we look up only valid ids.
      const { data: memberId } = memberIdField.safeParse(params.member_id);
      const cards = memberId === undefined ? [] : await findCards(context, memberId);
      return { body: cardListJson(cards, context.clock.now()) };
    },
  }),
];
