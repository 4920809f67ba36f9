// An issuance as the merchant's own systems see it, and what a person says of it.

import { z } from 'zod';
import { strictBody } from '../../platform/http/body-fields';
import { keysetPageSchema, ofBillingKey } from '../../platform/http/query';
import { attemptJson, attemptShape, attemptsQuery } from '../attempts/attempt-schema';
import { decisionShape } from '../attempts/decision-schema';
import type { StoredIssuance } from './issuance-store';

const statuses = ['pending', 'issued', 'declined', 'unknown', 'needs_review'] as const;

export const issuancesQuery = z.object({
  customer_uid: ofBillingKey,
  status: z.enum(statuses).optional(),
  ...attemptsQuery,
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
    ...attemptShape,
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
    ...attemptJson(row),
  };
}
