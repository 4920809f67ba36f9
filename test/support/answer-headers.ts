// The rules for headers and cookies of every answer. Returns the problems, one line each.

import type { RawAnswer } from './raw-http';

/** A request and its answer. `path` has no query. */
export type Answered = { method: string; path: string; answer: RawAnswer };

const HSTS = /^max-age=(\d+); includeSubDomains$/;
const HALF_A_YEAR = 182 * 24 * 3600;
/** The maximum lifetime of cookies in browsers. */
const MOST_COOKIE_SECONDS = 400 * 24 * 3600;

/** @param production whether the server runs in production */
export function merchantHeaderProblems(asked: Answered, production: boolean): string[] {
  const { method, path, answer } = asked;
  const { status, body } = answer;
  const get = headersOf(answer);
  const policy = policyOf(answer);
  const cookies = cookiesOf(answer);
  const isPage = get('content-type').startsWith('text/html') && (status < 300 || status >= 400);
  const isAsset = path.startsWith('/static/') && [200, 304].includes(status);
  const isForPrograms = method !== 'OPTIONS' && body !== '' && /^\/(api\/|webhooks\/payments$)/.test(path);
  return wrong({
    ...commonRules(asked),
    'default-src': policy.get('default-src') === "'none'",
    'form-action': policy.get('form-action') === "'self'",
    'upgrade-insecure-requests': policy.has('upgrade-insecure-requests') === production,
    'x-frame-options': get('x-frame-options') === 'DENY',
    'referrer-policy': get('referrer-policy') === 'strict-origin',
    'strict-transport-security': production
      ? Number(HSTS.exec(get('strict-transport-security'))?.[1]) >= HALF_A_YEAR
      : get('strict-transport-security') === '',
    'cross-origin-opener-policy': get('cross-origin-opener-policy') === 'same-origin',
    'cross-origin-resource-policy': get('cross-origin-resource-policy') === 'same-origin',
    'cache-control': get('cache-control') === (isAsset ? 'public, max-age=0' : 'no-store'),
    // Probes are repeated at their own interval.
    'retry-after':
      ![429, 503].includes(status) || path === '/readyz' || /^[1-9]\d*$/.test(get('retry-after')),
    'www-authenticate': status !== 401 || get('www-authenticate') === 'Bearer',
    language: !isPage || (/^(ko|en)$/.test(get('content-language')) && /accept-language/i.test(get('vary'))),
    'json for programs': !isForPrograms || get('content-type') === 'application/json; charset=utf-8',
    cookies: cookies.every((cookie) => isGoodCookie(cookie, production)),
    'cookies of pages alone': cookies.length === 0 || (isPage && /^\/(cards|demo)/.test(path)),
  });
}

/** @param pagePolicy the part of the content policy that is the page's own, by directive */
export function sandboxHeaderProblems(asked: Answered, pagePolicy: Record<string, string>): string[] {
  const policy = policyOf(asked.answer);
  const allowed = { 'default-src': "'none'", 'form-action': "'none'", ...pagePolicy };
  return wrong({
    ...commonRules(asked),
    ...Object.fromEntries(
      Object.entries(allowed).map(([name, value]) => [name, (policy.get(name) ?? "'none'") === value]),
    ),
    'cache-control': headersOf(asked.answer)('cache-control') === 'no-store',
    'referrer-policy': headersOf(asked.answer)('referrer-policy') === 'same-origin',
    'no cookie': cookiesOf(asked.answer).length === 0,
  });
}

/** The rules for both programs. */
function commonRules({ method, answer }: Answered): Record<string, boolean> {
  const get = headersOf(answer);
  const policy = policyOf(answer);
  const allowed = get('allow').split(', ');
  return {
    'content-security-policy': !/unsafe|\*|blob:|filesystem:/.test(get('content-security-policy')),
    'frame-ancestors': policy.get('frame-ancestors') === "'none'",
    'base-uri': policy.get('base-uri') === "'none'",
    'script-src': ["'self'", undefined].includes(policy.get('script-src')),
    'style-src': ["'self'", undefined].includes(policy.get('style-src')),
    'x-content-type-options': get('x-content-type-options') === 'nosniff',
    'no program is named': get('x-powered-by') === '' && get('server') === '',
    cors: Object.keys(answer.headers).every((name) => !name.startsWith('access-control-')),
    allow: answer.status !== 405 || (/^[A-Z, ]+$/.test(get('allow')) && !allowed.includes(method)),
    // If no route handles OPTIONS, Express answers with a list of methods in ASCII.
    'content-type':
      answer.body === '' ||
      (method === 'OPTIONS' ? /^text\/plain|; charset=utf-8$/ : TEXT_TYPE).test(get('content-type')),
  };
}

/** Text types have a charset. */
const TEXT_TYPE =
  /^((text\/(html|css|javascript|plain)|application\/json)(; [a-z]+=[\d.]+)?; charset=utf-8|image\/svg\+xml)$/i;

function isGoodCookie(cookie: string, production: boolean): boolean {
  const [pair = '', ...attributes] = cookie.split('; ');
  const maxAge = Number(/; Max-Age=(\d+)(;|$)/.exec(cookie)?.[1]);
  return (
    pair.startsWith(production ? '__Host-member=' : 'member=') &&
    attributes.includes('HttpOnly') &&
    attributes.includes('Path=/') &&
    attributes.some((attribute) => /^SameSite=(Lax|Strict)$/.test(attribute)) &&
    attributes.includes('Secure') === production &&
    !attributes.some((attribute) => /^domain=/i.test(attribute)) &&
    maxAge > 0 &&
    maxAge <= MOST_COOKIE_SECONDS
  );
}

export function cookiesOf({ headers }: RawAnswer): string[] {
  return [headers['set-cookie'] ?? []].flat();
}

/** '' for a missing header. */
const headersOf =
  ({ headers }: RawAnswer) =>
  (name: string): string =>
    [headers[name] ?? ''].flat().join(', ');

/** The directives of the content policy, with their sources. */
function policyOf(answer: RawAnswer): Map<string, string> {
  const directives = headersOf(answer)('content-security-policy').matchAll(/([\w-]+) ?([^;]*)/g);
  return new Map([...directives].map(([, name = '', sources = '']) => [name, sources]));
}

function wrong(rules: Record<string, boolean>): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
}
