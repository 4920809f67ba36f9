// An issuance as the merchant's own systems see it, and what a person says of it.

import { z } from 'zod';
import { strictBody } from '../http/body-fields';
import { flag, keysetPageSchema, keysetQuery } from '../http/query';
import { isCustomerUid } from '../payment-service/identifiers';
import { decisionShape, settledShape } from '../recovery/decision-schema';
import type { StoredIssuance } from './issuance-store';

const statuses = ['pending', 'issued', 'declined', 'unknown', 'needs_review'] as const;
const time = z.iso.datetime();

export const issuancesQuery = z.object({
  customer_uid: z
    .string()
    .refine(isCustomerUid, 'is no customer_uid')
    .optional()
    .meta({ description: 'Of this billing key.' }),
  status: z.enum(statuses).optional(),
  needs_person: flag.optional().meta({ description: 'Whether only a person can settle it.' }),
  ...keysetQuery,
});

export const issuanceDecisionSchema = strictBody({
  outcome: z.enum(['issued', 'not_issued']),
  ...decisionShape,
});

export const issuanceSchema = z
  .strictObject({
    id: z.string(),
    customer_uid: z.string(),
    replaces_key: z.boolean(),
    status: z.enum(statuses),
    card_last_four: z.string().meta({ description: 'Of the card that was sent.' }),
    reason: z.string().nullable(),
    polls: z.int().min(0),
    not_found_polls: z.int().min(0),
    started_at: time,
    resolved_at: time.nullable(),
    ...settledShape,
  })
  .meta({ id: 'Issuance', description: 'One attempt to turn a card into a billing key (§4.2).' });

export const issuanceListSchema = keysetPageSchema(issuanceSchema, 'IssuanceList');

export function issuanceJson(row: StoredIssuance): z.output<typeof issuanceSchema> {
  return {
    id: String(row.id),
    customer_uid: row.customerUid,
    replaces_key: row.replacesKey,
    status: row.status,
    card_last_four: row.cardLastFour,
    reason: row.reason,
    polls: row.polls,
    not_found_polls: row.notFoundPolls,
    started_at: row.startedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    settled_by: row.settledBy,
    settle_note: row.settleNote,
  };
}
