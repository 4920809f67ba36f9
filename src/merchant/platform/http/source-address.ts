// Who sent a request: the address of the socket, or what a trusted reverse proxy says of it. Express' own
// `trust proxy` stays off: as `true` or a hop count it can be spoofed.

import type { IncomingMessage } from 'node:http';
import { parseAddressList, plainAddress, type AddressList } from '../address-list';

export type SeenSource = {
  /** Of the socket; null where it is gone. */
  peer: string | null;
  /** Whether the peer is one of the trusted proxies, and its `X-Forwarded-For` is believed. */
  trusted: boolean;
  /** `X-Forwarded-For` from left to right, whoever wrote it; null for an entry that is no plain address. */
  forwardedFor: (string | null)[];
  /** Whom the server takes for the sender; null where that cannot be known. */
  client: string | null;
};

/**
 * The client's address, or null where it cannot be known (socket gone, or a proxy wrote something that is no plain
 * address). `X-Forwarded-For` is read from the right, only while the address on its right is a trusted proxy; all its
 * lines count as one list. No other header is looked at.
 */
export function sourceAddress(request: IncomingMessage, trustedProxies: AddressList): string | null {
  return readSource(request, trustedProxies).client;
}

/** The same, with what it was found from. */
export function readSource(request: IncomingMessage, trustedProxies: AddressList): SeenSource {
  const peer = peerAddress(request);
  // Node joins its lines by commas.
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
 * Whether a program on this machine sent a request for itself. A proxy beside us has a loopback address too, trusted or
 * not. It is known by the headers that proxies add, by a `Host` that is no name of this machine, or by HTTP/1.0, which
 * nginx speaks to us unless it is told otherwise. A proxy that shows none of these cannot be told from a local program:
 * `npm run doctor` asks through PUBLIC_URL, and says so.
 */
export function isFromThisMachine(request: IncomingMessage): boolean {
  if (!LOOPBACK.includes(peerAddress(request))) return false;
  if (request.httpVersion === '1.0' || !isNameOfThisMachine(request.headers.host ?? '')) return false;
  return !Object.keys(request.headers).some((name) => PROXY_HEADER.test(name));
}

/** Null where the socket is gone. */
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
