// `npm run tool -- without-sandbox` removes the sandbox from this copy of the repository, with everything that needs it
// (docs/03-guides/9-testing.md): tests over HTTP, `tools`, the local start. At the end knip removes files and packages that are no
// longer used. Commit first, so that no work is lost.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...path) => join(root, ...path);
const read = (path) => readFileSync(at(path), 'utf8');

const GONE = ['src/sandbox', 'src/local', 'views/sandbox', 'scripts/tsconfig.sandbox.json', 'examples'];
/** The files of `scripts` and `test` that stay; the others start the sandbox or are about this repository. */
const STAYS = [
  'bootstrap.mjs',
  'bootstrap-lock.mjs',
  'build.mjs',
  'tsconfig.build.json',
  'check.mjs',
  'run.mjs',
  'sbom.mjs',
  'groups',
  'merchant',
  'properties',
  'schemas',
  'support',
];

/** What `npm run check` needs of `tools`. */
const OF_TOOLS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'node_modules',
  'eslint.config.mjs',
  'dependency-cruiser.cjs',
];

for (const path of GONE) remove(path);
for (const name of readdirSync(at('tools'))) if (!OF_TOOLS.includes(name)) remove(`tools/${name}`);
for (const folder of ['scripts', 'test'])
  for (const name of readdirSync(at(folder))) if (!STAYS.includes(name)) remove(`${folder}/${name}`);
for (const name of readdirSync(at('test', 'groups')))
  if (/^(flows|browser|processes)-/.test(name)) remove(`test/groups/${name}`);
while (importersOfNothing().map(remove).length > 0);
cut('Dockerfile', 'FROM build AS sandbox-build', 'FROM ${NODE_IMAGE} AS merchant');
cut('test/support/jest-project.cjs', '/** The setup of projects', '/** The test files in');
leaveLines('jest.config.cjs', (line) => !/'(flows|browser|processes)'/.test(line));
writeFileSync(at('jest.config.cjs'), read('jest.config.cjs').replace(', withDatabase, withPrograms', ''));
writeFileSync(at('test/groups/folders.json'), '{ "unit": ["test/merchant", "test/properties"] }\n');
changePackage();

run('tools/node_modules/prettier/bin/prettier.cjs', '--write', 'jest.config.cjs');
const KNIP = 'tools/node_modules/knip/bin/knip.js';
run(KNIP, '--no-progress', '--fix', '--allow-remove-files', '--format', '--no-exit-code');
console.log('The sandbox is removed. Next: npm install (for the lock file), npm run check, npm test');

function run(program, ...args) {
  spawnSync(process.execPath, [at(program), ...args], { cwd: root });
}

function remove(path) {
  rmSync(at(path), { recursive: true, force: true });
}

/** Files of `test` that import a removed file. */
function importersOfNothing() {
  return readdirSync(at('test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.ts'))
    .filter((path) =>
      [...read(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].some(([, imported]) => {
        const target = join(dirname(path), imported);
        return ![target, `${target}.ts`].some((each) => existsSync(at(each)));
      }),
    );
}

/** Removes the text between `from` and `to`, and `from` itself. */
function cut(path, from, to) {
  const text = read(path);
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin);
  if (begin < 0 || end < 0) throw new Error(`${path} has changed: remove the parts for the sandbox by hand.`);
  writeFileSync(at(path), text.slice(0, begin) + text.slice(end));
}

function leaveLines(path, stays) {
  writeFileSync(at(path), read(path).split('\n').filter(stays).join('\n'));
}

/** Removes scripts whose file is gone, the packages of the embedded PostgreSQL, and knip's settings for removed files. */
function changePackage() {
  const manifest = JSON.parse(read('package.json'));
  const { scripts, knip } = manifest;
  const isGone = (command) =>
    command.split(' ').some((word) => /\/.*\.\w+$/.test(word) && !existsSync(at(word)));
  for (const [name, command] of Object.entries(scripts)) if (isGone(command)) delete scripts[name];
  for (const name of ['test:all', 'docs', 'proof', 'bench']) delete scripts[name];
  for (const name of Object.keys(scripts))
    if (/^pre/.test(name) && !scripts[name.slice(3)]) delete scripts[name];
  delete manifest.optionalDependencies;
  const [{ entry }] = Object.values(knip.workspaces);
  knip.workspaces = {
    '.': { entry: [...entry.filter((path) => /^(docs|src|views)\//.test(path)), 'scripts/sbom.mjs'] },
  };
  knip.ignore.push('tools/**');
  delete knip.ignoreBinaries;
  // Some exports of the merchant were used only by removed tests; the merchant's files do not change.
  knip.exclude = ['exports'];
  writeFileSync(at('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
