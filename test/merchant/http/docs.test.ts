// /docs, without a database: what it shows of the API description, requests that a shell sends as they are meant, and the
// page itself: every route in both languages, with the address under which it was opened, and no script.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { createApp, DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { createContext } from '../../../src/merchant/context';
import { API_ERRORS } from '../../../src/merchant/error-codes';
import { tagged } from '../../../src/merchant/http/api-tags';
import { curlCommand, docsPage, rangeText, textParts } from '../../../src/merchant/http/docs-page';
import { docsRoutes } from '../../../src/merchant/http/docs-routes';
import { openapiDocument } from '../../../src/merchant/http/openapi-document';
import { jsonBody, type RouteDescription } from '../../../src/merchant/http/route-description';
import { shapeOf } from '../../../src/merchant/http/schema-fields';
import { createViews } from '../../../src/merchant/http/views';
import { createReadiness } from '../../../src/merchant/readiness';
import { createManualClock } from '../../support/clock';
import { API_KEY, PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const item = z.strictObject({ amount: z.int().positive(), name: z.string().max(40).nullable() });
const order = z.strictObject({ status: z.enum(['open', 'paid']) }).meta({ id: 'Order' });

const described = {
  answers: { 200: { description: 'Added.', schema: order, example: { status: 'open' } } },
  summary: 'Add items',
};
const route: RouteDescription = {
  ...described,
  method: 'post',
  path: '/api/orders/{merchant_uid}/items',
  access: 'key',
  query: z.object({
    'day[]': z.string().meta({ description: 'A day.', examples: ['1 May'] }),
    limit: z.int().optional(),
  }),
  body: jsonBody(z.strictObject({ note: z.string(), items: z.array(item) }), { note: 'it’s' }),
  errors: ['order_not_found', 'invalid_request', 'unauthorized'],
};
const read: RouteDescription = { ...described, method: 'get', path: '/healthz', access: 'open', errors: [] };

const page = docsPage(openapiDocument(tagged({ health: [read], orders: [route] }), null));
const [operation, readOperation] = page.groups.flatMap(({ operations }) => operations);

test('groups stand in the order of the tags, and operations have parameters, answers and errors', () => {
  expect(page.groups.map(({ name }) => name)).toEqual(['orders', 'health']);
  expect(operation).toMatchObject({
    parameters: [
      { name: 'merchant_uid', place: 'path', isRequired: true, description: expect.any(String) },
      { name: 'day[]', place: 'query', isRequired: true, description: 'A day.' },
      { name: 'limit', place: 'query', isRequired: false, type: 'integer' },
    ],
    answers: [{ status: '200', shape: { component: 'Order', type: 'Order' } }],
    errors: [
      { status: '400', code: 'invalid_request', message: expect.stringContaining('the message names it') },
      { status: '401', code: 'unauthorized' },
      { status: '404', code: 'order_not_found' },
    ],
  });
});

test('fields of nested objects and lists have dotted names', () => {
  expect(operation?.body?.shape.forms[0]?.fields).toMatchObject([
    { name: 'note', type: 'string', isRequired: true },
    { name: 'items', type: 'object[]' },
    { name: 'items[].amount', type: 'integer' },
    { name: 'items[].name', type: 'string | null' },
  ]);
});

test('a component that answers lead to is shown once, and every error with what to do about it', () => {
  expect(page.objects).toMatchObject([
    { name: 'Error' },
    { name: 'Order', shape: { forms: [{ fields: [{ name: 'status', type: '"open" | "paid"' }] }] } },
  ]);
  const remedy = expect.stringContaining('Bearer');
  expect(page.errors).toContainEqual(expect.objectContaining({ code: 'unauthorized', status: 401, remedy }));
});

describe('the fields of a schema', () => {
  const shape = (schema: z.ZodType) => shapeOf(z.toJSONSchema(schema, { io: 'input' }));

  test('each alternative is a table of its own', () => {
    const first = z.strictObject({ one: z.string(), two: z.never().optional() }).meta({ title: 'the first' });
    const { forms, type } = shape(z.union([first, z.strictObject({ two: item })]));
    expect(type).toBe('object');
    expect(forms.map(({ title, fields }) => [title, ...fields.map(({ name }) => name)])).toEqual([
      ['the first', 'one'],
      [null, 'two', 'two.amount', 'two.name'],
    ]);
  });

  test('a field says its type, its limits, its default, and why it is refused', () => {
    const { forms } = shape(
      z.object({
        pg: z.never().optional().meta({ description: 'Refused: no.' }),
        buyer: z.object({ name: z.string().min(1).max(16) }).nullable(),
        limit: z.int().min(1).default(20),
        since: z.iso.datetime({ offset: true }),
        states: z.array(z.enum(['a', 'b'])),
        uid: z.union([z.string(), z.array(z.string())]),
        currency: z.literal('KRW'),
        custom: z.unknown(),
      }),
    );
    expect(forms[0]?.fields).toMatchObject([
      { name: 'pg', isRefused: true, description: 'Refused: no.' },
      { name: 'buyer', type: 'object | null' },
      { name: 'buyer.name', limits: { of: 'length', least: 1, most: 16 } },
      { name: 'limit', defaultValue: '20', isRequired: false, limits: { of: 'value', least: 1 } },
      { name: 'since', type: 'ISO 8601' },
      { name: 'states', type: '("a" | "b")[]' },
      { name: 'uid', type: 'string | string[]' },
      { name: 'currency', type: '"KRW"' },
      { name: 'custom', type: 'any' },
    ]);
  });
});

test('limits are written as ranges, and what stands between backticks as code', () => {
  const range = (least: number | null, most: number | null) => rangeText({ of: 'value', least, most });
  expect([range(1, 40), range(null, 40), range(1, null), range(6, 6)]).toEqual(['1–40', '≤ 40', '≥ 1', '6']);
  expect(textParts('`next` of the page')).toEqual([
    { text: 'next', isCode: true },
    { text: ' of the page', isCode: false },
  ]);
});

describe('the request for a shell', () => {
  const origin = 'https://merchant.example';

  /** What curl would be given, in the shell that a reader pastes into. */
  const argumentsOf = (command: string) =>
    execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")], { env: { API_KEY: 'a key' } })
      .toString()
      .split('\0')
      .slice(0, -1);

  const post = { method: 'POST', path: '/x', needsKey: false };
  const foreign = JSON.stringify({ text: `'; echo "$API_KEY" \`id\` '` });
  const json = ['-H', 'Content-Type: application/json', '-d'];

  test.each([
    [
      'has the address with its examples, the key from the shell, and the body',
      operation!.request,
      [
        '/api/orders/order-1001/items?day%5B%5D=1+May',
        '-H',
        'Authorization: Bearer a key',
        ...json,
        '{"note":"it’s"}',
      ],
    ],
    ['has no key and no body where none is taken', readOperation!.request, ['/healthz']],
    ['says POST where there is no body', { ...post, body: null }, ['-X', 'POST', '/x']],
    ['leaves nothing of a body to the shell', { ...post, body: foreign }, ['/x', ...json, foreign]],
  ])('%s', (_, shown, given) => {
    expect(argumentsOf(curlCommand(shown, origin)).map((each) => each.replace(origin, ''))).toEqual(given);
  });
});

function startApp(environment: Record<string, string> = {}) {
  const { logger } = createRecordedLog();
  const context = createContext({ config: testConfig(environment), clock: createManualClock(), logger });
  return { context, app: createApp(context, createReadiness(context)) };
}
const { context, app } = startApp();
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

  test('it shows no key, nothing that is not filled in, and no script and no style of its own', () => {
    expect(html).not.toMatch(/<script|<style| style=| on\w+=/);
    expect(html).not.toMatch(/undefined|\[object|\{count\}|\{range\}|\{number\}/);
    expect(html).not.toContain(API_KEY);
  });

  test('every link within it leads somewhere, and no anchor is there twice', () => {
    const ids = all(/ id="([^"]+)"/g, html);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all(/href="#([^"]+)"/g, html);
    expect(links.length).toBeGreaterThan(DESCRIBED_ROUTES.length * 2);
    expect(ids).toEqual(expect.arrayContaining(links));
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
  const { app: known } = startApp({ ...PRODUCTION_ENVIRONMENT, PUBLIC_URL: 'https://merchant.example' });
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
  const pages = express().use(docsRoutes(context, views, DESCRIBED_ROUTES));
  const read = async (path: string, language: string, host = 'localhost:3000') =>
    (await request(pages).get(path).set('host', host).set('accept-language', language)).text;

  const readers: [path: string, language: string, host?: string][] = [
    ['/docs', 'ko'],
    ['/docs', 'en'],
    ['/docs?lang=en', 'ko'],
    ['/docs', 'ko', '127.0.0.1:4000'],
  ];
  const first = [];
  for (const reader of readers) first.push(await read(...reader));
  const languages = first.map((page) => /<html lang="(\w+)">/.exec(page)?.[1]);
  expect(languages).toEqual(['ko', 'en', 'en', 'ko']);
  expect(first[3]).toContain('http://127.0.0.1:4000/');
  expect(first[3]).not.toContain('localhost:3000');
  for (const [index, reader] of readers.entries()) expect(await read(...reader)).toBe(first[index]);
  expect(await read('/docs?lang=xx', 'ko-KR')).toBe(first[0]);
  expect(render).toHaveBeenCalledTimes(4);
});
