// `npm run doctor -- --live`: what a browser gets at PUBLIC_URL. The certificate must not expire soon, TLS must be
// enforced, the pages must answer to the host name that the reverse proxy passes on, and internal pages must be closed.

import { FEATURES } from '../features';
import { isPrivateAddress } from '../platform/address-list';
import { DAY_MS } from '../platform/clock';
import type { Config } from '../platform/config';
import { askUrl, type UrlAnswer } from './ask-url';
import { unreachable } from './check-public';
import type { Check, Finding } from './doctor-checks';

/** Automatic renewal happens 30 days before expiry; with fewer days left than this, it has failed. */
const RENEWED_BEFORE_DAYS = 14;
/** Requested without a key and without a session. */
const KEPT_INSIDE = FEATURES.flatMap(({ keptInside = [] }) => keptInside);

/** Empty if PUBLIC_URL is not https: the check of the settings reports that. */
export async function checkPublicPages({ publicUrl }: Config): Promise<Check[]> {
  if (publicUrl === null || !publicUrl.startsWith('https:')) return [];
  try {
    const { status, headers, validTo } = await askUrl(`${publicUrl}/terms`);
    return [
      { name: 'tls', ...judgeCertificate(validTo, new Date()) },
      { name: 'hsts', ...judgeHsts(headers['strict-transport-security']) },
      { name: 'pages', ...judgePages(status) },
      { name: 'sign-in', ...judgeSignIn(await askUrl(`${publicUrl}/cards`)) },
      { name: 'inside', ...(await checkInside(publicUrl)) },
      { name: 'http', ...(await checkPlainHttp(publicUrl)) },
    ];
  } catch (error) {
    return [{ name: 'tls', ...unreachable(publicUrl, error) }];
  }
}

export function judgeCertificate(validTo: Date | null, now: Date): Finding {
  const days = validTo === null ? 0 : Math.floor((+validTo - +now) / DAY_MS);
  const says = `the certificate is valid for ${days} more days`;
  if (days >= RENEWED_BEFORE_DAYS) return { state: 'ok', says };
  return { state: 'warning', says, fix: 'Renew it. If it is renewed automatically, that has failed.' };
}

/** This server sends the header in production; a proxy can remove it. */
function judgeHsts(header: string | undefined): Finding {
  const seconds = Number(/max-age="?(\d+)/i.exec(header ?? '')?.[1] ?? 0);
  if (seconds > 0)
    return { state: 'ok', says: `Strict-Transport-Security for ${Math.floor(seconds / 86_400)} days` };
  return {
    state: 'warning',
    says: 'no Strict-Transport-Security: a browser may connect without TLS',
    fix: 'Set NODE_ENV=production for the server, and have the proxy keep the header.',
  };
}

/** /terms is public, and passes the check of the Host header as the card form does. */
function judgePages(status: number): Finding {
  if (status === 200) return { state: 'ok', says: 'they answer' };
  const isHost = status === 400;
  return {
    state: 'failed',
    says: isHost
      ? 'every page is refused (400): the proxy passes on another Host than that of PUBLIC_URL'
      : `/terms answers ${status}`,
    fix: isHost
      ? 'Have the proxy pass the Host header on (nginx: proxy_set_header Host $http_host;).'
      : 'See the log of the server and of the proxy: members need /cards, /orders, /static, /terms and /privacy.',
  };
}

/**
 * Where `requireMember` of src/merchant/shop/current-member.ts sends a visitor who is not signed in and opens the
 * cards.
 */
export function judgeSignIn({ status, headers }: Pick<UrlAnswer, 'status' | 'headers'>): Finding {
  const { location } = headers;
  if (status >= 500)
    return {
      state: 'failed',
      says: `/cards answers ${status} to a visitor who is not signed in`,
      fix: 'See the log of the server: is a setting of your sign-in missing, such as SIGN_IN_PAGE?',
    };
  if (location === undefined || !URL.canParse(location))
    return { state: 'ok', says: `a visitor who is not signed in stays on this server (${status})` };
  const { protocol, hostname, origin } = new URL(location);
  if (protocol === 'https:' && hostname !== 'localhost' && !isPrivateAddress(hostname))
    return { state: 'ok', says: `a visitor who is not signed in is sent to ${origin}` };
  return {
    state: 'failed',
    says: `a visitor who is not signed in is sent to ${origin}, which members cannot reach safely`,
    fix: 'Set the address of your sign-in page, with https (SIGN_IN_PAGE in docs/03-guides/1-own-sign-in.md).',
  };
}

/**
 * Whether the proxy blocks what buyers do not need. At most a warning, because the proxy may allow this machine.
 * Refused (403, 404), disconnected, and redirected to another host, such as your sign-in, all count as closed.
 */
export async function checkInside(url: string): Promise<Finding> {
  const open: string[] = [];
  for (const path of KEPT_INSIDE) if (await isOpen(`${url}${path}`)) open.push(path);
  if (open.length === 0) return { state: 'ok', says: `${KEPT_INSIDE.join(', ')} are closed from outside` };
  return {
    state: 'warning',
    says: `${open.join(', ')} can be reached through PUBLIC_URL: only your own people and systems need them`,
    fix: 'Have the proxy keep them inside (deploy/nginx.conf). If it does and admits this machine, run this from a network outside.',
  };
}

async function isOpen(url: string): Promise<boolean> {
  try {
    const { status, headers } = await askUrl(url);
    if (status === 403 || status === 404) return false;
    const { origin } = new URL(url);
    const leadsTo = headers.location === undefined ? origin : new URL(headers.location, origin).origin;
    return leadsTo === origin;
  } catch {
    return false;
  }
}

/** A browser opens a URL without a scheme on port 80. This does not apply if PUBLIC_URL has a port. */
async function checkPlainHttp(publicUrl: string): Promise<Finding> {
  const { port, hostname } = new URL(publicUrl);
  if (port !== '') return { state: 'skipped', says: 'PUBLIC_URL has another port than 443' };
  return askPlainHttp(`http://${hostname}/`);
}

export async function askPlainHttp(url: string): Promise<Finding> {
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
