// What the headers and cookies of an answer have to be, whatever was asked: what is wrong with them, one line each.

import type { RawAnswer } from './raw-http';

/** An answer, and what it answers. `path` without its query. */
export type Answered = { method: string; path: string; answer: RawAnswer };

/** Cookies are small, and browsers keep none for longer than 400 days. */
const MOST_COOKIE_BYTES = 256;
const MOST_COOKIE_SECONDS = 400 * 24 * 3600;
const HSTS = /^max-age=(\d+); includeSubDomains$/;
const HALF_A_YEAR = 182 * 24 * 3600;

/** @param production whether the server is one of production */
export function merchantHeaderProblems(asked: Answered, production: boolean): string[] {
  const { method, path, answer } = asked;
  const { status } = answer;
  const get = headerOf(answer);
  const directives = directivesOf(get('content-security-policy'));
  const isAsset = path.startsWith('/static/') && [200, 304].includes(status);
  return wrong({
    ...commonRules(asked, directives),
    'default-src': directives.get('default-src') === "'none'",
    'form-action': directives.get('form-action') === "'self'",
    'upgrade-insecure-requests': directives.has('upgrade-insecure-requests') === production,
    'x-frame-options': get('x-frame-options') === 'DENY',
    'strict-transport-security': production
      ? Number(HSTS.exec(get('strict-transport-security'))?.[1]) >= HALF_A_YEAR
      : get('strict-transport-security') === '',
    'cross-origin-opener-policy': get('cross-origin-opener-policy') === 'same-origin',
    'cross-origin-resource-policy': get('cross-origin-resource-policy') === 'same-origin',
    'cache-control': get('cache-control') === (isAsset ? 'public, max-age=0' : 'no-store'),
    // A probe is asked again at its own pace.
    'retry-after':
      ![429, 503].includes(status) || path === '/readyz' || /^[1-9]\d*$/.test(get('retry-after')),
    'www-authenticate': status !== 401 || get('www-authenticate') === 'Bearer',
    vary: !isPage(answer) || /\baccept-language\b/i.test(get('vary')),
    'content-language': !isPage(answer) || ['ko', 'en'].includes(get('content-language')),
    'json for programs':
      method === 'OPTIONS' ||
      answer.body === '' ||
      !/^\/(api\/|webhooks\/payments$)/.test(path) ||
      get('content-type') === 'application/json; charset=utf-8',
    cookies: cookiesOf(answer).every((cookie) => isGoodCookie(cookie, production)),
    'cookies of pages alone':
      cookiesOf(answer).length === 0 || (isPage(answer) && /^\/(cards|demo)/.test(path)),
  });
}

/** @param pagePolicy the part of the content policy that is the page's own, by directive */
export function sandboxHeaderProblems(asked: Answered, pagePolicy: Record<string, string>): string[] {
  const { answer } = asked;
  const get = headerOf(answer);
  const directives = directivesOf(get('content-security-policy'));
  const allowed = { 'default-src': "'none'", 'form-action': "'none'", ...pagePolicy };
  return wrong({
    ...commonRules(asked, directives),
    ...Object.fromEntries(
      Object.entries(allowed).map(([name, value]) => [name, (directives.get(name) ?? "'none'") === value]),
    ),
    'cache-control': get('cache-control') === 'no-store',
    'no cookie': cookiesOf(answer).length === 0,
  });
}

/** Of both programs. */
function commonRules({ method, answer }: Answered, directives: Map<string, string>): Record<string, boolean> {
  const { status, body } = answer;
  const get = headerOf(answer);
  const policy = [...directives].map(([name, value]) => `${name} ${value}`).join(';');
  return {
    'content-security-policy': directives.size >= 4 && !/unsafe|\*|blob:|filesystem:/.test(policy),
    'frame-ancestors': directives.get('frame-ancestors') === "'none'",
    'base-uri': directives.get('base-uri') === "'none'",
    'script-src': ["'self'", undefined].includes(directives.get('script-src')),
    'style-src': ["'self'", undefined].includes(directives.get('style-src')),
    'x-content-type-options': get('x-content-type-options') === 'nosniff',
    'referrer-policy': get('referrer-policy') === 'same-origin',
    'x-powered-by': get('x-powered-by') === '',
    server: get('server') === '',
    cors: Object.keys(answer.headers).every((name) => !name.startsWith('access-control-')),
    allow: status !== 405 || isListOfMethods(get('allow'), method),
    // Express makes the answer to OPTIONS that no route gives: a list of methods in ASCII.
    'content-type':
      body === '' ||
      (method === 'OPTIONS' ? /^text\/plain|; charset=utf-8$/ : TEXT_TYPE).test(get('content-type')),
  };
}

/** With its charset; an image says its own. */
const TEXT_TYPE =
  /^((text\/(html|css|javascript|plain)|application\/json)(; [a-z]+=[\d.]+)?; charset=utf-8|image\/svg\+xml)$/i;

function isGoodCookie(cookie: string, production: boolean): boolean {
  const [pair = '', ...attributes] = cookie.split('; ');
  const has = (attribute: string) => attributes.includes(attribute);
  const maxAge = Number(/; Max-Age=(\d+)(;|$)/.exec(cookie)?.[1]);
  return (
    pair.startsWith(production ? '__Host-member=' : 'member=') &&
    cookie.length <= MOST_COOKIE_BYTES &&
    has('HttpOnly') &&
    has('Path=/') &&
    (has('SameSite=Lax') || has('SameSite=Strict')) &&
    has('Secure') === production &&
    attributes.every((attribute) => !/^domain=/i.test(attribute)) &&
    maxAge > 0 &&
    maxAge <= MOST_COOKIE_SECONDS
  );
}

function isListOfMethods(allow: string, refused: string): boolean {
  const methods = allow.split(', ');
  return methods.every((method) => /^[A-Z]+$/.test(method)) && !methods.includes(refused);
}

export function cookiesOf({ headers }: RawAnswer): string[] {
  return [headers['set-cookie'] ?? []].flat();
}

function isPage(answer: RawAnswer): boolean {
  const { status } = answer;
  return headerOf(answer)('content-type').startsWith('text/html') && (status < 300 || status >= 400);
}

/** Empty where it is missing. */
function headerOf({ headers }: RawAnswer): (name: string) => string {
  return (name) => [headers[name] ?? ''].flat().join(', ');
}

function directivesOf(policy: string): Map<string, string> {
  const directives = policy.split(';').map((directive) => directive.trim());
  return new Map(
    directives
      .filter((directive) => directive !== '')
      .map((directive): [string, string] => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
  );
}

function wrong(rules: Record<string, boolean>): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
}
