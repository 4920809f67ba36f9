// POST /api/members/{member_id}/erase: erases a member.

import { memberIdField } from '../../core/orders/order-schema';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { eraseMember } from './erase-member';
import { erasedExample, erasingExample, erasureJson, erasureSchema } from './erasure-schema';

export const erasureRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/members/{member_id}/erase',
    scope: 'members',
    summary: 'Erase a member who leaves',
    description:
      'Subscriptions are cancelled, cards are deleted at the service with what is scheduled, open orders are closed, and what is personal is blanked in every row. It cannot be undone. Members are known by their rows alone: what you register for the same member afterwards is kept anew, so sign the member out first. The payment service keeps its own records.',
    answers: {
      200: {
        description: 'No personal data is left.',
        schema: erasureSchema,
        example: erasedExample,
      },
      202: {
        description:
          'Not finished, for example because a payment is in progress. It is retried automatically until it is done.',
        schema: erasureSchema,
        example: erasingExample,
      },
    },
    async handle(context, { params, log }) {
      // Text that is not a valid id belongs to no member: the database refuses some of it, such as NUL.
      const { data: memberId } = memberIdField.safeParse(params.member_id);
      const outcome =
        memberId === undefined
          ? ({ kind: 'erased', toCheck: [] } as const)
          : await eraseMember(context, memberId);
      // The log outlives the member, so it says what waits, not for which member.
      log({ outcome: outcome.kind, waiting: outcome.kind === 'in_progress' ? outcome.waiting.length : 0 });
      return {
        status: outcome.kind === 'erased' ? 200 : 202,
        body: erasureJson(context.features, { ...outcome, toCheck: [...outcome.toCheck] }),
      };
    },
  }),
];
