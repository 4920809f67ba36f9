// docs/bruno is what `npm run bruno` makes of the descriptions of the routes, and Bruno's own parser reads it back.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang';
import { brunoCollection } from '../../scripts/bruno/collection';
import { DESCRIBED_ROUTES } from '../../src/merchant/app';
import { openapiDocument } from '../../src/merchant/http/openapi-document';
import { findSecrets } from '../support/secret-search';

const folder = join(__dirname, '..', '..', 'docs', 'bruno');
const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const isRequest = (path: string) => /\/(get|post)-[\w-]+\.bru$/.test(path);

// After a change of a route: npm run bruno.
test('docs/bruno has the files that `npm run bruno` makes, and no other', () => {
  const made = brunoCollection(openapiDocument(DESCRIBED_ROUTES, null));
  expect(paths.sort()).toEqual([...made.keys()].sort());
  for (const [path, text] of made) expect([path, read(path)]).toEqual([path, text]);
});

test('Bruno reads every request as its route is described', () => {
  const { paths: operations } = openapiDocument(DESCRIBED_ROUTES, null);
  const routes = Object.entries(operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const requests = paths.filter(isRequest).map((path) => bruToJsonV2(read(path)));
  expect(requests).toHaveLength(routes.length);
  for (const { path, method, operation } of routes) {
    const request = requests.find(({ meta }) => meta.name === operation.summary);
    const [address, search] = request?.http.url.split('?') ?? [];
    expect(address).toBe(`{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(request?.http).toMatchObject({ method, auth: operation.security.length > 0 ? 'inherit' : 'none' });
    const named = (request?.params ?? []).map(({ name, type, enabled }) => [name, type, enabled]);
    expect(named.sort()).toEqual(
      operation.parameters.map(({ name, in: place, required }) => [name, place, required]).sort(),
    );
    const required = (request?.params ?? []).filter(({ type, enabled }) => type === 'query' && enabled);
    expect([...new URLSearchParams(search)]).toEqual(required.map(({ name, value }) => [name, value]));
    const example = operation.requestBody?.content['application/json']?.example;
    expect(request?.body && JSON.parse(request.body.json)).toEqual(example);
  }
});

test('the collection sends the key of the environment, which no file holds', () => {
  const { auth } = collectionBruToJson(read('collection.bru'));
  expect(auth).toEqual({ mode: 'bearer', bearer: { token: '{{apiKey}}' } });
  expect(bruToEnvJsonV2(read('environments/local.bru')).variables).toEqual([
    expect.objectContaining({ name: 'baseUrl', value: 'http://localhost:3000', secret: false }),
    expect.objectContaining({ name: 'apiKey', value: '', secret: true }),
  ]);
  for (const path of paths) expect([path, findSecrets(read(path))]).toEqual([path, []]);
});
