// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import { DECISION, POLLS, TO_EMPTY, TO_NULL, WRITTEN, type Columns } from '../../platform/personal-data';

/** What stands in `card_last_four` once the digits are gone. */
export const NO_DIGITS = '****';

export const billingKeyColumns = {
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
    ...WRITTEN,
  } satisfies Columns<rows.BillingKey>,
  billing_key_issuances: {
    id: 'stays',
    customerUid: 'stays',
    formNonce: 'stays',
    replacesKey: 'stays',
    status: 'stays',
    cardLastFour: { erasedTo: `'${NO_DIGITS}'` },
    // The card company's own words.
    reason: TO_NULL,
    termsVersion: 'stays',
    privacyVersion: 'stays',
    consentedAt: 'stays',
    ...POLLS,
    ...DECISION,
  } satisfies Columns<rows.BillingKeyIssuance>,
};
