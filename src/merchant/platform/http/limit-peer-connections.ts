// One address cannot take all connections of this process: each holds a number of them, and when it wants another, one of
// its own that is idle is closed.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, plainAddress, type AddressList } from '../address-list';

/**
 * Far more than a browser opens (six), and enough for an office behind one address. Twenty such peers are needed to hold
 * the connections of a whole process.
 */
const CONNECTIONS_OF_A_PEER = 200;

/**
 * Where all of a peer's connections are in use, the new one is closed. A trusted proxy speaks for many and has no limit
 * here. An IPv6 peer is its /64.
 */
export function limitPeerConnections(
  server: Server,
  trustedProxies: AddressList,
  limit = CONNECTIONS_OF_A_PEER,
): void {
  const peers = new Map<string, Peer>();
  const peerOf = new WeakMap<Socket, Peer>();
  const requests = new WeakMap<Socket, number>();
  const isIdle = (socket: Socket): boolean => !requests.get(socket);

  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === null || trustedProxies.includes(address)) return;
    const network = networkOf(address);
    const peer = peers.get(network) ?? new Set();
    if (peer.size >= limit) {
      const closed = [...peer].find(isIdle) ?? socket;
      peer.delete(closed);
      closed.destroy();
      if (closed === socket) return;
    }
    peers.set(network, peer.add(socket));
    peerOf.set(socket, peer);
    socket.once('close', () => {
      peer.delete(socket);
      if (peer.size === 0 && peers.get(network) === peer) peers.delete(network);
    });
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      requests.set(socket, (requests.get(socket) ?? 1) - 1);
      const peer = peerOf.get(socket);
      // Last in the order: it was in use just now.
      if (peer?.delete(socket)) peer.add(socket);
    });
  });
}

/** The connections of one peer, the one that has been idle for longest first. */
type Peer = Set<Socket>;
