// The table of requests for billing keys. Only the answer to a new request shows one.

import type { BillingKeyRequest } from '../../../generated/prisma/client';
import { TO_EMPTY, TO_NULL, type Columns } from '../../platform/personal-data';

/** An erasure deletes the rows. */
export const requestColumns = {
  billing_key_requests: {
    customerUid: 'stays',
    memberId: TO_EMPTY,
    merchantUid: 'stays',
    amount: 'stays',
    currency: 'stays',
    returnUrl: TO_NULL,
    createdAt: 'stays',
    expiresAt: 'stays',
    checkAt: 'stays',
  } satisfies Columns<BillingKeyRequest>,
};
