// docs/bruno is the output of `npm run tool -- bruno` for the described routes. test/flows/api-docs/openapi.test.ts posts its
// examples.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bruToEnvJsonV2, collectionBruToJson } from '@usebruno/lang';
import { brunoCollection } from '../../../scripts/api-docs/bruno-collection';
import { API } from '../../../src/merchant/features';
import { openapiDocument } from '../../../src/merchant/options/api-docs/openapi-document';

const folder = join(__dirname, '..', '..', '..', 'docs', 'bruno');
const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

// After a change of a route: npm run tool -- bruno.
test('docs/bruno has exactly the files that `npm run tool -- bruno` writes', () => {
  const made = brunoCollection(openapiDocument(API));
  expect(paths.sort()).toEqual([...made.keys()].sort());
  for (const [path, text] of made) expect([path, read(path)]).toEqual([path, text]);
});

test('the collection sends the key of the environment, which is in no file', () => {
  const { auth } = collectionBruToJson(read('collection.bru'));
  expect(auth).toEqual({ mode: 'bearer', bearer: { token: '{{apiKey}}' } });
  expect(bruToEnvJsonV2(read('environments/local.bru')).variables).toEqual([
    expect.objectContaining({ name: 'baseUrl', value: 'http://localhost:3000', secret: false }),
    expect.objectContaining({ name: 'apiKey', value: '', secret: true }),
  ]);
});

test('docs/03-guides/9-testing.md names existing requests', () => {
  const guide = readFileSync(join(folder, '..', '03-guides', '9-testing.md'), 'utf8');
  const named = [...guide.matchAll(/`([\w-]+\/post-[\w-]+)`/g)].map(([, name]) => `${name}.bru`);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !paths.includes(name))).toEqual([]);
});
