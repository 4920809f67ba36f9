// Payments made with a billing key (§4.6), the newest first. The document shows two forms of the answer: the paged
// object is the default, the bare array is a setting.

import { z } from 'zod';
import { getBillingKey, type BillingKeyStore } from '../billing-keys/billing-key-store';
import { success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields } from '../http/fields';
import { DEFAULT_LIMIT, paged, pageField } from '../http/paging';
import type { Settings } from '../notifications/settings';
import type { PaymentStore } from './payment-store';
import { includesSandbox } from './test-channel';

const querySchema = z.object({ page: optional(pageField) });

export function billingKeyPaymentsEndpoint(
  payments: PaymentStore,
  billingKeys: BillingKeyStore,
  settings: Settings,
): Endpoint {
  return {
    method: 'GET',
    path: '/subscribe/customers/:customer_uid/payments',
    access: 'legacy',
    handle: ({ params, query }) => {
      const { customerUid } = getBillingKey(billingKeys, params.customer_uid);
      const { page = 1 } = parseFields(querySchema, query);
      const search = { customerUid, includeSandbox: includesSandbox(query) };
      const found = payments.ofCustomer(search, (page - 1) * DEFAULT_LIMIT, DEFAULT_LIMIT);
      const list = found.payments.map(payments.recordOf);
      const isArray = settings.get().billing_key_payments_shape === 'array';
      return success(isArray ? list : paged(found.total, page, DEFAULT_LIMIT, list));
    },
  };
}
