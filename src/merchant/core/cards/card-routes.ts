// The routes of a member's pages: register a card, list the cards, replace one, remove one. Each handler stands in a file of
// its own; the story goes on in `register-card.ts` and `remove-card.ts`.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import { readForm, refuseInQuery } from '../../platform/http/read-form';
import type { Views } from '../../platform/http/views';
import { methodNotAllowed, pagesOf } from '../../platform/http/visit';
import { CARD_FIELDS } from '../billing-keys/card-input';
import { showCards } from './show-cards';
import { showNewForm, showReplacementForm } from './show-form';
import { showOutcome } from './show-outcome';
import { submitNewCard, submitReplacement } from './submit-card';
import { submitRemoval } from './submit-removal';

export function cardRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  router.use('/cards', originCheck(context.config), refuseInQuery(CARD_FIELDS));

  router.get('/cards/new', page(showNewForm));
  router.post('/cards', ...readForm, page(submitNewCard));
  router.get('/cards', page(showCards));
  router.get('/cards/:customer_uid/replace', page(showReplacementForm));
  router.post('/cards/:customer_uid/replace', ...readForm, page(submitReplacement));
  router.get('/cards/:customer_uid/outcome', page(showOutcome));
  router.post('/cards/:customer_uid/remove', ...readForm, page(submitRemoval));

  router.all('/cards', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/new', methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/replace', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/:customer_uid/outcome', methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/remove', methodNotAllowed('POST'));
  return router;
}
