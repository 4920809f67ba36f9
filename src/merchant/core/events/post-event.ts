// An event goes to ORDER_EVENTS_URL, signed as Standard Webhooks (https://www.standardwebhooks.com): `webhook-id` is the
// id of the event, and the signature covers id, time and body. It is made with each value of ORDER_EVENTS_SECRET, so that a
// receiver who knows one of them accepts the event.

import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { isPrivateAddress } from '../../platform/address-list';
import type { Context } from '../../platform/context';
import type { ShopEvent } from '../../shop/event';

/** A name that leads to this machine or a private network: in production that is a mistake, or somebody's trick. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** `dns.lookup` for all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6'; hints?: number },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * For `connect` of a connection: where a name leads is judged when the connection is opened, and it goes to what was judged.
 * Resolved a second time, the name could lead to another address (DNS rebinding). It is not called for a host that is an address.
 */
export function judgedLookup(resolve: Resolve, isPrivate = isPrivateAddress): LookupFunction {
  return (hostname, { all, family, hints }, callback) => {
    const options = { all: true, ...(family && { family }), ...(hints && { hints }) } as const;
    resolve(hostname, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, []);
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
      // One is enough: which of them would be taken is not ours to say.
      if (addresses.some(({ address }) => isPrivate(address))) return callback(new PrivateAddressError(), []);
      if (all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** Null: it was taken. `isFinal`: the receiver wants no more of it. */
export type PostOutcome = { reason: string; isFinal: boolean } | null;

/** Certificates are verified, whatever the environment says: an event is personal data. */
const rejectUnauthorized = true;
const connections = new Agent({ connect: { rejectUnauthorized } });
const publicConnections = new Agent({ connect: { rejectUnauthorized, lookup: judgedLookup(lookup) } });

/**
 * Any 2xx counts as taken. A redirect is not followed: it could lead anywhere, with a body that is signed for somebody
 * else. 410 means that the receiver is gone for good (Standard Webhooks).
 */
export async function postEvent(
  { config, clock }: Context,
  event: ShopEvent,
  timeoutMs: number,
): Promise<PostOutcome> {
  if (config.orderEvents === null) return { reason: 'no_url', isFinal: true };
  const { url, secrets } = config.orderEvents;
  try {
    // A connection to an address resolves no name.
    if (config.production && isPrivateAddress(hostOf(url))) return failed('private_address');
    const { id, ...rest } = event;
    const body = JSON.stringify(rest);
    const now = clock.now();
    // undici follows no redirect by itself.
    const { statusCode, body: answer } = await request(url, {
      dispatcher: config.production ? publicConnections : connections,
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
      },
      body,
    });
    // Nothing of the answer but its status is read.
    answer.on('error', () => undefined).destroy();
    return outcomeOf(statusCode);
  } catch (error) {
    if (error instanceof PrivateAddressError) return failed('private_address');
    return failed((error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable');
  }
}

function outcomeOf(status: number): PostOutcome {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return failed('redirected');
  return status === 410 ? { reason: 'gone', isFinal: true } : failed(`http_${status}`);
}

function failed(reason: string): PostOutcome {
  return { reason, isFinal: false };
}

/** Whether a host is, or its name leads to, an address of this machine or a private network. */
export async function leadsToPrivateAddress(url: string): Promise<boolean> {
  const addresses = await resolveAll(hostOf(url), { all: true });
  return addresses.some(({ address }) => isPrivateAddress(address));
}

const resolveAll = promisify(lookup);

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
