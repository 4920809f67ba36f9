// The billing key record of §2.3.

import { isCustomerUid } from '../identifiers';
import {
  code,
  identifier,
  maskedCardNumber,
  readRecord,
  recordTable,
  text,
  timestamp,
  type RecordOf,
  type ServiceResponse,
} from './record-fields';

const billingKeyTable = recordTable({
  customerUid: ['customer_uid', identifier(isCustomerUid)],
  pgProvider: ['pg_provider', text(16)],
  pgId: ['pg_id', code(80)],
  cardName: ['card_name', text(64)],
  cardCode: ['card_code', code(16)],
  /** At most the first six and the last four digits. */
  cardNumber: ['card_number', maskedCardNumber],
  cardType: ['card_type', code(8)],
  insertedAt: ['inserted', timestamp],
  /** On the service's clock: moves when the key is replaced (§1). */
  updatedAt: ['updated', timestamp],
});

export type BillingKeyRecord = RecordOf<typeof billingKeyTable>;

/** @throws ServiceError `bad_answer` for a record without a customer_uid */
export function readBillingKey(response: ServiceResponse): BillingKeyRecord {
  return readRecord(billingKeyTable, response);
}
