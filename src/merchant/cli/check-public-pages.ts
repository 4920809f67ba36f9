// `npm run doctor -- --live`: what a browser meets at PUBLIC_URL: a certificate that lasts, no way around TLS, and pages that
// answer to the host name that the reverse proxy passes on.

import type { Config } from '../config';
import { askUrl } from './ask-url';
import { unreachable } from './check-public';
import type { Check } from './doctor-checks';

const DAY_MS = 24 * 3_600_000;
/** Certificates that renew themselves do it 30 days before their end; a shorter rest says that it has not worked. */
const RENEWED_BEFORE_DAYS = 14;

/** Empty where PUBLIC_URL is not https: the settings say so. */
export async function checkPublicPages({ publicOrigin }: Config): Promise<Check[]> {
  if (publicOrigin === null || !publicOrigin.startsWith('https:')) return [];
  try {
    const { status, headers, validTo } = await askUrl(`${publicOrigin}/docs`);
    return [
      { name: 'tls', ...judgeCertificate(validTo, new Date()) },
      { name: 'hsts', ...judgeHsts(headers['strict-transport-security']) },
      { name: 'pages', ...judgePages(status) },
      { name: 'http', ...(await checkPlainHttp(publicOrigin)) },
    ];
  } catch (error) {
    return [{ name: 'tls', ...unreachable(publicOrigin, error) }];
  }
}

export function judgeCertificate(validTo: Date | null, now: Date): Omit<Check, 'name'> {
  const days = validTo === null ? 0 : Math.floor((+validTo - +now) / DAY_MS);
  const says = `the certificate is valid for ${days} more days`;
  if (days >= RENEWED_BEFORE_DAYS) return { state: 'ok', says };
  return { state: 'warning', says, fix: 'Renew it. If it renews itself, that has not worked.' };
}

/** This server sends it in production; a proxy can take it away. */
export function judgeHsts(header: string | undefined): Omit<Check, 'name'> {
  const seconds = Number(/max-age="?(\d+)/i.exec(header ?? '')?.[1] ?? 0);
  if (seconds > 0)
    return { state: 'ok', says: `Strict-Transport-Security for ${Math.floor(seconds / 86_400)} days` };
  return {
    state: 'warning',
    says: 'no Strict-Transport-Security: a browser may come without TLS again',
    fix: 'Set NODE_ENV=production for the server, and have the proxy leave the header in.',
  };
}

/** /docs needs no key and says nothing secret; it passes the check of the Host header as the card form does. */
function judgePages(status: number): Omit<Check, 'name'> {
  if (status === 200)
    return { state: 'ok', says: 'they answer; /docs is open to everybody and says nothing secret' };
  const isHost = status === 400;
  if (status === 404 || status === 403)
    return { state: 'ok', says: `/docs is kept inside by the proxy (${status}): open /cards/new yourself` };
  return {
    state: 'failed',
    says: isHost
      ? 'every page is refused (400): the proxy passes on another Host than that of PUBLIC_URL'
      : `/docs answers ${status}`,
    fix: isHost
      ? 'Have the proxy pass the Host header on (nginx: proxy_set_header Host $http_host;).'
      : 'See the log of the server and of the proxy.',
  };
}

/** A browser that is given the address without https begins on port 80. With a port of its own there is no such beginning. */
export async function checkPlainHttp(publicOrigin: string): Promise<Omit<Check, 'name'>> {
  const { port, hostname } = new URL(publicOrigin);
  if (port !== '') return { state: 'skipped', says: 'PUBLIC_URL has a port of its own' };
  return askPlainHttp(`http://${hostname}/`);
}

export async function askPlainHttp(url: string): Promise<Omit<Check, 'name'>> {
  try {
    const { status, headers } = await askUrl(url);
    if (status >= 300 && status < 400 && headers.location?.startsWith('https://'))
      return { state: 'ok', says: `${url} leads to https` };
    return {
      state: 'failed',
      says: `${url} answers ${status} and does not lead to https`,
      fix: 'Have the proxy answer every plain request with 301 to https (nginx: return 301 https://$host$request_uri;).',
    };
  } catch {
    return { state: 'ok', says: `nothing answers at ${url}` };
  }
}
