// Where orders are registered: at the merchant that the settings of the process name, while notifications go there.

import type { Service } from '../service';
import type { MerchantPlace } from './scene';

/**
 * Null if no key is known, or if notifications go elsewhere: whoever can change the settings of the sandbox must not get
 * the key by it.
 */
export function findMerchantPlace({ config, settings }: Service): MerchantPlace | null {
  const { merchantApiKey: apiKey, webhookUrl } = config;
  const { webhook_url: current } = settings.get();
  if (apiKey === undefined || webhookUrl === undefined || current === null) return null;
  const { origin } = new URL(webhookUrl);
  return new URL(current).origin === origin ? { url: origin, apiKey } : null;
}
