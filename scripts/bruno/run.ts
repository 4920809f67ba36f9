// `npm run bruno` writes the collection of docs/bruno anew from the descriptions of the routes.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DESCRIBED_ROUTES } from '../../src/merchant/app';
import { openapiDocument } from '../../src/merchant/options/api-docs/openapi-document';
import { brunoCollection } from './collection';

const FOLDER = join(__dirname, '..', '..', 'docs', 'bruno');

const files = brunoCollection(openapiDocument(DESCRIBED_ROUTES, null));
rmSync(FOLDER, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
  writeFileSync(join(FOLDER, path), text);
}
console.log(`docs/bruno has ${files.size} files.`);
