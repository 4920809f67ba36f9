// `npm run tool -- bruno` regenerates the collection of docs/bruno from the descriptions of the routes.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { API } from '../../src/merchant/features';
import { openapiDocument } from '../../src/merchant/options/api-docs/openapi-document';
import { brunoCollection } from './bruno-collection';

const FOLDER = join(__dirname, '..', '..', 'docs', 'bruno');

const files = brunoCollection(openapiDocument(API));
rmSync(FOLDER, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
  writeFileSync(join(FOLDER, path), text);
}
console.log(`docs/bruno has ${files.size} files.`);
