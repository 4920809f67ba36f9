// Production without TRUSTED_PROXIES. It is not refused, because a proxy may keep the sender's address on the connection
// itself; it is said at the start, because behind any other proxy no notification arrives.

import type { Config } from './config';

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
