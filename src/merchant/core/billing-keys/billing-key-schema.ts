// A billing key from both sides: the service's record (§2.3) under the document's names, and our own row as `stored`.
// `code` is 0 if the service knows the key. Also the schema of an issuance.

import { z } from 'zod';
import type { BillingKeyIssuance } from '../../../generated/prisma/client';
import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import { isCustomerUid } from '../../payment-service/identifiers';
import type { ShownRecord } from '../../payment-service/records/shown-record';
import { defineErrors } from '../../platform/errors';
import { listOf, toUnixSecondsOrZero } from '../../platform/http/query';
import { text } from '../../platform/row';
import type { StoredBillingKey } from './billing-key-store';
import { billingKeyRow, issuanceRow } from './row';

/** Errors for a missing billing key or issuance. */
export const billingKeyErrors = defineErrors({
  billing_key_not_found: {
    status: 404,
    message: 'No billing key is stored here under this customer_uid.',
    remedy: 'Check the customer_uid.',
  },
  issuance_not_found: {
    status: 404,
    message: 'There is no issuance with this id.',
    remedy: 'See GET /api/issuances.',
  },
});

/** §4.7 shows no limit. A hundred names of maximum length fit into the URL length that servers accept. */
const MAX_KEYS = 100;

export const billingKeysQuery = z.object({
  'customer_uid[]': listOf(z.string().refine(isCustomerUid, 'is no customer_uid'), MAX_KEYS).meta({
    description: `Up to ${MAX_KEYS}: repeat the parameter for each.`,
    examples: [['member-7-card-1']],
  }),
});

const storedKeySchema = z
  .strictObject(billingKeyRow.shape)
  .meta({ id: 'StoredBillingKey', description: 'Our row of a billing key.' });

const billingKeySchema = z
  .looseObject({
    customer_uid: z.string(),
    code: z
      .int()
      .meta({ description: '0 if the service shows the key; otherwise 1, and `message` says more.' }),
    message: text.nullable(),
    pg_provider: text.nullable(),
    pg_id: text.nullable(),
    card_name: text.nullable(),
    card_code: text.nullable(),
    card_number: text.nullable().meta({ description: 'Masked.' }),
    card_type: text.nullable(),
    inserted: z.int().min(0).meta({ description: 'UNIX seconds; 0 where not known.' }),
    updated: z.int().min(0).meta({ description: 'UNIX seconds; 0 where not known.' }),
    stored: storedKeySchema.nullable().meta({ description: 'Null if only the service knows it.' }),
  })
  .meta({
    id: 'BillingKey',
    description: 'A billing key record of the service (§2.3), and our row.',
  });

export const billingKeyListSchema = z.array(billingKeySchema);

type BillingKeyJson = z.output<typeof billingKeySchema>;

/**
 * At least one of the last three must be present.
 * @param odd a record of the answer that cannot be read, and that may be the record of this key
 */
export function billingKeyJson(
  customerUid: string,
  record: BillingKeyRecord | undefined,
  stored: StoredBillingKey | null,
  odd?: ShownRecord,
): BillingKeyJson {
  return {
    ...record?.raw,
    customer_uid: customerUid,
    code: record ? 0 : 1,
    message: record ? null : missingText(odd),
    pg_provider: record?.pgProvider ?? null,
    pg_id: record?.pgId ?? null,
    card_name: record?.cardName ?? null,
    card_code: record?.cardCode ?? null,
    card_number: record?.cardNumber ?? null,
    card_type: record?.cardType ?? null,
    inserted: toUnixSecondsOrZero(record?.insertedAt ?? null),
    updated: toUnixSecondsOrZero(record?.updatedAt ?? null),
    stored: stored && storedKeyJson(stored),
  };
}

function missingText(odd: ShownRecord | undefined): string {
  if (!odd) return 'The service shows no such billing key.';
  return `The service shows a record that cannot be read (customer_uid: ${odd.customerUid ?? 'none'}), which may be this one.`;
}

function storedKeyJson(stored: StoredBillingKey): z.output<typeof storedKeySchema> {
  return billingKeyRow.json({ ...stored, memberId: stored.memberId || null });
}

const stored = billingKeyRow.example;
const registeredAtSeconds = Date.parse(stored.created_at) / 1000;

export const billingKeyListExample = [
  {
    customer_uid: 'member-7-card-1',
    code: 0,
    message: null,
    card_name: stored.card_name,
    card_code: stored.card_code,
    card_number: stored.card_number,
    card_type: stored.card_type,
    pg_provider: stored.pg_provider,
    pg_id: 'nice_mid',
    inserted: registeredAtSeconds,
    updated: registeredAtSeconds,
    stored,
  },
];

export const issuanceSchema = z
  .strictObject(issuanceRow.shape)
  .meta({ id: 'Issuance', description: 'One attempt to turn a card into a billing key (§4.2).' });

export const issuanceJson = (row: BillingKeyIssuance): z.output<typeof issuanceSchema> =>
  issuanceRow.json(row);
