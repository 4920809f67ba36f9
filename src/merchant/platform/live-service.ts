// A payment service that is not on this machine, while NODE_ENV is not production. It is not refused, because a test account
// at the service is used just so; it is said at the start and by `npm run doctor`, because with a live account it is a
// mistake that costs money.

import type { Config } from './config';

export const SET_PRODUCTION = 'Set NODE_ENV=production, unless this is a test account.';

/** What the rules of development let through. Empty where they do no harm: in production, or with a sandbox beside us. */
export function unsafeOutsideProduction({
  liveOutsideProduction,
}: Pick<Config, 'liveOutsideProduction'>): string[] {
  if (!liveOutsideProduction) return [];
  return [
    'payments of test channels, which move no money, pay for orders',
    'secrets may be short, addresses plain HTTP, and the database reached without TLS',
    'secrets that are not set are made and kept in a file',
    'the member cookie is sent without TLS as well',
  ];
}
