// GET /api/members/{member_id}/cards: what a checkout of the merchant offers to its member.

import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { exactLine } from '../../platform/http/body-fields';
import { findCards } from '../billing-keys/billing-key-store';
import { cardListExample, cardListJson, cardListSchema } from './member-card-schema';

/** As in an order. */
const memberIdField = exactLine(64);

export const memberCardRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/members/{member_id}/cards',
    summary: 'The registered cards of a member, masked, the newest first',
    answers: {
      200: {
        description: 'The cards. Members are known by their cards alone: one without any has an empty list.',
        schema: cardListSchema,
        example: cardListExample,
      },
    },
    async handle(context, { params }) {
      // Text that cannot be an id is not searched for: the database refuses some of it, such as NUL.
      const { data: memberId } = memberIdField.safeParse(params.member_id);
      const cards = memberId === undefined ? [] : await findCards(context, memberId);
      return { body: cardListJson(cards, context.clock.now()) };
    },
  }),
];
