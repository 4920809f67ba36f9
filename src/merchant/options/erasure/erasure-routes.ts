// POST /api/members/{member_id}/erase: erases a member.

import { z } from 'zod';
import { memberIdField } from '../../core/orders/order-schema';
import type { FeatureRows } from '../../platform/context';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { classifiedColumns, WAIT_REASONS } from '../../platform/personal-data';
import { eraseMember, type ErasureOutcome } from './erase-member';

/** Maximum length of a list in an answer: a member may have many orders. */
const MOST_LISTED = 100;

/** What stays of an erased member, in words; `columns` of the answer lists every column. */
const KEPT =
  'Ids (merchant_uid, svc_uid, customer_uid and those of the payment service), amounts, dates and states stay, with the names of products, the approval number and the receipt of a payment, the name of the card company, and the versions and times of consents. What people have typed stays and is for you to check.';

const waitingSchema = z.strictObject({
  kind: z.enum(['subscription', 'card', 'order']),
  id: z.string().meta({ description: 'subscription_id, customer_uid or merchant_uid.' }),
  reason: z.enum(WAIT_REASONS).meta({
    description:
      '`…_pending`: the outcome is not known yet. `…_needs_review`: a person decides first. `order_scheduled`: the card of a schedule could not be removed. `removal_refused`: the service kept the card. `later`: its turn comes with the next try.',
  }),
});

const toCheckSchema = z.strictObject({
  kind: z.enum(['refund', 'charge', 'issuance', 'discrepancy', 'payment', 'order']),
  id: z.string().meta({ description: 'svc_uid of a payment, merchant_uid of an order, `id` of the others.' }),
});

const erasureSchema = z
  .strictObject({
    status: z.enum(['erased', 'in_progress']),
    waiting: z.array(waitingSchema).meta({
      description: `What is not erased yet, at most ${MOST_LISTED}. The erasure continues automatically; send the same request again to see its progress.`,
    }),
    to_check: z.array(toCheckSchema).meta({
      description: `Rows with a reason or a note, at most ${MOST_LISTED}. Check whether they name the member. Listed until the erasure is finished.`,
    }),
    kept: z.strictObject({
      description: z.string(),
      columns: z.array(z.string()).meta({ description: '`table.column` of everything that stays.' }),
    }),
  })
  .meta({ id: 'Erasure', description: 'The progress of an erasure, and what is not erased.' });

function erasureJson(
  features: readonly FeatureRows[],
  outcome: ErasureOutcome,
): z.output<typeof erasureSchema> {
  return {
    status: outcome.kind,
    waiting: outcome.waiting.slice(0, MOST_LISTED),
    to_check: outcome.toCheck.slice(0, MOST_LISTED),
    kept: { description: KEPT, columns: keptColumns(features) },
  };
}

/** Columns that stay, of the tables with data about members. Those with the rule `fields` stay in part. */
function keptColumns(features: readonly FeatureRows[]): string[] {
  const columns = classifiedColumns(features);
  const ofMembers = new Set(columns.flatMap(({ table, rule }) => (rule === 'stays' ? [] : [table])));
  return columns
    .filter(({ table, rule }) => ofMembers.has(table) && typeof rule !== 'object')
    .map(({ table, column }) => `${table}.${column}`);
}

/** For the API description. */
const shown = erasureJson([], { kind: 'erased', waiting: [], toCheck: [{ kind: 'refund', id: '23' }] });
/** Shortened. */
const columns = ['billing_keys.customer_uid', 'billing_keys.status', 'billing_keys.card_name'];

const erasedExample = {
  ...shown,
  kept: { ...shown.kept, columns },
} satisfies z.input<typeof erasureSchema>;

const erasingExample = {
  ...erasedExample,
  status: 'in_progress',
  waiting: [{ kind: 'order', id: 'order-1003', reason: 'charge_pending' }],
} satisfies z.input<typeof erasureSchema>;

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
      const outcome: ErasureOutcome =
        memberId === undefined
          ? { kind: 'erased', waiting: [], toCheck: [] }
          : await eraseMember(context, memberId);
      // The log outlives the member, so it says what waits, not for which member.
      log({ outcome: outcome.kind, waiting: outcome.waiting.length });
      return {
        status: outcome.kind === 'erased' ? 200 : 202,
        body: erasureJson(context.features, outcome),
      };
    },
  }),
];
