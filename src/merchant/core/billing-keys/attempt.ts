// What an issuance shares with charges and refunds.

import { z } from 'zod';
import { IssuanceStatus } from '../../../generated/prisma/client';
import { byId, defineList } from '../../platform/http/list';
import { ofBillingKey } from '../../platform/http/query';
import type { AttemptKind } from '../attempts/attempt-kind';
import { needsPersonField } from '../attempts/attempt-schema';
import {
  billingKeyErrors,
  issuanceDecisionExample,
  issuanceDecisionSchema,
  issuanceJson,
  issuanceSchema,
  settledIssuanceExample,
} from './billing-key-schema';
import { checkIssuanceDecision } from './decide-issuance';
import { findIssuances, type StoredIssuance } from './issuance-store';
import { issuanceRecovery } from './recover-issuance';

export const issuanceAttempt = {
  ...issuanceRecovery,
  check: checkIssuanceDecision,
  notFound: billingKeyErrors.issuance_not_found,
  decision: {
    scope: 'members',
    summary:
      'Record a person’s decision on an issuance; the billing key follows what the service shows (§4.7)',
    schema: issuanceDecisionSchema,
    example: issuanceDecisionExample,
  },
  list: defineList({
    filters: {
      customer_uid: ofBillingKey,
      status: z.enum(IssuanceStatus).optional(),
      needs_person: needsPersonField,
    },
    cursor: byId,
    find: findIssuances,
    json: issuanceJson,
  }),
  listSummary: 'Attempts to issue a billing key, the newest first',
  stored: { schema: issuanceSchema, example: settledIssuanceExample, json: issuanceJson },
} satisfies AttemptKind<StoredIssuance, 'issued' | 'not_issued'>;
