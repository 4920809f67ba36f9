// What an issuance shares with charges and refunds.

import { z } from 'zod';
import { IssuanceStatus } from '../../../generated/prisma/client';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList } from '../../platform/http/list';
import { ofBillingKey } from '../../platform/http/query';
import type { AttemptKind } from '../attempts/attempt-kind';
import { decisionShape, needsPersonField } from '../attempts/attempt-schema';
import { billingKeyErrors, issuanceJson, issuanceSchema } from './billing-key-schema';
import { checkIssuanceDecision } from './decide-issuance';
import { findIssuances, type StoredIssuance } from './issuance-store';
import { issuanceRecovery } from './recover-issuance';
import { issuanceRow } from './row';

const example = { outcome: 'not_issued', note: 'The service’s console shows no key', by: 'kim' };

export const issuanceAttempt = {
  ...issuanceRecovery,
  check: checkIssuanceDecision,
  notFound: billingKeyErrors.issuance_not_found,
  decision: {
    scope: 'members',
    summary:
      'Record a person’s decision on an issuance; the billing key follows what the service shows (§4.7)',
    schema: strictBody({ outcome: z.enum(['issued', 'not_issued']), ...decisionShape }),
    example,
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
  stored: {
    schema: issuanceSchema,
    example: { ...issuanceRow.example, settle_note: example.note },
    json: issuanceJson,
  },
} satisfies AttemptKind<StoredIssuance, 'issued' | 'not_issued'>;
