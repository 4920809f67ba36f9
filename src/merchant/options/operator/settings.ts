// The settings of the operator pages.

import { z } from 'zod';
import { defineSettings, secrets } from '../../platform/settings';
import { isSentByOthers } from './request-headers';

export const operatorSettings = defineSettings({
  shape: {
    OPERATOR_PASSWORD: secrets.describe('Signs in to /operator.'),
    /** The header in which a trusted proxy names the operator that it has signed in. */
    OPERATOR_IDENTITY_HEADER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a request header, such as X-Forwarded-User')
      .refine(
        (name) => !isSentByOthers(name),
        'is a header that browsers, clients or proxies send with another meaning',
      )
      .optional(),
    /** In won: what one operator may refund of a payment without a second person; without it there is no limit. */
    REFUND_LIMIT: z.coerce
      .number('must be an amount in won, without separators')
      .int('must be a whole amount in won')
      .min(0, 'must be 0 or more')
      .max(Number.MAX_SAFE_INTEGER, 'is too large')
      .optional(),
  },
  /** Of scrypt. One of the choices of OWASP's Password Storage Cheat Sheet: 32 MiB for each password. */
  constants: () => ({ passwordCost: { N: 2 ** 15, r: 8, p: 3 } }),
  ownSecrets: ['OPERATOR_PASSWORD'],
  // Without a trusted proxy the header is always ignored, so that no operator could sign in.
  problems: (given) =>
    given['OPERATOR_IDENTITY_HEADER'] === undefined || given['TRUSTED_PROXIES'] !== undefined
      ? []
      : ['OPERATOR_IDENTITY_HEADER: needs TRUSTED_PROXIES, the addresses from which it is believed'],
});
