// `npm run doctor`: access from outside through PUBLIC_URL. Does it reach this server, does the sender's address
// arrive, and are the metrics closed? Only checked if PUBLIC_URL is https, which production requires.

import { ADD_SENDER, nameProxies, PLAIN_ADDRESSES } from '../core/webhooks/judge-source';
import type { SourceAnswer } from '../core/webhooks/source-routes';
import { isPrivateAddress, parseAddressList } from '../platform/address-list';
import type { Config } from '../platform/config';
import { askSource, askUrl, FOREIGN_ADDRESS, reasonOf, type AskedSource } from './ask-url';
import type { Check, Finding } from './doctor-checks';
import { EXTRA_CA, findCertificateProblem } from './service-error-text';

/** A load balancer spreads requests over several processes: one of this many reaches the process that listens here. */
const TRIES = 10;

export async function checkPublic(config: Config): Promise<Check[]> {
  const { publicUrl } = config;
  if (publicUrl === null || !publicUrl.startsWith('https:')) return [];
  const name = 'public url';
  try {
    const asked = await askSource(publicUrl, config, FOREIGN_ADDRESS);
    if (asked.answer === null)
      return [
        { name, ...notOurs(publicUrl, asked) },
        { name: 'metrics', ...(await checkMetrics(publicUrl)) },
      ];
    const sent = { written: FOREIGN_ADDRESS, from: asked.localAddress };
    const way = judgeWay(asked.answer, sent, config.trustedProxies);
    return [
      { name, ...(await whereItLeads(config, publicUrl, asked.answer.instance)) },
      { name: 'proxies', ...way },
      { name: 'metrics', ...(await checkMetrics(publicUrl)) },
    ];
  } catch (error) {
    return [{ name, ...unreachable(publicUrl, error) }];
  }
}

/** The result if one of our URLs does not answer. */
export function unreachable(url: string, error: unknown): Finding {
  const reason = reasonOf(error);
  const certificate = findCertificateProblem(reason);
  if (certificate)
    return {
      state: 'failed',
      says: `${url} ${certificate.shown}: no client can use it`,
      fix: certificate.isUnknownSigner
        ? `Have the proxy send the whole chain of a certificate that browsers trust. ${EXTRA_CA}`
        : 'Renew the certificate at your reverse proxy, for this host name.',
    };
  return {
    state: 'failed',
    says: `${url} cannot be reached from here (${reason})`,
    fix: 'Check DNS, the firewall and the reverse proxy. If this machine may not reach it, run this from another one.',
  };
}

function notOurs(origin: string, { status }: AskedSource): Finding {
  if (status === 401)
    return {
      state: 'failed',
      says: `${origin} does not accept this API_KEY: it leads to another server, or to one with other settings`,
      fix: 'Have the reverse proxy lead to this server, and restart it with these settings.',
    };
  if (status === 403 || status === 404)
    return {
      state: 'warning',
      says: `${origin} answers ${status} to /api/source-address, so the path of a notification cannot be checked`,
      fix: 'If your proxy keeps /api inside, let this one path through, for GET alone (deploy/nginx.conf).',
    };
  return {
    state: 'failed',
    says: `${origin} answers ${status}, and not like this server`,
    fix: 'Is the server running, and does the reverse proxy lead to it?',
  };
}

async function whereItLeads(config: Config, origin: string, first: string): Promise<Finding> {
  const here = await instanceHere(config);
  if (here === null)
    return {
      state: 'ok',
      says: `${origin} leads to a server that accepts this API_KEY; no server listens on this machine`,
    };
  for (let tries = 1, seen: string | undefined = first; tries <= TRIES; tries += 1) {
    if (seen === here)
      return { state: 'ok', says: `${origin} leads to the process on port ${config.port} of this machine` };
    seen = (await askSource(origin, config)).answer?.instance;
  }
  return {
    state: 'warning',
    says: `${origin} leads to a server that accepts this API_KEY, but never to the process on port ${config.port} of this machine`,
    fix: 'Is that process one of the processes behind the proxy?',
  };
}

/** Null if no server listens here. */
async function instanceHere(config: Config): Promise<string | null> {
  try {
    return (
      (await askSource(`http://127.0.0.1:${config.port}${config.pathPrefix}`, config)).answer?.instance ??
      null
    );
  } catch {
    return null;
  }
}

async function checkMetrics(origin: string): Promise<Finding> {
  const { status } = await askUrl(`${origin}/metrics`);
  if (status !== 200) return { state: 'ok', says: `closed from outside without the key (${status})` };
  return {
    state: 'failed',
    says: `${origin}/metrics is open to everybody: the proxy looks like a program on this machine`,
    fix: 'Have the proxy add X-Forwarded-For, which notifications need too, or refuse /metrics there.',
  };
}

/**
 * How the request was sent. `written`: our own X-Forwarded-For value, to distinguish proxies that append to the header
 * or replace it from those that pass it on unchanged. `from`: our address on this machine.
 */
type Sent = { written: string; from: string | null };

/** What happens to the address of a sender on its way through PUBLIC_URL. The proxy in front has ended TLS. */
export function judgeWay(
  { peer, trusted, forwarded_for: forwardedFor, client }: SourceAnswer,
  { written, from }: Sent,
  trustedProxies: readonly string[],
): Finding {
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
function judgeBelieved(added: string | null | undefined, from: string | null, peer: string | null): Finding {
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
