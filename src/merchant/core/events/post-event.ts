// Posts an event to ORDER_EVENTS_URL, signed as Standard Webhooks (https://www.standardwebhooks.com). `webhook-id` is
// the id of the event, and the signature covers id, time and body. There is one signature for each value of
// ORDER_EVENTS_SECRET, so a receiver that knows one of them accepts the event.

import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { Agent, request as sendRequest } from 'undici';
import { isPrivateAddress } from '../../platform/address-list';
import { stateOf, type Context } from '../../platform/context';
import { hostOf, isAllowedHost } from '../../platform/setting-urls';
import type { ShopEvent } from '../../shop/event';
import { allowedHosts, eventReceiver, type EventReceiver } from './settings';

/**
 * The name resolves to this machine or a private network, and ORDER_EVENTS_ALLOW does not name it. In production this
 * is a mistake or an attack.
 */
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
 * For `connect` of a connection: checks the addresses of a name when the connection is opened, and connects to a
 * checked address. If the name were resolved twice, the second result could differ (DNS rebinding). It is not called
 * for a host that is an address.
 * @param allow hosts and ranges that may be private
 */
export function judgedLookup(resolve: Resolve, allow: readonly string[] = []): LookupFunction {
  return (hostname, { all, family, hints }, callback) => {
    const options = { all: true, ...(family && { family }), ...(hints && { hints }) } as const;
    resolve(hostname, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, []);
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
      // One private address is enough to refuse, because we do not control which one is used.
      if (addresses.some(({ address }) => isForbidden(allow, hostname, address)))
        return callback(new PrivateAddressError(), []);
      if (all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/**
 * Lookups of one name at the same time share one. Node.js has four threads for all lookups of a process, so a name
 * server that hangs would otherwise also delay the calls to the payment service.
 */
export function sharedLookup(resolve: Resolve): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[2][]>();
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options]);
    const others = waiting.get(key);
    if (others) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(key, callbacks);
    resolve(hostname, options, (error, addresses) => {
      waiting.delete(key);
      for (const each of callbacks) each(error, addresses);
    });
  };
}

/** Null if the receiver accepted it. `isFinal`: do not deliver it again. */
export type PostOutcome = { reason: string; isFinal: boolean } | null;

/** Certificates are always verified, whatever the environment says: events contain personal data. */
const rejectUnauthorized = true;
const connections = new Agent({ connect: { rejectUnauthorized } });
const resolveName = sharedLookup(lookup);

/** In production: to no private address but those of ORDER_EVENTS_ALLOW. */
function createJudgedConnections({ config }: Context): Agent {
  return new Agent({
    connect: { rejectUnauthorized, lookup: judgedLookup(resolveName, allowedHosts(config)) },
  });
}

function isForbidden(allow: readonly string[], host: string, address: string): boolean {
  return isPrivateAddress(address) && !isAllowedHost(allow, host.replace(/\.$/, '').toLowerCase(), address);
}

type Sending = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
};

/**
 * Posts JSON. Any 2xx is success. Redirects are not followed: they could lead anywhere, with a body meant for another
 * receiver. 410 means that the receiver is gone for good (Standard Webhooks).
 */
export async function postTo(
  context: Context,
  { url, headers, body, timeoutMs }: Sending,
): Promise<PostOutcome> {
  const json = { 'content-type': 'application/json', ...headers };
  const answered = await send(context, { url, method: 'POST', headers: json, body, timeoutMs });
  return typeof answered === 'number' ? outcomeOf(answered) : failed(answered);
}

/** Whether something answers there, whatever it says. Returns why not; null if it does. */
export async function askReceiver(context: Context, url: string, timeoutMs: number): Promise<string | null> {
  const answered = await send(context, { url, method: 'HEAD', timeoutMs });
  return typeof answered === 'number' ? null : answered;
}

/** Returns the status of the answer, or why there is none. */
async function send(
  context: Context,
  { url, timeoutMs, ...request }: Pick<Sending, 'url' | 'timeoutMs'> & RequestOptions,
): Promise<number | string> {
  const { config } = context;
  try {
    // If the host is an address, no name is resolved, so it is checked here.
    if (config.production && isForbidden(allowedHosts(config), hostOf(url), hostOf(url)))
      return 'private_address';
    // undici does not follow redirects by default.
    const { statusCode, body: answer } = await sendRequest(url, {
      dispatcher: config.production ? stateOf(context, createJudgedConnections) : connections,
      signal: AbortSignal.timeout(timeoutMs),
      ...request,
    });
    // Only the status of the answer is used.
    answer.on('error', () => undefined).destroy();
    return statusCode;
  } catch (error) {
    if (error instanceof PrivateAddressError) return 'private_address';
    return (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable';
  }
}

type RequestOptions = { method: 'POST' | 'HEAD'; headers?: Readonly<Record<string, string>>; body?: string };

/** Posts an event, signed. */
export async function postEvent(context: Context, event: ShopEvent, timeoutMs: number): Promise<PostOutcome> {
  // Without a URL it is no target.
  const { url, secrets } = eventReceiver(context.config) as EventReceiver;
  const { id, ...rest } = event;
  const body = JSON.stringify(rest);
  // A receiver refuses a signature that is minutes old.
  const now = context.realClock.now();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
  return postTo(context, { url, headers, body, timeoutMs });
}

function outcomeOf(status: number): PostOutcome {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return failed('redirected');
  return status === 410 ? { reason: 'gone', isFinal: true } : failed(`http_${status}`);
}

function failed(reason: string): PostOutcome {
  return { reason, isFinal: false };
}

/** Whether events would be refused: the host is, or its name resolves to, a private address that is not allowed. */
export async function leadsToPrivateAddress(url: string, allow: readonly string[]): Promise<boolean> {
  const host = hostOf(url);
  const addresses = await resolveAll(host, { all: true });
  return addresses.some(({ address }) => isForbidden(allow, host, address));
}

const resolveAll = promisify(lookup);
