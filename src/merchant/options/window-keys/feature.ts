// Billing keys that members issue in the payment window: wallets, and cards whose numbers this server never sees.

import type { BillingKeyRequest } from '../../../generated/prisma/client';
import { EVERY_MINUTE, ONCE_A_DAY } from '../../platform/clock';
import type { MemberRows } from '../../platform/context';
import type { Feature } from '../../platform/http/feature-type';
import { TO_EMPTY, TO_NULL, type Columns } from '../../platform/personal-data';
import { checkRequests } from './check-requests';
import { requestErrors, requestRoutes } from './request-routes';
import { deleteOldRequests, deleteRequestsOf, findKeyRequest, hasRequests } from './request-store';
import { returnRoutes } from './return-routes';
import { en } from './texts.en';
import { ko } from './texts.ko';

const memberRequests: MemberRows = {
  exist: hasRequests,
  /** At once: a key that comes back later is then left to a person. */
  async end(context, memberId) {
    await deleteRequestsOf(context, memberId);
    return [];
  },
  /** Those that were made meanwhile. */
  async erase(context, run, memberId) {
    await deleteRequestsOf(context, memberId, run);
    return true;
  },
};

export const windowKeys: Feature = {
  name: 'window-keys',
  errors: requestErrors,
  api: { members: { routes: requestRoutes } },
  pages: ({ context, views }) => returnRoutes(context, views),
  findKeyRequest,
  jobs: [
    { name: 'check-key-requests', crontab: EVERY_MINUTE, priority: 2, run: checkRequests },
    { name: 'delete-key-requests', crontab: ONCE_A_DAY, priority: 3, run: deleteOldRequests },
  ],
  memberRows: memberRequests,
  // An erasure deletes the rows.
  personalData: {
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
  },
  texts: { ko, en },
};
