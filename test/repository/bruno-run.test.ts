// The requests of docs/bruno work as they stand there: those that change something tell a story in the order of
// docs/guides/api-clients.md, and then each that reads is answered.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bruToEnvJsonV2, bruToJsonV2, type BruRequest } from '@usebruno/lang';
import { API_KEY } from '../support/config';
import { useWorld } from '../support/use-world';

const DOCS = join(__dirname, '..', '..', 'docs');
const FOLDER = join(DOCS, 'bruno');

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\/(get|post)-[\w-]+\.bru$/.test(path),
);
const requests = new Map(
  files.map((path) => [basename(path, '.bru'), bruToJsonV2(readFileSync(join(FOLDER, path), 'utf8'))]),
);
const guide = readFileSync(join(DOCS, 'guides', 'api-clients.md'), 'utf8');
/** The rows of its table: file, and the status of the answer. */
const story = [...guide.matchAll(/^\| `[\w-]+\/(post-[\w-]+)` +\| (\d+) /gm)].map(
  ([, name = '', status]): [string, number] => [name, Number(status)],
);

const world = useWorld();
/** What the answers gave out, in place of the examples. */
const given: Record<string, string> = {};

beforeAll(async () => {
  expect(story.length).toBeGreaterThan(3);
  for (const [name, status] of story) {
    const answer = await send(requests.get(name));
    expect([name, answer.status, answer.body]).toEqual([name, status, expect.anything()]);
    given['svc_uid'] ??= answer.body.order?.payments?.[0]?.svc_uid;
  }
});

test.each([...requests].filter(([, { http }]) => http.method === 'get'))(
  '%s is served as it stands',
  async (_name, request) => {
    const { status, body } = await send(request);
    expect([status, body]).toEqual([200, expect.anything()]);
  },
);

/** As Bruno does it, with the environment `local` at this world. */
async function send(request: BruRequest | undefined) {
  if (!request) throw new Error('docs/bruno has no such request');
  const { http, params = [], body } = request;
  const { variables } = bruToEnvJsonV2(readFileSync(join(FOLDER, 'environments', 'local.bru'), 'utf8'));
  const values = new Map(variables.map(({ name, value }) => [name, name === 'baseUrl' ? world.url : value]));
  const address = params
    .filter(({ type }) => type === 'path')
    .reduce(
      (url, { name, value }) => url.replace(`:${name}`, encodeURIComponent(given[name] ?? value)),
      http.url.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? ''),
    );
  const response = await fetch(address, {
    method: http.method.toUpperCase(),
    headers: {
      ...(http.auth === 'inherit' && { authorization: `Bearer ${API_KEY}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body.json }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
