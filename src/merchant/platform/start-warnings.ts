// Settings that are not refused, and are said at the start, as each may cost money or notifications.

import type { Config } from './config';

/**
 * Of a payment service that is not on this machine, while NODE_ENV is not production. A test account at the service is used
 * just so; with a live account it is a mistake. `npm run doctor` says it too.
 */
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

/**
 * Of production without TRUSTED_PROXIES. A proxy may keep the sender's address on the connection itself; behind any other no
 * notification arrives.
 */
export const NO_TRUSTED_PROXIES = {
  meaning:
    'whoever connects to this server is taken for the sender: behind a reverse proxy every notification is refused, and the limits of the card form count the proxy in place of each browser',
  fix: 'Name your reverse proxies in TRUSTED_PROXIES, by address or range, and run: npm run doctor',
};

export function lacksProxies({
  production,
  trustedProxies,
}: Pick<Config, 'production' | 'trustedProxies'>): boolean {
  return production && trustedProxies.length === 0;
}
