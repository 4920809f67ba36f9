// Billing keys, their members, and each attempt to issue one.

import type { Feature } from '../../platform/http/feature-type';
import { attemptParts, attemptRoutes } from '../attempts/attempt-parts';
import { issuanceAttempt } from './attempt';
import { billingKeyRoutes } from './billing-key-routes';
import { billingKeyErrors } from './billing-key-schema';
import { billingKeyRow, issuanceRow } from './row';

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
      routes: [...billingKeyRoutes, ...attemptRoutes(issuanceAttempt)],
    },
  },
  ...attemptParts(issuanceAttempt),
  personalData: { billing_keys: billingKeyRow.erasure, billing_key_issuances: issuanceRow.erasure },
};
