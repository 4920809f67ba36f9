// The merchant at which orders are registered: the one in the process's configuration, as long as notifications go there.

import type { Service } from '../service';
import type { MerchantPlace } from './scene';

/**
 * Null if no key is configured, or if notifications go to another origin: changing the sandbox's settings must not disclose
 * the key.
 */
export function findMerchantPlace({ config, settings }: Service): MerchantPlace | null {
  const { merchantApiKey: apiKey, webhookUrl } = config;
  const { webhook_url: current } = settings.get();
  if (apiKey === undefined || webhookUrl === undefined || current === null) return null;
  const { origin, pathname } = new URL(webhookUrl);
  // A merchant that shares its host with a shop has all its paths under another one.
  const [, prefix = ''] = /^(.*)\/webhooks\/payments$/.exec(pathname) ?? [];
  return new URL(current).origin === origin ? { url: `${origin}${prefix}`, apiKey } : null;
}
