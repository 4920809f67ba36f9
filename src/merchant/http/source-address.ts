// Who sent a request: the address of the socket, or what a trusted reverse proxy says of it. Express' own
// `trust proxy` stays off: as `true` or a hop count it can be spoofed.

import type { IncomingMessage } from 'node:http';
import { parseAddressList, plainAddress, type AddressList } from '../address-list';

/**
 * The client's address, or null where it cannot be known (socket gone, or a proxy wrote something that is no plain
 * address). `X-Forwarded-For` is read from the right, only while the address on its right is a trusted proxy; all its
 * lines count as one list. No other header is looked at.
 */
export function sourceAddress(request: IncomingMessage, trustedProxies: AddressList): string | null {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (peer === null || !trustedProxies.includes(peer)) return peer;
  const lines = request.headersDistinct['x-forwarded-for'];
  if (lines === undefined) return peer;
  const hops = lines
    .join(',')
    .split(',')
    .map((part) => plainAddress(part.trim()));
  for (const hop of hops.reverse()) {
    if (hop === null || !trustedProxies.includes(hop)) return hop;
  }
  return hops.at(-1) ?? null;
}

/**
 * Whether a program on this machine sent a request for itself. A proxy beside us has a loopback address too, trusted or
 * not: it is known by the headers that proxies add, and one that adds none cannot be told from a local program.
 */
export function isFromThisMachine(request: IncomingMessage): boolean {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (peer === null || !LOOPBACK.includes(peer)) return false;
  return !Object.keys(request.headers).some((name) => PROXY_HEADER.test(name));
}

const LOOPBACK = parseAddressList(['127.0.0.0/8', '::1']).list;
const PROXY_HEADER = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/;
