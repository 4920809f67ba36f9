// The settings of the webhook: which senders are let in, and the secret of signed notifications.

import { z } from 'zod';
import { DOCUMENTED_SOURCE_ADDRESSES } from '../../payment-service/identifiers';
import { addresses, defineSettings, standardWebhooksSecrets, type Given } from '../../platform/settings';
import { addressProblems } from './address-rules';

export const webhookSettings = defineSettings({
  shape: {
    WEBHOOK_SOURCE_ADDRESSES: addresses.default([...DOCUMENTED_SOURCE_ADDRESSES]),
    WEBHOOK_SOURCE_CHECK: z.enum(['enforce', 'observe'], 'must be "enforce" or "observe"').default('enforce'),
    /** Any of them may have signed a notification of the newer generation; without one, its signed form is malformed. */
    WEBHOOK_SECRET: standardWebhooksSecrets.optional(),
  },
  serviceSecrets: ['WEBHOOK_SECRET'],
  sandboxValues: { WEBHOOK_SECRET: `whsec_${'sandbox/'.repeat(5)}` },
  problems: (given, production) => (production ? [...lackOfNewer(given), ...addressProblems(given)] : []),
});

/** For WEBHOOK_SOURCE_CHECK=observe, which is meant for the days of a change of addresses. */
export const OBSERVED = {
  meaning:
    'WEBHOOK_SOURCE_CHECK is observe: anybody can send notifications. No false payment is stored, because each is fetched, but each costs a call to the service',
  fix: 'Set WEBHOOK_SOURCE_ADDRESSES to the addresses of the service, and WEBHOOK_SOURCE_CHECK=enforce',
};

function lackOfNewer(given: Given): string[] {
  const newer = ['SERVICE_V2_BASE_URL', 'SERVICE_API_KEY'];
  if (given['WEBHOOK_SECRET'] === undefined || newer.some((name) => given[name] !== undefined)) return [];
  return [
    `WEBHOOK_SECRET: needs ${newer.join(' and ')}, because the payment that a signed notification names is fetched there`,
  ];
}
