// Takes money with a stored card, once.

import type { Feature } from '../../platform/http/feature-type';
import { attemptParts } from '../attempts/attempt-parts';
import { chargeAttempt } from './attempt';
import { chargeErrors } from './charge-response';
import { chargeRoutes } from './charge-routes';
import { chargeRow } from './row';

export const charges: Feature = {
  name: 'charges',
  errors: chargeErrors,
  api: {
    charges: {
      description: 'Attempts to take the money for an order.',
      routes: chargeRoutes,
    },
  },
  ...attemptParts(chargeAttempt),
  personalData: { charges: chargeRow.erasure },
};
