// The sender of a request: the address of the socket, or the one that a trusted reverse proxy reports. Express' `trust
// proxy` stays off: as `true` or a hop count it can be spoofed.

import type { IncomingMessage } from 'node:http';
import { parseAddressList, plainAddress, type AddressList } from '../address-list';

export type SeenSource = {
  /** Of the socket; null if it is gone. */
  peer: string | null;
  /** Whether the peer is a trusted proxy, so that its `X-Forwarded-For` counts. */
  trusted: boolean;
  /** `X-Forwarded-For` from left to right, from any author; null for an entry that is not a plain address. */
  forwardedFor: (string | null)[];
  /** The address taken as the sender; null if the socket is gone, or a proxy wrote something that is no plain address. */
  client: string | null;
};

/**
 * The sender, and the data it is based on. `X-Forwarded-For` is read from the right, as long as the address to its right
 * is a trusted proxy; several header lines count as one list. No other header is read. `requestLog` calls it for every
 * request: `request.source`.
 */
export function readSource(request: IncomingMessage, trustedProxies: AddressList): SeenSource {
  const peer = peerAddress(request);
  // Node joins repeated header lines with commas.
  const line = request.headers['x-forwarded-for'] as string | undefined;
  const forwardedFor = line?.split(',').map((part) => plainAddress(part.trim())) ?? [];
  const trusted = trustedProxies.includes(peer);
  return { peer, trusted, forwardedFor, client: trusted ? lastUntrusted() : peer };

  function lastUntrusted(): string | null {
    for (const hop of forwardedFor.toReversed()) {
      if (!trustedProxies.includes(hop)) return hop;
    }
    return forwardedFor[0] ?? peer;
  }
}

/**
 * Whether a local program sent the request itself. A proxy on this machine has a loopback address too, trusted or not.
 * It is recognised by proxy headers, by a `Host` that is not a name of this machine, or by HTTP/1.0, the default of
 * nginx. A proxy without any of these looks like a local program: `npm run doctor` checks through PUBLIC_URL, and
 * reports it.
 */
export function isFromThisMachine(request: IncomingMessage): boolean {
  if (!LOOPBACK.includes(peerAddress(request))) return false;
  if (request.httpVersion === '1.0' || !isNameOfThisMachine(request.headers.host ?? '')) return false;
  return !Object.keys(request.headers).some((name) => PROXY_HEADER.test(name));
}

/** Null if the socket is gone. */
function peerAddress({ socket }: IncomingMessage): string | null {
  return plainAddress(socket.remoteAddress ?? '');
}

function isNameOfThisMachine(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const hostname = new URL(`http://${host}`).hostname.replace(/[[\]]/g, '');
  return hostname === 'localhost' || LOOPBACK.includes(hostname);
}

const LOOPBACK = parseAddressList(['127.0.0.0/8', '::1']).list;
const PROXY_HEADER = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/;
