// Routes of the card form: to register and to replace a card, and the outcome of both. See `submit-card.ts`.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import { methodNotAllowed, pagesOf, readForm, refuseInQuery } from '../../platform/http/page-request';
import type { Views } from '../../platform/http/views';
import { CARD_ENTRY } from './card-entry';
import { CARD_FIELDS } from './card-input';
import { liftLimits, showForm } from './show-form';
import { showOutcome } from './show-outcome';
import { submitCard } from './submit-card';

const LIFT_PATH = '/cards/limits/lift';

export function formRoutes(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  // For every page below /cards, also of features that come later.
  router.use('/cards', originCheck(context.config), refuseInQuery(CARD_FIELDS));

  router.get(CARD_ENTRY.register, page(showForm));
  router.post('/cards', ...readForm, page(submitCard));
  router.get('/cards/:customer_uid/replace', page(showForm));
  router.post('/cards/:customer_uid/replace', ...readForm, page(submitCard));
  router.get('/cards/:customer_uid/outcome', page(showOutcome));

  // In production no limit can be lifted.
  if (context.config.sandboxMode) router.post(LIFT_PATH, page(liftLimits));

  router.all(CARD_ENTRY.register, methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/replace', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/:customer_uid/outcome', methodNotAllowed('GET, HEAD'));
  return router;
}
