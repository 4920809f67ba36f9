// A member's cards: the page that lists and removes them, and the list for a checkout.

import { Router } from 'express';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { cardRoutes, legalRoutes, memberCardRoutes } from './card-routes';
import { cardErrors } from './errors';
import { keyDecisionRoutes, keyRemovalRoutes } from './key-routes';
import { recoverRemovals } from './remove-card';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const cards: Feature = {
  name: 'cards',
  errors: cardErrors,
  pathParameters: {
    member_id: { description: 'The merchant’s own id of the member.', example: 'member-7' },
  },
  api: {
    members: {
      description: 'The data of one member, and its erasure.',
      routes: memberCardRoutes,
    },
    'billing keys': { routes: keyRemovalRoutes },
    discrepancies: { routes: keyDecisionRoutes },
  },
  pages: ({ context, views }) => Router().use(cardRoutes(context, views), legalRoutes(context, views)),
  jobs: [
    // Retries every unfinished card removal.
    { name: 'recover-removals', crontab: EVERY_MINUTE, priority: 1, run: recoverRemovals },
  ],
  texts: { ko, en },
};
