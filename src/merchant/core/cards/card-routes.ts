// Routes of cards: the pages to register, list, replace and remove a card, the two documents required of a merchant
// with its own card form (§1), and the cards that a checkout offers. See `submit-card.ts` and `remove-card.ts`.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { originCheck } from '../../platform/http/origin-check';
import type { Views } from '../../platform/http/views';
import { methodNotAllowed, pagesOf, readForm, refuseInQuery } from '../../platform/http/visit';
import { CONSENT } from '../../shop/terms';
import { findCards } from '../billing-keys/billing-key-store';
import { CARD_FIELDS } from '../billing-keys/card-input';
import { memberIdField } from '../orders/order-schema';
import { cardListExample, cardListJson, cardListSchema } from './card-list';
import { showCards, submitRemoval } from './show-cards';
import { liftLimits, showForm } from './show-form';
import { showOutcome } from './show-outcome';
import { submitCard } from './submit-card';
import { en } from './texts.en';
import { ko } from './texts.ko';

const LIFT_PATH = '/cards/limits/lift';

export function cardRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  // For every page below /cards, also of features that come later.
  router.use('/cards', originCheck(context.config), refuseInQuery(CARD_FIELDS));

  router.get('/cards/new', page(showForm));
  router.post('/cards', ...readForm, page(submitCard));
  router.get('/cards', page(showCards));
  router.get('/cards/:customer_uid/replace', page(showForm));
  router.post('/cards/:customer_uid/replace', ...readForm, page(submitCard));
  router.get('/cards/:customer_uid/outcome', page(showOutcome));
  router.post('/cards/:customer_uid/remove', ...readForm, page(submitRemoval));

  // In production no limit can be lifted.
  if (context.config.sandboxMode) router.post(LIFT_PATH, page(liftLimits));

  router.all('/cards', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/new', methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/replace', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/:customer_uid/outcome', methodNotAllowed('GET, HEAD'));
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
