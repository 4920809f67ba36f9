// Checks the headers of the answers of every route of the sandbox, for every status, including the answers that Node.js sends before
// the app sees a request.

import { sandboxRoutes } from '../../support/all-routes';
import { sandboxHeaderProblems } from '../../support/answer-headers';
import { exchangeBytes, send, type RawAnswer } from '../../support/raw-http';
import { runSandbox, type Running } from '../../support/running-sandbox';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const JSON_TYPE = { 'content-type': 'application/json' };
const BODIES: [headers: Record<string, string>, body?: string][] = [
  [JSON_TYPE, '{}'],
  [JSON_TYPE, '{"a'],
  [JSON_TYPE, `{"a":"${'x'.repeat(1_100_000)}"}`],
  [{ ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
  [{ 'sec-fetch-site': 'cross-site' }],
];
const SELF = "'self'";
/** What the two kinds of pages may do: the window leads to any shop, and passes its result to the page around it. */
const PAGE = { 'style-src': SELF, 'img-src': "'self' data:" };
const CONSOLE = { ...PAGE, 'script-src': SELF, 'connect-src': SELF, 'form-action': SELF };
const WINDOW = { ...PAGE, 'script-src': SELF, 'form-action': "'self' http: https:" };

let service: Running;
let problems: string[];
let seen: Set<number>;
beforeAll(async () => {
  service = await runSandbox();
});
afterAll(() => service.close());
beforeEach(() => {
  problems = [];
  seen = new Set();
});

function note(method: string, path: string, answer: RawAnswer): void {
  seen.add(answer.status);
  const own = path.startsWith('/console') ? CONSOLE : /^\/window\b(?!\.js)/.test(path) ? WINDOW : {};
  const asked = { method, path: path.split('?', 1)[0] ?? '', answer };
  for (const problem of sandboxHeaderProblems(asked, own))
    problems.push(`${method} ${path} ${answer.status}: ${problem}`);
}

async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const answer = await send(service.url, path, { method, headers, ...(body !== undefined && { body }) });
  note(method, path, answer);
  return answer;
}

test('every route of the sandbox, and every way of a request, has its headers, and no answer a cookie', async () => {
  const token = { authorization: `Bearer ${await service.signIn()}` };
  for (const [at, route] of sandboxRoutes().entries()) {
    // A reset ends the token.
    if (route.path.endsWith('/reset')) continue;
    const method = route.method.toUpperCase();
    const path = route.path.replace(/\{\w+\}/g, 'none-1');
    await ask(method, path);
    await ask(method, `${path}?merchant_uid=o-1&amount=10&return_url=http://x.test/&page=1`, token);
    // Of these, and of the methods and the bodies, each route gets one, so that each of them meets many routes.
    await ask(method, at % 2 === 0 ? route.path.replace(/\{\w+\}/g, '%ff') : `${path}/nothing/at/all`, token);
    await ask(METHODS[at % METHODS.length] as string, path, token);
    if (method === 'GET') continue;
    const [headers, body] = BODIES[at % BODIES.length] as (typeof BODIES)[number];
    await ask(method, path, { ...token, ...headers }, body);
  }
  expect(problems).toEqual([]);
  expect([...seen].sort()).toEqual([200, 303, 400, 401, 403, 404, 405, 409, 413, 415]);
});

test.each<[number, string, string]>([
  [400, 'no HTTP', '\x16\x03\x01\x00\xc8\r\n\r\n'],
  [400, 'no Host', 'GET /payments HTTP/1.1\r\n\r\n'],
  [417, 'an expectation', 'GET /payments HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n'],
  [431, 'a long header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  [408, 'half a header', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('so has the %i of Node.js itself for %s', async (status, _name, bytes) => {
  const impatient = await runSandbox({ requestTimeoutMs: 200 });
  const answer = await exchangeBytes(impatient.url, bytes);
  await impatient.close();
  expect(answer?.status).toBe(status);
  note('GET', '/', answer as RawAnswer);
  expect(problems).toEqual([]);
});
