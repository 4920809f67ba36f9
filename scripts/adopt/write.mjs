// Writes the files of an adopted repository to an empty folder.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFiles, tidyDocuments } from '../parts/documents.mjs';
import { FEATURES, readOptions, removeOptions } from '../parts/options.mjs';
import { readManifest, removeUnused, writeManifest } from '../parts/packages.mjs';
import { removeSandbox } from '../parts/sandbox.mjs';

const TEXTS = dirname(fileURLToPath(import.meta.url));
const DOCUMENTS = [
  ...[
    '01-start',
    '04-going-live',
    '05-monitoring',
    '06-runbook',
    '07-maintenance',
    '09-data',
    '10-reference',
  ],
  ...['11-sandbox', '12-payment-service', '13-faults', '17-glossary'],
].map((name) => `docs/${name}.md`);
/** Files and folders that a shop gets. */
const TAKEN = [
  ...['.dockerignore', '.env.example', '.gitattributes', '.gitignore', '.npmrc'],
  ...[
    '.github/dependabot.yml',
    '.github/workflows/ci.yml',
    'Dockerfile',
    'LICENSE',
    'compose.yaml',
    'deploy',
  ],
  ...[
    'jest.config.cjs',
    'package-lock.json',
    'package.json',
    'prisma',
    'scripts',
    'src',
    'test',
    'tsconfig.json',
    'views',
  ],
  ...['docs/03-guides', 'docs/examples', 'docs/ko', ...DOCUMENTS],
];
/**
 * Within them, what is about this repository; tests that `npm test` does not run; tests of the sandbox, its stories and the local
 * start, and of how statements reach PostgreSQL, which a shop does not change; and searches with random values.
 */
const LEFT = [
  ...['scripts/adopt', 'scripts/adopt.mjs', 'src/local/minimal.ts'],
  ...[
    'test/local',
    'test/processes',
    'test/properties',
    'test/sandbox',
    'test/waiting',
    'test/flows/stories',
  ],
  ...['console', 'payment-window'].map((name) => `test/browser/${name}.test.ts`),
  ...['database-session', 'database-tls', 'database-transaction', 'one-client'].map(
    (name) => `test/flows/${name}.test.ts`,
  ),
  ...['processes-setup.ts', 'processes-teardown.ts'].map((name) => `test/support/${name}`),
];
const SCRIPTS_LEFT = ['adopt', 'bench', 'docs', 'minimal', 'proof', 'test:all'];
const OWN_TEXTS = {
  'readme.txt': 'README.md',
  'readme.ko.txt': 'README.ko.md',
  'changelog.txt': 'CHANGELOG.md',
};
const HOUSES = ['.', 'scripts'];

/** @param plan title, keep, sandbox and commit: with the same plan a later version is written in the same way */
export async function writeRepository(root, folder, plan) {
  for (const path of filesOf(root).filter(isTaken)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path));
  }
  // What removes parts uses installed packages.
  for (const house of HOUSES)
    symlinkSync(join(root, house, 'node_modules'), join(folder, house, 'node_modules'), 'junction');
  changePackage(folder, plan);
  const gone = readOptions(folder)
    .map(({ name }) => name)
    .filter((name) => !plan.keep.includes(name));
  const brought = removeOptions(folder, gone);
  const changed = plan.sandbox ? [] : removeSandbox(folder);
  changed.push(...changeTests(folder));
  changeTexts(folder, plan);
  removeUnused(folder);
  changed.push(...tidyDocuments(folder, brought));
  writeOwnTexts(folder, plan);
  formatFiles(folder, [...changed, ...Object.values(OWN_TEXTS), FEATURES]);
  for (const house of HOUSES) rmSync(join(folder, house, 'node_modules'));
}

/** Those of git, because others may have secrets; of a copy without history all. */
function filesOf(root) {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const tracked = (stdout ?? '').split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  if (tracked.length > 0) return tracked;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !/(^|\/)node_modules\/|\.(env|log)$/.test(path));
}

function isTaken(path) {
  const isIn = (list) => list.some((each) => path === each || path.startsWith(`${each}/`));
  return isIn(TAKEN) && !isIn(LEFT);
}

function changePackage(folder, { title, keep, sandbox, commit }) {
  const manifest = readManifest(folder);
  const { scripts, knip } = manifest;
  for (const script of SCRIPTS_LEFT) delete scripts[script];
  scripts.check = scripts.check.replace('--tools', '--check');
  delete knip.workspaces.tools;
  const [main] = Object.values(knip.workspaces);
  delete main.ignoreDependencies;
  // The others are started by tests that stay here.
  main.ignoreBinaries = main.ignoreBinaries.filter((name) => name === 'setpriv');
  main.entry = main.entry.filter((path) => !/^examples\/|\/processes-/.test(path));
  const own = { name: slugOf(title), version: '0.1.0', description: `The merchant backend of ${title}.` };
  writeManifest(folder, { ...manifest, ...own, adopted: { commit, title, keep, sandbox } });
}

/** A name that npm and an image accept. */
function slugOf(title) {
  return (
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'merchant'
  );
}

function changeTexts(folder, { title }) {
  const change = (path, act) => {
    const file = join(folder, path);
    writeFileSync(file, act(readFileSync(file, 'utf8')));
  };
  change('compose.yaml', (text) => text.replaceAll('billing-key-merchant:', `${slugOf(title)}:`));
  change('.gitignore', (text) => text.replace('examples/minimal/generated/\n', ''));
  change('.github/workflows/ci.yml', (text) =>
    text
      .replace(
        /^# Runs \.ci\/run.*$/m,
        '# The tests and checks on every supported version of Node, each in another time zone.',
      )
      .replace(/^( *)- run: bash \.ci\/run$/m, '$1- run: npm test\n$1- run: npm run check'),
  );
  change('.github/dependabot.yml', (text) =>
    text.replace('directories: [/, /.devcontainer]', 'directory: /'),
  );
  change('docs/13-faults.md', (text) => text.replace(' test tools/test`', ' test`'));
  // Its own text comes at the end: links to it stay.
  writeFileSync(join(folder, 'README.md'), '');
  // README.md has the rest of that page.
  change('docs/01-start.md', (text) => {
    const [, commands] = text.split(/^(?=## )/m).filter((part) => /^(# |## Commands)/.test(part));
    return `# Start\n\n[README.md](../README.md) says how to run, test and deploy, and what is where.\n\n${commands}`;
  });
}

/**
 * Leaves the projects of jest whose tests are there.
 * @returns the files that have changed
 */
function changeTests(folder) {
  const at = (...path) => join(folder, 'test', ...path);
  const change = (path, act) => writeFileSync(path, act(readFileSync(path, 'utf8')));
  for (const name of readdirSync(at('groups'))) if (name.startsWith('processes-')) rmSync(at('groups', name));
  change(at('groups', 'folders.json'), (text) => {
    const left = Object.entries(JSON.parse(text)).map(([project, folders]) => [
      project,
      folders.filter((name) => existsSync(join(folder, name))),
    ]);
    return JSON.stringify(Object.fromEntries(left.filter(([, folders]) => folders.length > 0)));
  });
  change(join(folder, 'jest.config.cjs'), (text) =>
    text
      .replace(/^.*'processes'.*\n/m, '')
      .replace(', withPrograms', '')
      .replace('Four projects, and those of `tools`', 'Three projects'),
  );
  change(at('support', 'jest-project.cjs'), (text) =>
    text
      .replace('tests that need PostgreSQL, and of those that start processes', 'tests that need PostgreSQL')
      .replace(/^exports\.withPrograms = \{\n[^]*?^\};\n/m, ''),
  );
  return ['jest.config.cjs', 'test/groups/folders.json', 'test/support/jest-project.cjs'];
}

function writeOwnTexts(folder, { title, sandbox }) {
  const kept = readOptions(folder);
  const purposes = kept.map(({ name, purpose }) => `- \`src/merchant/options/${name}\`: ${purpose}\n`);
  for (const [from, to] of Object.entries(OWN_TEXTS))
    writeFileSync(
      join(folder, to),
      readFileSync(join(TEXTS, from), 'utf8')
        .replaceAll('{{title}}', () => title)
        .replaceAll('{{options}}\n', () => purposes.join(''))
        .replaceAll('{{names}}', () => kept.map(({ name }) => name).join(', '))
        .replaceAll(/^(.*)\{\{sandbox\}\}\n/gm, (_line, text) => (sandbox ? `${text}\n` : '')),
    );
}
