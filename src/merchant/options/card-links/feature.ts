// Card links: one-time addresses of the card form and the list of cards that sign a member in.

import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { MemberRows } from '../../platform/context';
import type { Feature } from '../../platform/http/feature-type';
import { TO_EMPTY, TO_NULL, type Columns } from '../../platform/personal-data';
import { cardLinkErrors, cardLinkPages, cardLinkRoutes } from './card-link-routes';
import { deleteExpiredLinks, deleteLinksOf, hasLinks } from './card-link-store';
import { en } from './texts.en';
import { ko } from './texts.ko';

const memberLinks: MemberRows = {
  exist: hasLinks,
  /** At once: a link would let the member register another card. */
  async end(context, memberId) {
    await deleteLinksOf(context, memberId);
    return [];
  },
  /** Those that were made meanwhile. */
  async erase(context, run, memberId) {
    await deleteLinksOf(context, memberId, run);
    return true;
  },
};

export const cardLinks: Feature = {
  name: 'card-links',
  needs: ['card-form'],
  errors: cardLinkErrors,
  api: { members: { routes: cardLinkRoutes } },
  pages: ({ context, views }) => cardLinkPages(context, views),
  jobs: [
    // Deletes links that nobody has used in time.
    { name: 'delete-card-links', crontab: EVERY_FIVE_MINUTES, priority: 3, run: deleteExpiredLinks },
  ],
  // An erasure deletes the rows.
  personalData: {
    card_links: {
      tokenHash: 'stays',
      memberId: TO_EMPTY,
      page: 'stays',
      returnUrl: TO_NULL,
      expiresAt: 'stays',
    } satisfies Columns<rows.CardLink>,
  },
  memberRows: memberLinks,
  texts: { ko, en },
};
