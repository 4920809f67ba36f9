// The requests of docs/guides work as they stand there: each `curl` of a guide is sent, in the order of the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY } from '../support/config';
import { registerKey } from '../support/member-cards';
import { paySilently, registerOrder } from '../support/orders';
import { useWorld } from '../support/use-world';

const DOCS = join(__dirname, '..', '..', 'docs');
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8');

type GuideRequest = { method: string; path: string; body?: string };

const world = useWorld();
const variables: Record<string, string> = {};
beforeAll(async () => {
  const { customerUid } = await registerKey(world);
  await world.rows.query(`update billing_keys set member_id = 'member-7'`);
  await registerOrder(world, 'order-1003');
  const { svc_uid: svcUid } = await paySilently(world, 'order-1003');
  Object.assign(variables, { API_KEY, CUSTOMER_UID: customerUid, SVC_UID: svcUid });
});

test.each([
  ['own-checkout.md', [201, 201, 200, 200, 200, 200]],
  ['existing-orders.md', [201, 200, 200, 200, 200, 200]],
  ['order-events.md', [200, 200, 202]],
])('the requests of %s are answered as the page says', async (page, expected) => {
  const requests = requestsOf(read(`guides/${page}`));
  expect(requests).toHaveLength(expected.length);
  for (const [index, request] of requests.entries()) {
    const { method, path, body } = request;
    const response = await fetch(`${world.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${API_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    expect([request.path, response.status, await response.text()]).toEqual([
      request.path,
      expected[index],
      expect.any(String),
    ]);
  }
});

test('the answers that a guide shows have the fields of the real ones', async () => {
  const [cards, synced] = [...read('guides/own-checkout.md').matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, json = '']): any => JSON.parse(json),
  );
  const { body } = await world.api('GET', '/api/members/member-7/cards');
  expect(Object.keys(cards[0])).toEqual(Object.keys(body[0]));
  const sync = await world.api('POST', `/api/payments/${variables['SVC_UID']}/sync`, {
    merchant_uid: 'order-1003',
  });
  expect(Object.keys(synced)).toEqual(Object.keys(sync.body));
  for (const field of Object.keys(synced.payment)) expect(sync.body.payment).toHaveProperty(field);
});

/** Every `curl` of a page. */
function requestsOf(markdown: string): GuideRequest[] {
  const lines = markdown.replaceAll('\\\n', ' ').split('\n');
  return lines.filter((line) => line.startsWith('curl ')).map(toRequest);
}

function toRequest(line: string): GuideRequest {
  const [, method = 'GET', path = ''] = /^curl (?:-X (\w+) )?"\$MERCHANT([^"]*)"/.exec(line) ?? [];
  expect([line, line.includes('-H "Authorization: Bearer $API_KEY"')]).toEqual([line, true]);
  const quoted = / -d (?:'([^']*)'|"((?:[^"\\]|\\.)*)")/.exec(line);
  const body = quoted?.[1] ?? quoted?.[2]?.replace(/\\(.)/g, '$1');
  if (body !== undefined) expect(line).toContain(`-H 'Content-Type: application/json'`);
  return { method, path: filledIn(path), ...(body !== undefined && { body: filledIn(body) }) };
}

/** As the shell does it. */
function filledIn(text: string): string {
  return text.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`the guide does not say what $${name} is`);
    return value;
  });
}
