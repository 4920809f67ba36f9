// The pages on which a member registers, replaces and removes a card.

import { Router } from 'express';
import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES, EVERY_MINUTE } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { deleteExpiredLimits } from '../../platform/limit-store';
import type { Columns } from '../../platform/personal-data';
import { cardRoutes, legalRoutes, memberCardRoutes } from './card-routes';
import { cardErrors } from './errors';
import { recoverRemovals } from './remove-card';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { cardCounters } from './watch-declines';

/**
 * Keyed hashes of member ids, addresses and card numbers, kept for at most a day. An erasure cannot tell whose they
 * are.
 */
const cardColumns = {
  card_limits: { key: 'stays', points: 'stays', expire: 'stays' } satisfies Columns<rows.CardLimit>,
};

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
  },
  pages: ({ context, views }) => Router().use(cardRoutes(context, views), legalRoutes(context, views)),
  jobs: [
    // Retries every unfinished card removal.
    { name: 'recover-removals', crontab: EVERY_MINUTE, priority: 1, run: recoverRemovals },
    { name: 'forget-card-attempts', crontab: EVERY_FIVE_MINUTES, priority: 3, run: deleteExpiredLimits },
  ],
  personalData: cardColumns,
  texts: { ko, en },
  counters: cardCounters,
};
