// Billing keys, their members, and each attempt to issue one.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import { DECISION, POLLS, TO_EMPTY, TO_NULL, WRITTEN, type Columns } from '../../platform/personal-data';
import { recoveryJob } from '../attempts/recover-attempt';
import { attemptQueue } from '../attempts/report-review';
import { billingKeyRoutes, issuanceList, issuanceRoutes } from './billing-key-routes';
import { billingKeyErrors, issuanceJson } from './billing-key-schema';
import { findStuckIssuances, NO_DIGITS } from './issuance-store';
import { issuanceRecovery } from './recover-issuance';

/** Personal data in the tables of this feature. */
const billingKeyColumns = {
  billing_keys: {
    customerUid: 'stays',
    memberId: TO_EMPTY,
    status: 'stays',
    cardNumber: TO_NULL,
    cardName: 'stays',
    cardCode: 'stays',
    cardType: 'stays',
    pgProvider: 'stays',
    serviceUpdatedAt: 'stays',
    removingSince: 'stays',
    version: 'stays',
    ...WRITTEN,
  } satisfies Columns<rows.BillingKey>,
  billing_key_issuances: {
    id: 'stays',
    customerUid: 'stays',
    formNonce: 'stays',
    replacesKey: 'stays',
    status: 'stays',
    cardLastFour: { erasedTo: `'${NO_DIGITS}'` },
    // The card company's own text.
    reason: TO_NULL,
    termsVersion: 'stays',
    privacyVersion: 'stays',
    consentedAt: 'stays',
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.BillingKeyIssuance>,
};

export const billingKeys: Feature = {
  name: 'billing-keys',
  errors: billingKeyErrors,
  pathParameters: {
    customer_uid: {
      description: 'The merchant’s own id of the billing key (§1).',
      example: 'member-7-card-1',
    },
  },
  api: {
    'billing keys': {
      description: 'Cards that are stored at the service (§4.6, §4.7).',
      routes: [...billingKeyRoutes, ...issuanceRoutes],
    },
  },
  jobs: [recoveryJob(issuanceRecovery)],
  personalData: billingKeyColumns,
  actionQueue: attemptQueue({
    kind: 'issuances',
    subject: 'issuance',
    list: issuanceList,
    findStuck: async (context) => (await findStuckIssuances(context)).map(issuanceJson),
  }),
};
