// Routes for stored billing keys: remove one, and decide about one that nobody asked for.

import { z } from 'zod';
import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { FieldError } from '../../platform/platform-errors';
import { decisionShape } from '../attempts/attempt-schema';
import { attemptErrors, decisionError } from '../attempts/decision';
import { billingKeyErrors } from '../billing-keys/billing-key-schema';
import { findKey, type StoredBillingKey } from '../billing-keys/billing-key-store';
import { discrepancyErrors } from '../discrepancies/errors';
import {
  discrepancyId,
  discrepancyJson,
  discrepancySchema,
  readDiscrepancy,
  resolvedDiscrepancyExample,
} from '../discrepancies/routes';
import { memberIdField } from '../orders/order-schema';
import { decideKey, type KeyDecision } from './decide-key';
import { cardErrors } from './errors';
import { removeCard } from './remove-card';

const removalSchema = z
  .strictObject({
    customer_uid: z.string(),
    status: z.enum(['removed', 'removing']).meta({
      description: '`removing`: out of use already; the removal is retried until it is done.',
    }),
  })
  .meta({ id: 'KeyRemoval', description: 'A billing key that is or will be gone.' });

export const keyRemovalRoutes: ApiRoute[] = [
  apiRoute({
    method: 'delete',
    path: '/api/billing-keys/{customer_uid}',
    scope: 'members',
    summary: 'Remove a stored billing key, as the member’s page does',
    description:
      'Takes the key out of use, revokes its schedules and deletes it at the service. The event `card.removed` tells when it is done.',
    answers: {
      200: {
        description: 'Removed, now or before.',
        schema: removalSchema,
        example: { customer_uid: 'member-7-card-1', status: 'removed' },
      },
      202: { description: 'Under way.', schema: removalSchema },
    },
    errors: [
      billingKeyErrors.billing_key_not_found,
      cardErrors.billing_key_in_use,
      cardErrors.billing_key_not_removed,
    ],
    async handle(context, { params, log }) {
      const { customer_uid: customerUid } = params;
      log({ customer_uid: customerUid });
      const key = await readKey(context, customerUid);
      const outcome = await removeCard(context, key);
      log({ outcome: outcome.kind });
      if (outcome.kind === 'in_use') throw new HttpError(cardErrors.billing_key_in_use);
      if (outcome.kind === 'cannot_now') throw new HttpError(cardErrors.billing_key_not_removed);
      const status = outcome.kind === 'removed' ? 'removed' : 'removing';
      return { status: status === 'removed' ? 200 : 202, body: { customer_uid: customerUid, status } };
    },
  }),
];

/** A key whose issuance has failed was never there. @throws HttpError 404 */
async function readKey(context: Context, customerUid: string): Promise<StoredBillingKey> {
  // The database refuses some texts, such as NUL, so we look up only valid ids.
  const key = isCustomerUid(customerUid) ? await findKey(context, customerUid) : null;
  if (key === null || key.status === 'failed') throw new HttpError(billingKeyErrors.billing_key_not_found);
  return key;
}

export const keyDecisionSchema = strictBody({
  outcome: z.enum(['given', 'deleted']).meta({
    description:
      '`given`: the member of `member_id` may pay with it. `deleted`: it is deleted at the service.',
  }),
  member_id: memberIdField.optional(),
  ...decisionShape,
});

/** @throws FieldError if the member is missing, or given for a key that is to be deleted */
export function toKeyDecision({
  outcome,
  member_id: memberId,
  by,
  note,
}: z.output<typeof keyDecisionSchema>): KeyDecision {
  if ((outcome === 'given') !== (memberId !== undefined))
    throw new FieldError('member_id', outcome === 'given' ? 'is missing' : 'must be left out');
  return { by, note, memberId: memberId ?? null };
}

/** @throws HttpError unless the decision was written */
export async function decideKeyOrThrow(
  context: Context,
  decision: KeyDecision & { id: bigint },
  log: (fields: { outcome: string }) => void,
): Promise<void> {
  const outcome = await decideKey(context, decision);
  log({ outcome: outcome.kind });
  switch (outcome.kind) {
    case 'settled':
      return;
    case 'no_key':
      throw new HttpError(cardErrors.discrepancy_without_key);
    case 'key_of_member':
      throw new HttpError(cardErrors.billing_key_of_member);
    case 'not_deleted':
      throw new HttpError(cardErrors.billing_key_not_removed);
    case 'not_found':
    case 'already_settled':
    case 'pending':
    case 'scheduled':
    case 'contradicted':
      throw decisionError(outcome, discrepancyErrors.discrepancy_not_found);
  }
}

const decisionExample = {
  outcome: 'given',
  member_id: 'member-7',
  note: 'The member has called',
  by: 'kim',
} satisfies z.input<typeof keyDecisionSchema>;

export const keyDecisionRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/billing-key',
    scope: 'members',
    summary: 'Give an unknown billing key to a member, or delete it at the service',
    description: 'Of a discrepancy `unknown_billing_key`, whose `actual` is the customer_uid.',
    body: keyDecisionSchema,
    example: decisionExample,
    answers: {
      200: {
        description: 'Done; the discrepancy is resolved.',
        schema: discrepancySchema,
        example: {
          ...resolvedDiscrepancyExample,
          kind: 'unknown_billing_key',
          expected: 'a billing key that we asked for',
          actual: 'window_kdmphmbgeakcnjcl',
          resolution: 'key_given',
          resolution_note: decisionExample.note,
        },
      },
    },
    errors: [
      discrepancyErrors.discrepancy_not_found,
      attemptErrors.already_settled,
      attemptErrors.service_contradicts,
      cardErrors.discrepancy_without_key,
      cardErrors.billing_key_of_member,
      cardErrors.billing_key_not_removed,
    ],
    asksService: true,
    async handle(context, { params, body, sent, log }) {
      const id = discrepancyId(params.id);
      log({ discrepancy_id: params.id, decision: body.outcome });
      await decideKeyOrThrow(context, { id, ...toKeyDecision(body), sent }, log);
      return { body: discrepancyJson(await readDiscrepancy(context, id)) };
    },
  }),
];
