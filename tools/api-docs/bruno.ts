// `npm run tool -- bruno` writes a collection of requests for Bruno, from the descriptions of the routes, to .data/bruno.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { API } from '../../src/merchant/features';
import { openapiDocument } from '../../src/merchant/options/api-docs/openapi-document';
import { brunoCollection } from './bruno-collection';

const FOLDER = join(__dirname, '..', '..', '.data', 'bruno');

const files = brunoCollection(openapiDocument(API));
rmSync(FOLDER, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
  writeFileSync(join(FOLDER, path), text);
}
console.log(`${FOLDER} has ${files.size} files.`);
