// Where the sandbox's payment window opens for an order, as the browser reaches it.

import type { IncomingHttpHeaders } from 'node:http';
import type { StoredOrder } from '../../core/orders/order-store';
import type { Config } from '../../platform/config';

/** How the browser has reached us. */
export type Reached = { protocol: string; hostname: string; headers: IncomingHttpHeaders };

/** The sandbox listens on this machine: the browser reaches it under the name under which it has reached us. */
export function sandboxOrigin(
  { service }: Pick<Config, 'service'>,
  { hostname }: Pick<Reached, 'hostname'>,
): string {
  const url = new URL(service.baseUrl);
  url.hostname = hostname;
  return url.origin;
}

/** Under which the browser has reached us. */
export const ownOrigin = ({ protocol, headers }: Pick<Reached, 'protocol' | 'headers'>): string =>
  new URL(`${protocol}://${headers.host}`).origin;

export function windowAddress(
  config: Pick<Config, 'service'>,
  request: Reached,
  { merchantUid, name, amount, currency }: StoredOrder,
): string {
  const back = new URL(`/orders/${merchantUid}/return`, ownOrigin(request));
  back.searchParams.set('return_url', `/demo/orders/${merchantUid}`);
  const window = new URL('/window', sandboxOrigin(config, request));
  const fields = { merchant_uid: merchantUid, name, amount: String(amount), currency, return_url: back.href };
  for (const [field, value] of Object.entries(fields)) window.searchParams.set(field, value);
  return window.href;
}
