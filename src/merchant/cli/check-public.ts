// `npm run doctor`: access from outside through PUBLIC_URL. Does it reach this server, does the sender's address
// arrive, and are the metrics closed? Only checked if PUBLIC_URL is https, which production requires.

import type { Config } from '../platform/config';
import { askSource, askUrl, FOREIGN_ADDRESS, reasonOf, type AskedSource } from './ask-url';
import { EXTRA_CA, findCertificateProblem } from './command';
import type { Check } from './doctor-checks';
import { judgeWay } from './judge-way';

/** A load balancer spreads requests over several processes: one of this many reaches the process that listens here. */
const TRIES = 10;

export async function checkPublic(config: Config): Promise<Check[]> {
  const { publicUrl } = config;
  if (publicUrl === null || !publicUrl.startsWith('https:')) return [];
  const name = 'public url';
  try {
    const asked = await askSource(publicUrl, config, FOREIGN_ADDRESS);
    if (asked.answer === null) return [notOurs(publicUrl, asked), await checkMetrics(publicUrl)];
    const sent = { written: FOREIGN_ADDRESS, from: asked.localAddress };
    const way = judgeWay(asked.answer, sent, config.trustedProxies);
    return [
      { name, ...(await whereItLeads(config, publicUrl, asked.answer.instance)) },
      { name: 'proxies', ...way },
      await checkMetrics(publicUrl),
    ];
  } catch (error) {
    return [{ name, ...unreachable(publicUrl, error) }];
  }
}

/** The result if one of our URLs does not answer. */
export function unreachable(url: string, error: unknown): Omit<Check, 'name'> {
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

function notOurs(origin: string, { status }: AskedSource): Check {
  const name = 'public url';
  if (status === 401)
    return {
      name,
      state: 'failed',
      says: `${origin} does not accept this API_KEY: it leads to another server, or to one with other settings`,
      fix: 'Have the reverse proxy lead to this server, and restart it with these settings.',
    };
  if (status === 403 || status === 404)
    return {
      name,
      state: 'warning',
      says: `${origin} answers ${status} to /api/source-address, so the path of a notification cannot be checked`,
      fix: 'If your proxy keeps /api inside, let this one path through, for GET alone (deploy/nginx.conf).',
    };
  return {
    name,
    state: 'failed',
    says: `${origin} answers ${status}, and not like this server`,
    fix: 'Is the server running, and does the reverse proxy lead to it?',
  };
}

async function whereItLeads(config: Config, origin: string, first: string): Promise<Omit<Check, 'name'>> {
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

async function checkMetrics(origin: string): Promise<Check> {
  const name = 'metrics';
  const { status } = await askUrl(`${origin}/metrics`);
  if (status !== 200) return { name, state: 'ok', says: `closed from outside without the key (${status})` };
  return {
    name,
    state: 'failed',
    says: `${origin}/metrics is open to everybody: the proxy looks like a program on this machine`,
    fix: 'Have the proxy add X-Forwarded-For, which notifications need too, or refuse /metrics there.',
  };
}
