// GET /docs over HTTP, without a database: every route is on it, in both languages, with the address under which it was
// opened, and nothing of it needs a script.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import request from 'supertest';
import { createApp, DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { createContext } from '../../../src/merchant/context';
import { API_ERRORS } from '../../../src/merchant/error-codes';
import { docsRoutes } from '../../../src/merchant/http/docs-routes';
import { createViews } from '../../../src/merchant/http/views';
import { createReadiness } from '../../../src/merchant/readiness';
import { createManualClock } from '../../support/clock';
import { API_KEY, PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const { logger } = createRecordedLog();
const contextOf = (environment: Record<string, string> = {}) =>
  createContext({ config: testConfig(environment), clock: createManualClock(), logger });
function startApp(environment: Record<string, string> = {}) {
  const context = contextOf(environment);
  return createApp(context, createReadiness(context));
}
const app = startApp();
const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, group = '']) => group);

describe.each([
  ['ko', '인증'],
  ['en', 'Authentication'],
])('in %s', (lang, heading) => {
  let html: string;
  beforeAll(async () => {
    const answer = await request(app).get('/docs').query({ lang }).set('host', 'localhost:3000');
    expect([answer.status, answer.type]).toEqual([200, 'text/html']);
    html = answer.text;
  });

  test('every route and every error code stands on it, and it is in that language', () => {
    expect(html).toContain(`<html lang="${lang}">`);
    expect(html).toContain(heading);
    const anchors = all(/<section class="panel operation" id="([^"]+)"/g, html);
    expect(anchors).toHaveLength(DESCRIBED_ROUTES.length);
    for (const code of Object.keys(API_ERRORS)) expect(html).toContain(`id="error-${code}"`);
  });

  test('every link within it leads somewhere, and no anchor is there twice', () => {
    const ids = all(/ id="([^"]+)"/g, html);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all(/href="#([^"]+)"/g, html);
    expect(links.length).toBeGreaterThan(DESCRIBED_ROUTES.length * 2);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  test('it has no script and no style of its own, and shows no key', () => {
    expect(html).not.toMatch(/<script|<style| style=| on\w+=/);
    expect(html).not.toContain(API_KEY);
    expect(html).not.toMatch(/undefined|\[object|\{count\}|\{range\}|\{number\}/);
  });

  test('its commands call the address under which it was opened', () => {
    const commands = all(/<pre dir="ltr" class="command"><code>([^<]+)/g, html);
    // One for each route, and that for a typed client, which is the one of a guide that a test runs.
    expect(commands).toHaveLength(DESCRIBED_ROUTES.length + 1);
    for (const command of commands) expect(command).toContain('http://localhost:3000/');
    const guide = readFileSync(join(__dirname, '../../../docs/guides/api-clients.md'), 'utf8');
    expect(commands).toContain(/^npx openapi-typescript .*$/m.exec(guide)?.[0]);
  });
});

test('in production its commands call the configured origin, and a foreign host is refused everywhere and stands in none', async () => {
  const known = startApp({ ...PRODUCTION_ENVIRONMENT, PUBLIC_URL: 'https://merchant.example' });
  const answer = await request(known).get('/docs').set('host', 'merchant.example');
  expect(answer.text).toContain('https://merchant.example/api/orders');
  expect(answer.text).not.toContain('http://merchant.example');
  for (const each of [known, app])
    expect((await request(each).get('/docs').set('host', 'evil.example')).status).toBe(400);
  const injected = await request(app).get('/docs').set('host', "localhost/';stranger;'");
  expect(injected.text).not.toContain('stranger');
});

test('it is rendered once for each language and address, and every reader gets what was rendered for theirs', async () => {
  const views = createViews({ ...testConfig(), sandboxMode: false });
  const render = jest.spyOn(views, 'render');
  const pages = express().use(docsRoutes(contextOf(), views, DESCRIBED_ROUTES));
  const read = async (path: string, language: string, host = 'localhost:3000') =>
    (await request(pages).get(path).set('host', host).set('accept-language', language)).text;

  const korean = await read('/docs', 'ko');
  const english = await read('/docs', 'en');
  const chosen = await read('/docs?lang=en', 'ko');
  const elsewhere = await read('/docs', 'ko', '127.0.0.1:4000');
  for (const page of [english, chosen]) expect(page).toContain('<html lang="en">');
  expect(elsewhere).toContain('http://127.0.0.1:4000/');
  expect(elsewhere).not.toContain('localhost:3000');
  expect(render).toHaveBeenCalledTimes(4);

  expect(await read('/docs', 'ko-KR')).toBe(korean);
  expect(await read('/docs?lang=xx', 'en')).toBe(english);
  expect(await read('/docs?lang=en', 'en')).toBe(chosen);
  expect(await read('/docs', 'ko', '127.0.0.1:4000')).toBe(elsewhere);
  expect(render).toHaveBeenCalledTimes(4);
});
