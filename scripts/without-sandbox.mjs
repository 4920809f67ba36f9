// `npm run tool -- without-sandbox` removes the sandbox from this copy of the repository, with everything that needs it
// (docs/03-guides/9-testing.md): tests over HTTP, `tools`, the local start. Commit first, so that no work is lost.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFiles, tidyDocuments } from './parts/documents.mjs';
import { removeUnused } from './parts/packages.mjs';
import { removeSandbox } from './parts/sandbox.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const changed = removeSandbox(root);
removeUnused(root);
formatFiles(root, [...changed, ...tidyDocuments(root)]);
console.log('The sandbox is removed. Next: npm run check, npm test');
