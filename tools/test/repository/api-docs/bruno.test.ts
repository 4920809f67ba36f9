// The collection of `npm run tool -- bruno`. test/flows/api-docs/openapi.test.ts posts its examples.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bruToEnvJsonV2, collectionBruToJson } from '@usebruno/lang';
import { API } from '../../../../src/merchant/features';
import { openapiDocument } from '../../../../src/merchant/options/api-docs/openapi-document';
import { brunoCollection } from '../../../api-docs/bruno-collection';

const GUIDE = join(__dirname, '..', '..', '..', '..', 'docs', '03-guides', '9-testing.md');
const made = brunoCollection(openapiDocument(API));
const read = (path: string) => made.get(path) ?? '';

test('the collection sends the key of the environment, which is in no file', () => {
  const { auth } = collectionBruToJson(read('collection.bru'));
  expect(auth).toEqual({ mode: 'bearer', bearer: { token: '{{apiKey}}' } });
  expect(bruToEnvJsonV2(read('environments/local.bru')).variables).toEqual([
    expect.objectContaining({ name: 'baseUrl', value: 'http://localhost:3000', secret: false }),
    expect.objectContaining({ name: 'apiKey', value: '', secret: true }),
  ]);
});

test('docs/03-guides/9-testing.md names existing requests', () => {
  const named = [...readFileSync(GUIDE, 'utf8').matchAll(/`([\w-]+\/post-[\w-]+)`/g)].map(
    ([, name]) => `${name}.bru`,
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !made.has(name))).toEqual([]);
});
