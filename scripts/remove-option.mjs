// `npm run tool -- remove-option <name>...` removes options from this copy of the repository, with the options that need them: the
// folder in `src/merchant/options`, views, tests, guide, settings in `.env.example`, packages, what documents say of it, and the line
// in `features.ts`. Commit first, so that no work is lost. The tables of an option stay; drop them with a migration of your own.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFiles, tidyDocuments } from './parts/documents.mjs';
import { FEATURES, readOptions, removeOptions, withNeeding } from './parts/options.mjs';
import { readManifest, removeUnused, writeManifest } from './parts/packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions(root);
const present = options.map(({ name }) => name);
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !present.includes(name));
if (asked.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no option ${unknown.join(', ')}. ` : '';
  console.error(`${problem}Name one or more of: ${present.join(', ')}`);
  process.exitCode = 2;
} else {
  const gone = withNeeding(options, asked);
  const brought = removeOptions(root, gone);
  const manifest = readManifest(root);
  // A later version is taken without them as well (README.md).
  if (manifest.adopted) manifest.adopted.keep = manifest.adopted.keep.filter((name) => !gone.includes(name));
  writeManifest(root, manifest);
  removeUnused(root);
  formatFiles(root, [FEATURES, ...tidyDocuments(root, brought)]);
  console.log(`Removed: ${gone.join(', ')}. Next: npm run check, npm test`);
}
