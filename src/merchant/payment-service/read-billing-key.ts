// A billing key record as it comes (§2.3).
import { z } from 'zod';
import { check, type BadAnswer } from './check';
import { isCustomerUid } from './identifiers';
import { toRawRecord } from './raw-record';
import { code, maskedCardNumber, text, timestamp } from './record-fields';
import type { BillingKeyRecord } from './records';

const billingKeySchema = z.object({
  customer_uid: z.string().refine(isCustomerUid),
  pg_provider: text(16),
  pg_id: code(80),
  card_name: text(64),
  card_code: code(16),
  card_number: maskedCardNumber,
  card_type: code(8),
  inserted: timestamp,
  updated: timestamp,
});

export function readBillingKey(payload: unknown, bad: BadAnswer): BillingKeyRecord {
  const fields = check(billingKeySchema, payload, bad);
  return {
    customerUid: fields.customer_uid,
    pgProvider: fields.pg_provider,
    pgId: fields.pg_id,
    cardName: fields.card_name,
    cardCode: fields.card_code,
    cardNumber: fields.card_number,
    cardType: fields.card_type,
    insertedAt: fields.inserted,
    updatedAt: fields.updated,
    get raw() {
      return toRawRecord(payload as object);
    },
  };
}
