// What a charge shares with issuances and refunds.

import { z } from 'zod';
import { ChargeStatus } from '../../../generated/prisma/client';
import { strictBody } from '../../platform/http/body-fields';
import { byTime, defineList } from '../../platform/http/list';
import { ofBillingKey, ofOrder, ofPayment } from '../../platform/http/query';
import type { AttemptKind } from '../attempts/attempt-kind';
import { decisionShape, needsPersonField } from '../attempts/attempt-schema';
import { chargeErrors } from './charge-response';
import { chargeJson, storedChargeSchema } from './charge-schema';
import { findCharges, type StoredCharge } from './charge-store';
import { checkChargeDecision } from './decide-charge';
import { chargeRecovery } from './recover-charge';
import { chargeRow } from './row';

const example = { outcome: 'not_executed', note: 'The card company has no approval', by: 'kim' };

export const chargeAttempt = {
  ...chargeRecovery,
  check: checkChargeDecision,
  notFound: chargeErrors.charge_not_found,
  scheduled: chargeErrors.order_scheduled,
  decision: {
    scope: 'charge',
    summary: 'Record a person’s decision on a charge; the service must not contradict it',
    schema: strictBody({ outcome: z.enum(['paid', 'not_executed']), ...decisionShape }),
    example,
  },
  list: defineList({
    filters: {
      merchant_uid: ofOrder,
      svc_uid: ofPayment,
      customer_uid: ofBillingKey,
      status: z.enum(ChargeStatus).optional(),
      needs_person: needsPersonField,
    },
    // Charge ids are random.
    cursor: byTime('startedAt', 'id'),
    find: findCharges,
    json: chargeJson,
  }),
  listSummary: 'Attempts to take money, the newest first',
  stored: {
    schema: storedChargeSchema,
    example: { ...chargeRow.example, settle_note: example.note, revocation: null },
    json: chargeJson,
  },
} satisfies AttemptKind<StoredCharge, 'paid' | 'not_executed'>;
