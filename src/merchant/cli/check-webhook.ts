// `npm run doctor`: which senders the webhook accepts (§6.3). Asks the running server from this machine which sender it
// sees. Nothing is posted to the webhook, so nothing is stored, counted or logged as a refusal.

import { webhookSettings } from '../core/webhooks/settings';
import type { SourceAnswer } from '../core/webhooks/source-routes';
import { webhookUrl } from '../core/webhooks/webhook-path';
import { DOCUMENTED_SOURCE_ADDRESSES } from '../payment-service/identifiers';
import { parseAddressList } from '../platform/address-list';
import type { Config } from '../platform/config';
import { settingsOf } from '../platform/settings';
import { askSource, FOREIGN_ADDRESS, reasonOf } from './ask-url';
import type { Check, Finding } from './doctor-checks';

const [SERVICE_ADDRESS] = DOCUMENTED_SOURCE_ADDRESSES;

export async function checkWebhook(config: Config): Promise<Check[]> {
  return [
    { name: 'source list', ...checkSourceList(config) },
    { name: 'webhook', ...(await checkSources(config)) },
  ];
}

function checkSourceList(config: Config): Finding {
  const { WEBHOOK_SOURCE_ADDRESSES: addresses } = settingsOf(config, webhookSettings);
  const { list } = parseAddressList(addresses);
  const missing = DOCUMENTED_SOURCE_ADDRESSES.filter((address) => !list.includes(address));
  if (missing.length === 0) return { state: 'ok', says: addresses.join(', ') };
  return {
    state: 'warning',
    says: `${missing.join(', ')} of §6.3 not listed`,
    fix: 'Add them to WEBHOOK_SOURCE_ADDRESSES, unless the service has announced new addresses.',
  };
}

async function checkSources(config: Config): Promise<Finding> {
  const { port, publicUrl, pathPrefix, trustedProxies } = config;
  const origin = `http://127.0.0.1:${port}${pathPrefix}`;
  try {
    const [direct, fromService, fromForeign] = [
      await askSource(origin, config),
      await askSource(origin, config, SERVICE_ADDRESS),
      await askSource(origin, config, FOREIGN_ADDRESS),
    ].map(({ answer }) => answer);
    if (!direct || !fromService || !fromForeign)
      return {
        state: 'failed',
        says: `what listens on port ${port} does not accept this API_KEY, or is another version`,
        fix: 'Start the server with these settings and this version, and run this again.',
      };
    const proxies = trustedProxies.length > 0 ? trustedProxies.join(', ') : 'none';
    const seen = `from here ${word(direct)}; as ${SERVICE_ADDRESS} through a proxy here ${word(fromService)}; as ${FOREIGN_ADDRESS} ${word(fromForeign)}; trusted proxies: ${proxies}`;
    if (fromForeign.source_check === 'observe')
      return {
        state: 'warning',
        says: `accepts every source: ${seen}`,
        fix: 'Set WEBHOOK_SOURCE_CHECK=enforce.',
      };
    if (direct.misdirected > 0)
      return {
        state: 'warning',
        says: `the payment service has posted ${direct.misdirected} times to a wrong path since the server started: ${seen}`,
        fix: `Set the endpoint URL in its console to ${webhookUrl(publicUrl ?? pathPrefix)}; the log has the path (webhook_wrong_path).`,
      };
    if (fromForeign.webhook === 'refused') return { state: 'ok', says: seen };
    return { state: 'failed', says: seen, fix: 'Check WEBHOOK_SOURCE_ADDRESSES and TRUSTED_PROXIES.' };
  } catch (error) {
    return {
      state: 'skipped',
      says: `nothing answers on port ${port} (${reasonOf(error)}): start the server and run this again`,
    };
  }
}

const word = ({ webhook }: SourceAnswer): string => (webhook === 'refused' ? 'refused' : 'let in');
