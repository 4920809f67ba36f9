// What /docs shows of the API description: fields of nested objects and of alternatives, errors with their texts, and
// requests that a shell sends as they are meant.

import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { tagged } from '../../../src/merchant/http/api-tags';
import { curlCommand, docsPage, rangeText, textParts } from '../../../src/merchant/http/docs-page';
import { openapiDocument } from '../../../src/merchant/http/openapi-document';
import { jsonBody, type RouteDescription } from '../../../src/merchant/http/route-description';
import { shapeOf } from '../../../src/merchant/http/schema-fields';

const item = z.strictObject({ amount: z.int().positive(), name: z.string().max(40).nullable() });
const order = z.strictObject({ status: z.enum(['open', 'paid']) }).meta({ id: 'Order' });

const route: RouteDescription = {
  method: 'post',
  path: '/api/orders/{merchant_uid}/items',
  summary: 'Add items',
  access: 'key',
  query: z.object({
    'day[]': z.string().meta({ description: 'A day.', examples: ['1 May'] }),
    limit: z.int().optional(),
  }),
  body: jsonBody(z.strictObject({ note: z.string(), items: z.array(item) }), { note: 'it’s' }),
  answers: { 200: { description: 'Added.', schema: order, example: { status: 'open' } } },
  errors: ['order_not_found', 'invalid_request', 'unauthorized'],
};
const read: RouteDescription = { ...route, method: 'get', path: '/healthz', access: 'open', errors: [] };
delete (read as Partial<RouteDescription>).body;
delete (read as Partial<RouteDescription>).query;

const page = docsPage(openapiDocument(tagged({ health: [read], orders: [route] }), null));
const [operation, readOperation] = page.groups.flatMap(({ operations }) => operations);

test('groups stand in the order of the tags, and a tag without operations is left out', () => {
  expect(page.groups.map(({ name }) => name)).toEqual(['orders', 'health']);
  expect([operation?.path, readOperation?.path]).toEqual([route.path, read.path]);
});

test('an operation is shown with its parameters, its answers and its errors', () => {
  expect(operation).toMatchObject({
    parameters: [
      { name: 'merchant_uid', place: 'path', isRequired: true, description: expect.any(String) },
      { name: 'day[]', place: 'query', isRequired: true, description: 'A day.' },
      { name: 'limit', place: 'query', isRequired: false, type: 'integer' },
    ],
    answers: [{ status: '200', shape: { component: 'Order', type: 'Order' } }],
    errors: [
      { status: '400', code: 'invalid_request', message: expect.stringContaining('the message names it') },
      { status: '401', code: 'unauthorized', message: 'The API key is missing or wrong.' },
      { status: '404', code: 'order_not_found', message: 'No order has this merchant_uid.' },
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

  test('a field says that it is refused and why, that it may be null, its limits and its default', () => {
    const { forms } = shape(
      z.object({
        pg: z.never().optional().meta({ description: 'Refused: no.' }),
        buyer: z.object({ name: z.string().min(1).max(16) }).nullable(),
        limit: z.int().min(1).default(20),
      }),
    );
    expect(forms[0]?.fields).toMatchObject([
      { name: 'pg', isRefused: true, description: 'Refused: no.' },
      { name: 'buyer', type: 'object | null' },
      { name: 'buyer.name', limits: { of: 'length', least: 1, most: 16 } },
      { name: 'limit', defaultValue: '20', isRequired: false, limits: { of: 'value', least: 1 } },
    ]);
  });

  test.each([
    [z.iso.datetime({ offset: true }), 'ISO 8601'],
    [z.array(z.enum(['a', 'b'])), '("a" | "b")[]'],
    [z.union([z.string(), z.array(z.string())]), 'string | string[]'],
    [z.literal('KRW'), '"KRW"'],
    [z.unknown(), 'any'],
  ])('%# has the type that a reader knows', (schema, type) => {
    expect(shape(schema).type).toBe(type);
  });
});

test.each([
  [1, 40, '1–40'],
  [null, 40, '≤ 40'],
  [1, null, '≥ 1'],
  [6, 6, '6'],
])('limits of %p and %p are written as the range %s', (least, most, text) => {
  expect(rangeText({ of: 'value', least, most })).toBe(text);
});

test('what stands between backticks is code', () => {
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

  test('has the address with its examples, the key from the shell, and the body', () => {
    expect(argumentsOf(curlCommand(operation!.request, origin))).toEqual([
      `${origin}/api/orders/order-1001/items?day%5B%5D=1+May`,
      '-H',
      'Authorization: Bearer a key',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"note":"it’s"}',
    ]);
  });

  test('has no key and no body where none is taken, and says POST where there is no body', () => {
    expect(argumentsOf(curlCommand(readOperation!.request, origin))).toEqual([`${origin}/healthz`]);
    const posted = { method: 'POST', path: '/x', needsKey: false, body: null };
    expect(argumentsOf(curlCommand(posted, origin))).toEqual(['-X', 'POST', `${origin}/x`]);
  });

  test('leaves nothing of a body to the shell', () => {
    const body = JSON.stringify({ text: `'; echo "$API_KEY" \`id\` '` });
    const given = argumentsOf(curlCommand({ method: 'POST', path: '/x', needsKey: false, body }, origin));
    expect(given.at(-1)).toBe(body);
  });
});
