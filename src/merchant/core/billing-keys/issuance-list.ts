// GET /api/issuances: every attempt to issue a key, the newest first; POST /api/issuances/{id}/settle: a person says what
// became of one.

import { z } from 'zod';
import { IssuanceStatus } from '../../../generated/prisma/client';
import type { ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { ofBillingKey } from '../../platform/http/query';
import {
  attemptJson,
  attemptShape,
  decisionShape,
  isRowId,
  needsPersonField,
} from '../attempts/attempt-schema';
import { settleRoute } from '../attempts/settle-route';
import { billingKeyErrors } from './billing-key-schema';
import { decideIssuance } from './decide-issuance';
import { findIssuance, findIssuances, type StoredIssuance } from './issuance-store';

const issuanceSchema = z
  .strictObject({
    id: z.string(),
    customer_uid: z.string(),
    replaces_key: z.boolean(),
    status: z.enum(IssuanceStatus),
    card_last_four: z.string().meta({ description: 'Of the card that was sent.' }),
    ...attemptShape,
  })
  .meta({ id: 'Issuance', description: 'One attempt to turn a card into a billing key (§4.2).' });

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

export const issuanceList = defineList({
  filters: {
    customer_uid: ofBillingKey,
    status: z.enum(IssuanceStatus).optional(),
    needs_person: needsPersonField,
  },
  cursor: byId,
  find: findIssuances,
  json: issuanceJson,
});

export const issuanceDecisionSchema = strictBody({
  outcome: z.enum(['issued', 'not_issued']),
  ...decisionShape,
});

const decisionExample = {
  outcome: 'not_issued',
  note: 'The service’s console shows no key',
  by: 'kim',
} satisfies z.input<typeof issuanceDecisionSchema>;

const settledExample = {
  id: '17',
  customer_uid: 'card_2f1c0a7be94d4f05b1c2d3e4f5a6b7c8',
  replaces_key: false,
  status: 'declined',
  card_last_four: '4242',
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-21T09:30:00.000Z',
  resolved_at: '2026-11-21T10:00:00.000Z',
  settled_by: decisionExample.by,
  settle_note: decisionExample.note,
} satisfies z.input<typeof issuanceSchema>;

export const issuanceRoutes: ApiRoute[] = [
  listRoute(issuanceList, {
    path: '/api/issuances',
    summary: 'Attempts to issue a billing key, the newest first',
    id: 'IssuanceList',
    item: issuanceSchema,
    example: settledExample,
  }),
  settleRoute({
    list: 'issuances',
    summary:
      'A person says what became of an issuance; the billing key follows what the service shows (§4.7)',
    decision: issuanceDecisionSchema,
    example: decisionExample,
    stored: issuanceSchema,
    storedExample: settledExample,
    notFound: billingKeyErrors.issuance_not_found,
    logName: 'issuance_id',
    isId: isRowId,
    decide: (context, id, decision) => decideIssuance(context, { id: BigInt(id), ...decision }),
    find: (context, id) => findIssuance(context, BigInt(id)),
    json: issuanceJson,
  }),
];
