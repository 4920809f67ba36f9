// Evaluates for `npm run doctor` what happens to a sender's address on its way through PUBLIC_URL, without I/O. Only
// valid for https: this server speaks plain HTTP, so a proxy in front of it must have terminated TLS.

import { ADD_SENDER, nameProxies, PLAIN_ADDRESSES } from '../core/webhooks/judge-source';
import type { SourceAnswer } from '../core/webhooks/source-routes';
import { isPrivateAddress, parseAddressList } from '../platform/address-list';
import type { Check } from './doctor-checks';

/**
 * How the request was sent. `written`: our own X-Forwarded-For value, to distinguish proxies that append to the header
 * or replace it from those that pass it on unchanged. `from`: our address on this machine.
 */
type Sent = { written: string; from: string | null };

export function judgeWay(
  { peer, trusted, forwarded_for: forwardedFor, client }: SourceAnswer,
  { written, from }: Sent,
  trustedProxies: readonly string[],
): Omit<Check, 'name'> {
  const hops = forwardedFor[0] === written ? forwardedFor.slice(1) : forwardedFor;
  /** From this server to the sender. */
  const chain = [peer, ...hops.toReversed()];
  const sender = chain.at(-1);
  if (client === written) return judgeBelieved(hops.length > 0 ? sender : null, from, peer);
  if (client === null || peer === null)
    return {
      state: 'failed',
      says: `every notification is refused: the proxy ${peer} does not write a plain address into X-Forwarded-For`,
      fix: PLAIN_ADDRESSES,
    };
  // An address can appear twice in the chain, for the proxy and for us on the same machine. A trusted address is taken
  // as the sender only if all are trusted. For the peer we use the server's own answer, because these settings may be
  // newer than the server.
  const isTrusted = client === peer ? trusted : parseAddressList(trustedProxies).list.includes(client);
  const unnamed = isTrusted
    ? []
    : chain.slice(chain.indexOf(client), -1).filter((address) => address !== null);
  if (unnamed.length > 0)
    return {
      state: 'failed',
      says: `every notification is refused: it seems to come from ${client}, a proxy that TRUSTED_PROXIES does not name`,
      fix: nameProxies(unnamed, trustedProxies),
    };
  if (chain.length > 1) return { state: 'ok', says: `this command is seen as ${client}, through ${peer}` };
  if (trusted || isPrivateAddress(peer))
    return {
      state: 'failed',
      says: `every notification is refused: the proxy ${peer} does not name the sender in X-Forwarded-For`,
      fix: trusted ? ADD_SENDER : `${nameProxies([peer], trustedProxies)} ${ADD_SENDER}`,
    };
  return {
    state: 'warning',
    says: `this command is seen as ${peer}: if that is not its own public address, it is a proxy, and every notification is refused`,
    fix: `${nameProxies([peer], trustedProxies)} ${ADD_SENDER}`,
  };
}

/**
 * The server takes our own X-Forwarded-For value as the sender. Anyone could do the same, unless the value is trusted
 * only because we ask from a trusted proxy.
 * @param added the address that the first proxy has added; null if none has
 */
function judgeBelieved(
  added: string | null | undefined,
  from: string | null,
  peer: string | null,
): Omit<Check, 'name'> {
  if (added != null && added === from)
    return {
      state: 'ok',
      says: `this command is seen as ${from}, which is itself a trusted proxy, through ${peer}`,
    };
  const open = 'anyone can write a listed address into it and send notifications as the payment service';
  if (added == null)
    return {
      state: 'failed',
      says: `the proxy ${peer} is trusted and does not change X-Forwarded-For: ${open}`,
      fix: ADD_SENDER,
    };
  return {
    state: 'warning',
    says: `behind ${added} the X-Forwarded-For of a sender is trusted. If that is a proxy, ${open}; if it is this machine, this is safe`,
    fix: 'Run this again from a machine whose address is not in TRUSTED_PROXIES.',
  };
}
