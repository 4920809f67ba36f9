// A billing key as the API description shows it, from both sides.

import type { z } from 'zod';
import type { issuanceDecisionSchema, issuanceSchema } from './issuance-schema';

const card = {
  card_name: '현대카드',
  card_code: '367',
  card_number: '4242-42**-****-4242',
  card_type: '0',
  pg_provider: 'nice',
};
const REGISTERED_AT = '2026-11-20T05:12:40.000Z';
const registeredAtSeconds = Date.parse(REGISTERED_AT) / 1000;

export const billingKeyListExample = [
  {
    customer_uid: 'member-7-card-1',
    code: 0,
    message: null,
    ...card,
    pg_id: 'nice_mid',
    inserted: registeredAtSeconds,
    updated: registeredAtSeconds,
    stored: {
      member_id: 'member-7',
      status: 'active',
      ...card,
      removing_since: null,
      created_at: REGISTERED_AT,
      updated_at: REGISTERED_AT,
    },
  },
];

export const issuanceDecisionExample = {
  outcome: 'not_issued',
  note: 'The service’s console shows no key',
  by: 'kim',
} satisfies z.input<typeof issuanceDecisionSchema>;

export const settledIssuanceExample = {
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
  settled_by: issuanceDecisionExample.by,
  settle_note: issuanceDecisionExample.note,
} satisfies z.input<typeof issuanceSchema>;
