// The removal of the sandbox from a copy of the repository.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readManifest, writeManifest } from './packages.mjs';

const GONE = [
  ...['src/sandbox', 'src/local', 'views/sandbox', 'docs/11-sandbox.md', 'examples', 'tools'],
  ...['adopt', 'adopt.mjs', 'migrations.ts', 'schema-engine.ts', 'tsconfig.sandbox.json'].map(
    (name) => `scripts/${name}`,
  ),
  'scripts/without-sandbox.mjs',
];
/** The folders of `test` that stay; the others start the sandbox. */
const STAYS = ['groups', 'merchant', 'properties', 'schemas', 'shop', 'support'];

/** @returns the files that have changed */
export function removeSandbox(root) {
  const remove = (path) => rmSync(join(root, path), { recursive: true, force: true });
  for (const path of GONE) remove(path);
  for (const name of readdirSync(join(root, 'test'))) if (!STAYS.includes(name)) remove(`test/${name}`);
  for (const name of readdirSync(join(root, 'test', 'groups')))
    if (/^(flows|browser|processes)-/.test(name)) remove(`test/groups/${name}`);
  while (importersOfNothing(root).map(remove).length > 0);
  const change = (path, act) => {
    const text = readFileSync(join(root, path), 'utf8');
    const changed = act(text);
    if (changed === text) throw new Error(`${path} has changed: remove the parts for the sandbox by hand.`);
    writeFileSync(join(root, path), changed);
  };
  change('Dockerfile', (text) =>
    cut(text, 'FROM build AS sandbox-build', 'FROM ${NODE_IMAGE} AS merchant').replace(
      / With `--target sandbox`[^]*?README\.md\)\./,
      '',
    ),
  );
  change('.env.example', (text) => withoutStart(cut(text, '# The sandbox: its port', '# The log level')));
  const pages = changePages(root);
  change('.dockerignore', (text) => text.replace('!scripts/tsconfig.sandbox.json\n', ''));
  change('test/support/jest-project.cjs', (text) =>
    cut(text, '/** The setup of projects', '/** The test files in'),
  );
  change('jest.config.cjs', (text) =>
    text.replace(/^.*'(flows|browser|processes)'.*\n/gm, '').replace(', withDatabase, withPrograms', ''),
  );
  change('test/groups/folders.json', () => '{ "unit": ["test/merchant", "test/shop", "test/properties"] }\n');
  changePackage(root);
  return ['jest.config.cjs', 'test/groups/folders.json', 'test/support/jest-project.cjs', ...pages];
}

/** What pages and the texts of settings say about `npm start`, and what they say without it. */
const ABOUT_START = [
  [/[;.]? *#? *npm start( prints it|를 실행하면 나옵니다)$/gm, ''],
  [' `npm start` on a bare clone needs none of these settings.', ''],
  ['; without it, `npm start` starts an embedded one', ''],
  ['; without them, the sandbox', ''],
  [/^# If `npm start` starts the sandbox, .*\n/m, ''],
  [
    'for the data of `npm start`: database, sandbox, the secrets above, and the addresses that commands use',
    'for the secrets above that are made outside production',
  ],
  [/^# The log format of `npm start`[^]*?LOG_FORMAT=\n\n?/m, ''],
  [/^\|`LOG_FORMAT=`\|.*\n/m, ''],
  [/(?<=^SMTP_URL=\S+ )npm start$/m, 'npm run tool -- merchant'],
];

function withoutStart(text) {
  return ABOUT_START.reduce((rest, [from, to]) => rest.replace(from, to), text);
}

function changePages(root) {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return pages.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const changed = withoutStart(text);
    if (changed !== text) writeFileSync(join(root, path), changed);
    return changed !== text;
  });
}

/** Files of `test` that import a removed file. */
function importersOfNothing(root) {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.ts'))
    .filter((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].some(
        ([, imported]) => {
          const target = join(dirname(path), imported);
          return ![target, `${target}.ts`].some((each) => existsSync(join(root, each)));
        },
      ),
    );
}

/** Removes the text between `from` and `to`, and `from` itself. */
function cut(text, from, to) {
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin);
  return begin < 0 || end < 0 ? text : text.slice(0, begin) + text.slice(end);
}

/** Removes scripts whose file is gone, the packages of the embedded PostgreSQL, and knip's settings for removed files. */
function changePackage(root) {
  const manifest = readManifest(root);
  const { scripts, knip } = manifest;
  const isGone = (command) =>
    command.split(' ').some((word) => /\/.*\.\w+$/.test(word) && !existsSync(join(root, word)));
  for (const [name, command] of Object.entries(scripts)) if (isGone(command)) delete scripts[name];
  scripts.check = scripts.check.replace('--tools', '--check');
  for (const name of ['proof', 'bench']) delete scripts[name];
  delete manifest.optionalDependencies;
  delete knip.workspaces.tools;
  const [own] = Object.values(knip.workspaces);
  delete own.ignoreBinaries;
  own.entry = own.entry.filter((path) => /^(docs|src\/merchant|views|test\/support\/shop)\//.test(path));
  knip.workspaces.scripts.entry = ['{remove-option,sbom,context-rules}.mjs', 'dependency-cruiser.cjs'];
  if (manifest.adopted) manifest.adopted.sandbox = false;
  writeManifest(root, manifest);
}
