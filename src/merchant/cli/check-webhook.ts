// `npm run doctor`: which senders the webhook lets in (§6.3). The running server is asked from this machine, with a body
// that it cannot read, so that nothing is stored: a sender that is refused gets 403, one that is let in gets 400.

import { parseAddressList } from '../address-list';
import { DOCUMENTED_SOURCE_ADDRESSES, type Config } from '../config';
import type { Check } from './doctor-checks';

const [SERVICE_ADDRESS] = DOCUMENTED_SOURCE_ADDRESSES;
/** Reserved for documentation (RFC 5737): nobody sends from it. */
const FOREIGN_ADDRESS = '203.0.113.7';

export async function checkWebhook(config: Config): Promise<Check[]> {
  return [checkSourceList(config), await checkSources(config)];
}

function checkSourceList({ webhook }: Config): Check {
  const name = 'source list';
  const { list } = parseAddressList(webhook.sourceAddresses);
  const missing = DOCUMENTED_SOURCE_ADDRESSES.filter((address) => !list.includes(address));
  if (missing.length === 0) return { name, state: 'ok', says: webhook.sourceAddresses.join(', ') };
  return {
    name,
    state: 'warning',
    says: `${missing.join(', ')} of §6.3 not listed`,
    fix: 'Add to WEBHOOK_SOURCE_ADDRESSES, unless the service has told you its new addresses.',
  };
}

async function checkSources({ port, webhook, trustedProxies }: Config): Promise<Check> {
  const name = 'webhook';
  const url = `http://127.0.0.1:${port}/webhooks/payments`;
  try {
    const direct = await post(url);
    const fromService = await post(url, SERVICE_ADDRESS);
    const fromForeign = await post(url, FOREIGN_ADDRESS);
    const proxies = trustedProxies.length > 0 ? trustedProxies.join(', ') : 'none';
    const seen = `from here ${word(direct)}; as ${SERVICE_ADDRESS} through a proxy here ${word(fromService)}; as ${FOREIGN_ADDRESS} ${word(fromForeign)}; trusted proxies: ${proxies}`;
    if (webhook.sourceCheck === 'observe')
      return {
        name,
        state: 'warning',
        says: `lets every source in: ${seen}`,
        fix: 'Set WEBHOOK_SOURCE_CHECK=enforce.',
      };
    if (fromForeign === 403) return { name, state: 'ok', says: seen };
    return { name, state: 'failed', says: seen, fix: 'Check WEBHOOK_SOURCE_ADDRESSES and TRUSTED_PROXIES.' };
  } catch {
    return {
      name,
      state: 'skipped',
      says: `nothing listens on port ${port}: start the server and run this again`,
    };
  }
}

async function post(url: string, forwardedFor?: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    },
    body: '{}',
    signal: AbortSignal.timeout(5000),
  });
  await response.arrayBuffer();
  return response.status;
}

function word(status: number): string {
  if (status === 403) return 'refused';
  return status === 400 ? 'let in' : `answered ${status}`;
}
